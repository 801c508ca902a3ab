package cli

import "testing"

// A long line is broken between words on a terminal; a word, such as a path, never is.
func TestWrapped(t *testing.T) {
	for _, c := range []struct {
		width    int
		in, want string
	}{
		{0, "one two three four\n", "one two three four\n"},
		{10, "one two three four\n", "one two\n  three\n  four\n"},
		{14, "  ✗  guard: one two\n", "  ✗  guard:\n     one two\n"},
		{14, "\x1b[31m  ✗  guard\x1b[0m: one two\n", "\x1b[31m  ✗  guard\x1b[0m:\n     one two\n"},
		{8, "/a/path/that/is/long x\n\nshort\n", "/a/path/that/is/long\n  x\n\nshort\n"},
		{40, "  note  gap   a text that is too long for one line\n", "  note  gap   a text that is too long\n              for one line\n"},
		{24, "  one two three  four fi six\n", "  one two three  four fi\n    six\n"},
		{8, "no newline", "no\n  newline"},
		{12, "a wrong value\n    3 |   - {id: a, on: x}\n      |             ^ found x\n",
			"a wrong\n  value\n    3 |   - {id: a, on: x}\n      |             ^ found x\n"},
	} {
		if got := wrapped(c.in, c.width); got != c.want {
			t.Errorf("at %d: %q, want %q", c.width, got, c.want)
		}
	}
}
