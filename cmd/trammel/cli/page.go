package cli

import (
	"io"
	"os"
	"strings"

	"github.com/trammel-dev/trammel/internal/lazy"
	"github.com/trammel-dev/trammel/internal/terminal"
)

// Page is a page of the documentation for a writer: on a terminal its paragraphs
// are as wide as that, in a pipe they are as they are.
func Page(w io.Writer, text string) string {
	if !IsStdout(w) {
		return text
	}
	return reflowed(text, terminal.Width(os.Stdout))
}

var listItem = lazy.Regexp(`^ *([*-]|[0-9]+\.) `)

// reflowed joins the lines of each paragraph and breaks them at a width; 0 is any
// width. Examples, tables and headings stay as they are.
func reflowed(text string, width int) string {
	if width <= 0 {
		return text
	}
	var out strings.Builder
	paragraph, fenced := "", false
	flush := func() {
		if paragraph != "" {
			indent := len(listItem().FindString(paragraph))
			breakLine(&out, paragraph+"\n", width, indent)
		}
		paragraph = ""
	}
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		fence := strings.HasPrefix(bare, "```")
		switch {
		case fenced || fence || bare == "" || strings.HasPrefix(bare, "|") || strings.HasPrefix(bare, "#") || strings.HasPrefix(bare, "<"):
			flush()
			out.WriteString(line)
			fenced = fenced != fence
		case listItem().MatchString(line):
			flush()
			paragraph = strings.TrimRight(line, " \n")
		default:
			paragraph = strings.TrimPrefix(paragraph+" "+bare, " ")
		}
	}
	flush()
	return out.String()
}
