// Package lazy computes on first use, so that programs start without doing what
// most calls never need.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp compiles a regular expression when it is first asked for.
func Regexp(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
