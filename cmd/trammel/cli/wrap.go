package cli

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/trammel-dev/trammel/internal/terminal"
)

// Wrap writes what print prints. On a terminal, long lines are broken between
// words; in a pipe they are as they are.
func Wrap(w io.Writer, print func(io.Writer) error) error {
	file := fileOf(w)
	if file == nil {
		return print(w)
	}
	var text bytes.Buffer
	err := print(&text)
	_, written := io.WriteString(w, wrapped(text.String(), terminal.Width(file)))
	return errors.Join(err, written)
}

// wrapped breaks lines that have more columns than width; 0 is any width.
func wrapped(text string, width int) string {
	if width <= 0 {
		return text
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		if number, _, quoted := strings.Cut(line, " | "); quoted && strings.Trim(number, " 0123456789") == "" {
			out.WriteString(line) // a line of a file, with a mark below it that has to stay there
			continue
		}
		wrapLine(&out, line, width)
	}
	return out.String()
}

// WrapHelp wraps the help of a command and of those below it. Examples stay as
// they are, so that they can be copied.
func WrapHelp(cmd *cobra.Command) {
	help := cmd.HelpFunc()
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		out := cmd.OutOrStdout()
		var text bytes.Buffer
		cmd.SetOut(&text)
		help(cmd, args)
		cmd.SetOut(out)
		before, rest, found := strings.Cut(text.String(), "\nExamples:\n")
		examples, after, _ := strings.Cut(rest, "\n\n")
		if found {
			examples = "\nExamples:\n" + examples + "\n\n"
		}
		for _, part := range []string{before, examples, after} {
			write := func(w io.Writer) error { _, err := io.WriteString(w, part); return err }
			if part == examples {
				_ = write(out)
				continue
			}
			_ = Wrap(out, write)
		}
	})
}

// wrapLine breaks one line. What follows is indented like the last column of
// the line, if it has columns.
func wrapLine(out *strings.Builder, line string, width int) {
	if columns(strings.TrimRight(line, "\n")) <= width {
		out.WriteString(line)
		return
	}
	breakLine(out, line, width, indentOf(line, width))
}

// breakLine breaks one line; what follows is indented by so many blanks.
func breakLine(out *strings.Builder, line string, width, indent int) {
	at, begun := 0, false // the column; whether the line has a word
	for i, word := range strings.Split(line, " ") {
		size := columns(strings.TrimRight(word, "\n"))
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

// betweenColumns is what separates columns, and a mark such as an arrow from a text.
var betweenColumns = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ *\S +|\S  +`) })

// indentOf is where the last column of a line begins, if that is in its first
// half; otherwise it is a little more than the indent of the line.
func indentOf(line string, width int) int {
	text := plain(line)
	indent := len(text) - len(strings.TrimLeft(text, " ")) + 2
	for _, gap := range betweenColumns().FindAllStringIndex(text, -1) {
		if column := columns(text[:gap[1]]); column <= width/2 {
			indent = column
		}
	}
	return indent
}

func columns(s string) int { return utf8.RuneCountInString(plain(s)) }

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
