package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/trammel-dev/trammel/internal/terminal"
)

// Wrap writes what print prints. On a terminal, long lines are broken between
// words; in a pipe they are as they are.
func Wrap(w io.Writer, print func(io.Writer) error) error {
	if w != os.Stdout {
		return print(w)
	}
	var text bytes.Buffer
	err := print(&text)
	_, written := io.WriteString(w, wrapped(text.String(), terminal.Width(os.Stdout)))
	return errors.Join(err, written)
}

// wrapped breaks lines that have more columns than width; 0 is any width.
func wrapped(text string, width int) string {
	if width <= 0 {
		return text
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		wrapLine(&out, line, width)
	}
	return out.String()
}

// wrapLine breaks one line. What follows is indented below its first word, or
// below its second if the first is a mark such as an arrow.
func wrapLine(out *strings.Builder, line string, width int) {
	if visible(strings.TrimRight(line, "\n")) <= width {
		out.WriteString(line)
		return
	}
	indent := indentOf(line)
	at, begun := 0, false // the column; whether the line has a word
	for i, word := range strings.Split(line, " ") {
		size := visible(strings.TrimRight(word, "\n"))
		switch {
		case i == 0:
		case begun && size > 0 && at+1+size > width:
			out.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			out.WriteByte(' ')
			at++
		}
		out.WriteString(word)
		at, begun = at+size, begun || size > 0
	}
}

func indentOf(line string) int {
	text := plain(line)
	rest := strings.TrimLeft(text, " ")
	indent := len(text) - len(rest)
	if mark, after, ok := strings.Cut(rest, " "); ok && utf8.RuneCountInString(mark) == 1 {
		return indent + 1 + len(after) - len(strings.TrimLeft(after, " ")) + 1
	}
	return indent + 2
}

func visible(s string) int { return utf8.RuneCountInString(plain(s)) }

// plain is a text without the codes for colors.
func plain(s string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(s, "\x1b[")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		_, s, _ = strings.Cut(after, "m")
	}
}
