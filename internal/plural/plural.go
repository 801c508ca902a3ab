// Package plural writes counts and times in words.
package plural

import (
	"fmt"
	"strconv"
	"time"
)

// Of is "1 record", or "2 records" with an s unless the plural is given.
func Of[N int | int64 | uint64](n N, one string, many ...string) string {
	switch {
	case n == 1:
		return "1 " + one
	case len(many) > 0:
		one = many[0]
	default:
		one += "s"
	}
	return strconv.FormatInt(int64(n), 10) + " " + one
}

// Took is how long something took, in a unit that can be read.
func Took(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < 10*time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}
