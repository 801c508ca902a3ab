package lex

import (
	"strings"
	"unicode/utf8"

	"github.com/trammel-dev/trammel/effects/languages/within"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// quoted reads a string that begins at l.i with open and ends with end.
func (l *lexer) quoted(pos int, open, end byte, raw bool, kind Kind) {
	l.i++
	start, depth := l.i, 0
	template := open == '`' || !l.Arrows // of JavaScript only templates have code and ends of lines in them
	for ; l.i < len(l.src); l.i++ {
		switch b := l.src[l.i]; {
		case b == '\\' && l.i+1 < len(l.src):
			l.i++
		case b == end && depth == 0, b == '\n' && !template:
			l.finish(pos, l.src[start:l.i], raw, kind, template)
			return
		case b == end:
			depth--
		case b == open && open != end:
			depth++
		case l.nested != "" && !raw && template && b == l.nested[0] && l.at(l.nested):
			l.i += recipes.CodeEnd(l.src[l.i+2:]) + 1
		}
	}
	l.i = len(l.src)
	l.finish(pos, l.src[min(start, len(l.src)):], raw, kind, template)
}

// finish adds the string whose body was read.
func (l *lexer) finish(pos int, body string, raw bool, kind Kind, template bool) {
	l.move(1)
	l.add(kind, "", pos)
	t := &l.out[len(l.out)-1]
	switch {
	case !raw:
		t.Text, t.Parts = l.decode(body, kind != Command, template)
	case strings.IndexByte(body, '\\') >= 0:
		t.Text = strings.NewReplacer(`\\`, `\`, `\'`, `'`).Replace(body)
	default:
		t.Text = body
	}
}

// decode resolves the escapes of a string and cuts out the code in it.
func (l *Syntax) decode(s string, escapes, code bool) (string, []Part) {
	if strings.IndexByte(s, '\\') < 0 && (!code || !strings.ContainsAny(s, "$#{@")) {
		return s, nil
	}
	var out strings.Builder
	var parts []Part
	flush := func() {
		if out.Len() > 0 {
			parts = append(parts, Part{Text: out.String()})
			out.Reset()
		}
	}
	for i := 0; i < len(s); {
		if s[i] == '\\' && i+1 < len(s) && escapes {
			i += l.escape(s[i:], &out)
			continue
		}
		inner, n := "", 0
		switch {
		case !code:
		case l.embedded != nil:
			inner, n = l.embedded(s[i:])
		case l.nested != "" && strings.HasPrefix(s[i:], l.nested):
			inner, n = recipes.Braced(s[i:], len(l.nested))
		}
		switch {
		case n == 0:
			out.WriteByte(s[i])
			n = 1
		case inner == "": // a mark that is written twice
			out.WriteByte(s[i])
		default:
			flush()
			parts = append(parts, Part{Text: inner, Code: true})
		}
		i += n
	}
	if parts == nil {
		return out.String(), nil
	}
	flush()
	return "", parts
}

// escape writes what an escape sequence stands for and returns its length.
func (l *Syntax) escape(s string, out *strings.Builder) int {
	if l.escapes != nil {
		if n := l.escapes(s, out); n > 0 {
			return n
		}
	}
	switch b := s[1]; b {
	case 'n', 't', 'r', 'a', 'e':
		out.WriteByte("\n\t\r\a\x1b"[strings.IndexByte("ntrae", b)])
	case '\n':
	case 'x', 'u', 'U':
		if len(s) > 2 && s[2] == '{' {
			n := recipes.Digits(s, 3, 8, 16, out)
			if n < len(s) && s[n] == '}' {
				n++
			}
			return n
		}
		return recipes.Digits(s, 2, 2<<strings.IndexByte("xuU", b), 16, out)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return recipes.Digits(s, 1, 3, 8, out)
	default:
		_, n := utf8.DecodeRuneInString(s[1:])
		out.WriteString(s[1 : 1+n])
		return 1 + n
	}
	return 2
}

// heredoc is a string whose text begins on the next line.
type heredoc struct {
	at     int // index of its token
	end    string
	raw    bool
	indent bool
}

// beginHeredoc notes <<EOT; its text is read at the end of the line.
func (l *lexer) beginHeredoc(pos int) bool {
	rest := l.src[pos+len(l.heredoc):]
	h := heredoc{}
	if l.heredoc == "<<<" { // of PHP
		h.indent = true
		rest = strings.TrimLeft(rest, " \t")
	} else if rest != "" && (rest[0] == '~' || rest[0] == '-') {
		h.indent = true
		rest = rest[1:]
	}
	if rest == "" || pos > l.lastLine {
		return false
	}
	switch q := rest[0]; {
	case q == '"' || q == '\'' || q == '`':
		end := strings.IndexByte(rest[1:], q)
		if end < 0 {
			return false
		}
		h.end, h.raw = rest[1:1+end], q == '\''
		rest = rest[end+2:]
	case q >= 'A' && q <= 'Z' || q == '_' || q >= 'a' && q <= 'z' && h.indent:
		end := 0
		for end < len(rest) && within.NameByte(rest[end]) {
			end++
		}
		h.end, rest = rest[:end], rest[end:]
	default:
		return false
	}
	l.i = len(l.src) - len(rest)
	h.at = len(l.out)
	l.add(Text, "", pos)
	l.heredocs = append(l.heredocs, h)
	return true
}

// takeHeredocs reads the texts of the here-documents of the line before.
func (l *lexer) takeHeredocs() {
	for _, h := range l.heredocs {
		start := l.i
		for done := false; !done; {
			line, _, found := strings.Cut(l.src[l.i:], "\n")
			next := l.i + len(line)
			if found {
				next++
			}
			stop := strings.TrimRight(line, "\r")
			if h.indent {
				stop = strings.TrimLeft(stop, " \t")
			}
			text := l.src[start:l.i]
			switch {
			case stop == h.end:
				l.i, done = next, true
			case l.heredoc == "<<<" && strings.HasPrefix(stop, h.end) && !within.IsName(stop[len(h.end):]): // EOT;
				l.i, done = l.i+strings.Index(line, h.end)+len(h.end), true
			default:
				if l.i = next; next >= len(l.src) {
					text, done = l.src[start:], true
				}
			}
			if done {
				l.fillHeredoc(h, text)
			}
		}
	}
	l.heredocs = l.heredocs[:0]
}

func (l *lexer) fillHeredoc(h heredoc, text string) {
	t := &l.out[h.at]
	if h.raw {
		t.Text = text
		return
	}
	t.Text, t.Parts = l.decode(text, true, true)
}
