// Package plural counts things in words.
package plural

import "strconv"

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
