package main

import (
	"fmt"
	"html"
	"regexp"
	"strings"

	"github.com/trammel-dev/trammel/docs"
)

// renderer turns the Markdown that our pages use into HTML. HTML in a page is
// text, except for comments, which are left out.
type renderer struct {
	out strings.Builder
	// link says where a link or an image leads to on the site.
	link func(target string) string
}

var (
	heading  = regexp.MustCompile(`^(#{1,6}) +(.*)$`)
	bullet   = regexp.MustCompile(`^( *)([*-]|\d+\.) +(.*)$`)
	divider  = regexp.MustCompile(`^\|?[ :|-]*-[ :|-]*$`)
	comment  = regexp.MustCompile(`(?s)<!--.*?-->`)
	anyFence = regexp.MustCompile("(?ms)^```.*?^```$")
)

// render is the HTML of a page.
func (r *renderer) render(text string) string {
	text = outsideFences(text, func(part string) string { return comment.ReplaceAllString(part, "") })
	r.blocks(strings.Split(text, "\n"))
	return r.out.String()
}

// outsideFences changes the text outside of fenced blocks.
func outsideFences(text string, change func(string) string) string {
	var b strings.Builder
	at := 0
	for _, span := range anyFence.FindAllStringIndex(text, -1) {
		b.WriteString(change(text[at:span[0]]) + text[span[0]:span[1]])
		at = span[1]
	}
	return b.String() + change(text[at:])
}

func (r *renderer) blocks(lines []string) {
	for len(lines) > 0 {
		line := lines[0]
		n := 1
		switch h := heading.FindStringSubmatch(line); {
		case strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, "```"):
			n = r.fenced(lines)
		case h != nil:
			fmt.Fprintf(&r.out, "<h%d id=\"%s\">%s</h%[1]d>\n", len(h[1]), html.EscapeString(docs.Anchor(h[2])), r.inline(h[2]))
		case strings.HasPrefix(line, "|") && len(lines) > 1 && divider.MatchString(lines[1]):
			n = r.table(lines)
		case bullet.MatchString(line):
			n = r.list(lines)
		default:
			n = r.paragraph(lines)
		}
		lines = lines[n:]
	}
}

func (r *renderer) fenced(lines []string) int {
	n := 1
	for n < len(lines) && !strings.HasPrefix(lines[n], "```") {
		n++
	}
	fmt.Fprintf(&r.out, "<pre><code>%s</code></pre>\n", html.EscapeString(strings.Join(lines[1:n], "\n")))
	return min(n+1, len(lines))
}

func (r *renderer) paragraph(lines []string) int {
	n := 1
	for n < len(lines) && strings.TrimSpace(lines[n]) != "" && !strings.HasPrefix(lines[n], "```") && !heading.MatchString(lines[n]) &&
		!bullet.MatchString(lines[n]) && !strings.HasPrefix(lines[n], "|") {
		n++
	}
	fmt.Fprintf(&r.out, "<p>%s</p>\n", r.inline(strings.Join(lines[:n], "\n")))
	return n
}

// list takes the items of one depth, each with what is indented below it.
func (r *renderer) list(lines []string) int {
	first := bullet.FindStringSubmatch(lines[0])
	tag := "ul"
	if strings.HasSuffix(first[2], ".") {
		tag = "ol"
	}
	depth := len(first[1])
	fmt.Fprintf(&r.out, "<%s>\n", tag)
	n := 0
	for n < len(lines) {
		item := bullet.FindStringSubmatch(lines[n])
		if item == nil || len(item[1]) != depth {
			break
		}
		n++
		text, below := []string{item[3]}, []string{}
		for n < len(lines) && (strings.HasPrefix(lines[n], strings.Repeat(" ", depth+2)) || lines[n] == "" && n+1 < len(lines) &&
			strings.HasPrefix(lines[n+1], strings.Repeat(" ", depth+2))) {
			rest := strings.TrimPrefix(lines[n], strings.Repeat(" ", depth+2))
			if len(below) > 0 || rest == "" || bullet.MatchString(rest) || strings.HasPrefix(rest, "```") {
				below = append(below, rest)
			} else {
				text = append(text, rest)
			}
			n++
		}
		fmt.Fprintf(&r.out, "<li>%s\n", r.inline(strings.Join(text, "\n")))
		r.blocks(below)
		r.out.WriteString("</li>\n")
	}
	fmt.Fprintf(&r.out, "</%s>\n", tag)
	return n
}

func (r *renderer) table(lines []string) int {
	row := func(line, cell string) {
		r.out.WriteString("<tr>")
		for _, text := range cells(line) {
			fmt.Fprintf(&r.out, "<%s>%s</%[1]s>", cell, strings.ReplaceAll(r.inline(text), "&lt;br&gt;", "<br>"))
		}
		r.out.WriteString("</tr>\n")
	}
	r.out.WriteString("<div class=\"wide\"><table>\n")
	row(lines[0], "th")
	n := 2
	for ; n < len(lines) && strings.HasPrefix(lines[n], "|"); n++ {
		row(lines[n], "td")
	}
	r.out.WriteString("</table></div>\n")
	return n
}

// cells are those of a line of a table; "\|" is a stroke in one.
func cells(line string) []string {
	const stroke = "\x00"
	line = strings.ReplaceAll(strings.TrimSpace(line), `\|`, stroke)
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	var out []string
	for cell := range strings.SplitSeq(line, "|") {
		out = append(out, strings.ReplaceAll(strings.TrimSpace(cell), stroke, "|"))
	}
	return out
}

var (
	codePart = regexp.MustCompile("``(.+?)``|`([^`]+)`")
	linkPart = regexp.MustCompile(`(!?)\[([^\]]*)\]\(([^)\s]+)\)`)
	bold     = regexp.MustCompile(`\*\*([^*]+)\*\*`)
	italic   = regexp.MustCompile(`(^|[\s(])\*([^*\s][^*]*)\*`)
	escaped  = regexp.MustCompile(`\\([\\*_<>|\[\]])`)
)

// inline renders the text of a line. Finished parts are kept aside, so that
// nothing is read twice.
func (r *renderer) inline(text string) string {
	var done []string
	keep := func(s string) string {
		done = append(done, s)
		return fmt.Sprintf("\x01%d\x02", len(done)-1)
	}
	text = codePart.ReplaceAllStringFunc(text, func(s string) string {
		return keep("<code>" + html.EscapeString(strings.TrimSpace(strings.Trim(s, "`"))) + "</code>")
	})
	text = escaped.ReplaceAllStringFunc(text, func(s string) string { return keep(html.EscapeString(s[1:])) })
	text = linkPart.ReplaceAllStringFunc(text, func(s string) string {
		m := linkPart.FindStringSubmatch(s)
		to := html.EscapeString(r.link(m[3]))
		if m[1] == "!" {
			return keep(fmt.Sprintf(`<img src="%s" alt="%s">`, to, html.EscapeString(m[2])))
		}
		return keep(`<a href="`+to+`">`) + m[2] + keep("</a>")
	})
	text = html.EscapeString(text)
	text = bold.ReplaceAllString(text, "<strong>$1</strong>")
	text = italic.ReplaceAllString(text, "$1<em>$2</em>")
	for i := len(done) - 1; i >= 0; i-- {
		text = strings.ReplaceAll(text, fmt.Sprintf("\x01%d\x02", i), done[i])
	}
	return text
}
