package pages

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"
)

const (
	columns    = 112
	cellWidth  = 8
	lineHeight = 18
	margin     = 20
	titleBar   = 34
)

// Terminal draws a session in a terminal as SVG: lines that begin with "$ " are
// commands, the rest is output. Long lines are wrapped.
func Terminal(session string) string {
	var lines []string
	for line := range strings.Lines(strings.TrimRight(session, "\n") + "\n") {
		lines = append(lines, wrapped(strings.TrimRight(line, "\n"))...)
	}
	width, height := columns*cellWidth+2*margin, len(lines)*lineHeight+titleBar+margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" `+
		`font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="10" fill="#14181f"/>`+"\n", width, height)
	for i, color := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="17" r="6" fill="%s"/>`+"\n", margin+i*20, color)
	}
	for i, line := range lines {
		if line != "" {
			fmt.Fprintf(&b, `<text x="%d" y="%d" fill="%s" xml:space="preserve">%s</text>`+"\n", margin, titleBar+(i+1)*lineHeight-5, colorOf(line),
				html.EscapeString(line))
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func wrapped(line string) []string {
	var out []string
	for utf8.RuneCountInString(line) > columns {
		runes := []rune(line)
		at := strings.LastIndexByte(string(runes[:columns]), ' ')
		if at < columns/2 {
			at = len(string(runes[:columns]))
		}
		out = append(out, line[:at])
		line = "       " + strings.TrimLeft(line[at:], " ")
	}
	return append(out, line)
}

func colorOf(line string) string {
	trimmed := strings.TrimSpace(line)
	for _, c := range []struct{ prefix, color string }{
		{"$ ", "#ffffff"}, {"✗", "#ff7b72"}, {"verdict: deny", "#ff7b72"}, {"?", "#e3b341"},
		{"ok:", "#7ee787"}, {"→", "#79c0ff"}, {"–", "#6e7681"},
	} {
		if strings.HasPrefix(trimmed, c.prefix) {
			return c.color
		}
	}
	return "#c9d1d9"
}
