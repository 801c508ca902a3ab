//go:build !unix

// Package pgtest gives tests a PostgreSQL of their own where there is one.
package pgtest

import "testing"

// Database skips the test.
func Database(t testing.TB) string {
	t.Skip("PostgreSQL is not started on this system")
	return ""
}
