package cli

import "testing"

// Paragraphs get the width of the terminal; what can be copied stays as it is.
func TestReflowed(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"one two three four\nfive six\n", "one two three four\nfive six\n"},
		{"one two three four five\nsix\n\nseven\n", "one two three four\nfive six\n\nseven\n"},
		{"* one two three four five\n  six\n* seven\n", "* one two three four\n  five six\n* seven\n"},
		{"# a heading that is longer than it\ntext\n", "# a heading that is longer than it\ntext\n"},
		{"| a | table that is longer than it |\n", "| a | table that is longer than it |\n"},
		{"```sh\nan example that is longer\n\n* x\n  y\n```\ntext\n", "```sh\nan example that is longer\n\n* x\n  y\n```\ntext\n"},
		{"no newline", "no newline\n"},
	} {
		if got := reflowed(c.in, 20); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
		if got := reflowed(c.in, 0); got != c.in {
			t.Errorf("%q, any width: %q", c.in, got)
		}
	}
}
