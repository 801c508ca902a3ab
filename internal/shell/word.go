package shell

import (
	"strings"

	effects "github.com/trammel-dev/trammel/effects/shell"
	"mvdan.cc/sh/v3/syntax"
)

// Word is an argument as the program would see it.
type Word struct {
	// Text has quotes removed and escapes resolved if the word is Static, and
	// is the source text otherwise. Patterns and braces are left as written.
	Text string
	// Static is false when the word contains a parameter or a substitution.
	Static bool

	// value is the text with quotes removed, in which only what is dynamic
	// stands as written. It is what a nested shell would read.
	value string
	// pattern is true when the word has a pattern or braces outside of quotes.
	pattern bool
	// base is true when what follows the last slash is static and nothing
	// before it can be split into several words: "$HOME"/bin/git is git.
	base bool
}

// reader turns the parser's words into ours.
type reader struct {
	*walker
	hidden []string // where the arguments that cannot be seen may come from
	open   bool     // that is anywhere in the source
	buf    strings.Builder

	dynamic, pattern bool
	split            bool // something dynamic stands outside of quotes
	tail             int  // where the last dynamic part ends in buf
}

func (r *reader) word(w *syntax.Word) Word {
	if lit, ok := plain(w); ok {
		return Word{Text: lit, Static: true, value: lit, pattern: hasPattern(lit), base: true}
	}
	r.buf.Reset()
	r.dynamic, r.pattern, r.split, r.tail = false, false, false, 0
	for _, part := range w.Parts {
		r.part(part, false)
	}
	value := r.buf.String()
	out := Word{Text: value, Static: !r.dynamic, value: value, pattern: r.pattern}
	out.base = !r.split && strings.IndexByte(value[r.tail:], '/') >= 0
	if r.dynamic {
		out.Text = slice(r.source, w)
	} else {
		out.base = true
	}
	return out
}

// plain is the short way for the words that most lines are made of.
func plain(w *syntax.Word) (string, bool) {
	if len(w.Parts) != 1 {
		return "", false
	}
	lit, ok := w.Parts[0].(*syntax.Lit)
	if !ok || strings.IndexByte(lit.Value, '\\') >= 0 {
		return "", false
	}
	return lit.Value, true
}

func (r *reader) part(part syntax.WordPart, quoted bool) {
	switch p := part.(type) {
	case *syntax.Lit:
		r.literal(p.Value, quoted)
	case *syntax.SglQuoted:
		if p.Dollar {
			r.buf.WriteString(effects.Unescape(p.Value))
		} else {
			r.buf.WriteString(p.Value)
		}
	case *syntax.DblQuoted:
		for _, inner := range p.Parts {
			r.part(inner, true)
		}
	case *syntax.ExtGlob:
		r.pattern = true
		r.buf.WriteString(slice(r.source, p))
	default: // parameters, substitutions, arithmetic
		r.dynamic = true
		r.split = r.split || !quoted || isList(p)
		text := slice(r.source, p)
		r.buf.WriteString(text)
		r.tail = r.buf.Len()
		r.hide(p, text, quoted)
	}
}

// literal resolves backslashes: outside of quotes they take the meaning from
// any character, in double quotes only from those that have one there.
func (r *reader) literal(s string, quoted bool) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s) && (!quoted || strings.IndexByte("$`\"\\\n", s[i+1]) >= 0):
			i++
			if s[i] != '\n' {
				r.buf.WriteByte(s[i])
			}
			continue
		case !quoted && hasPattern(s[i:i+1]):
			r.pattern = true
		}
		r.buf.WriteByte(c)
	}
}

// document is the text of a here-document. Only a quoted delimiter keeps the
// backslashes in it from meaning anything.
func (r *reader) document(body, delimiter *syntax.Word) string {
	_, bare := plain(delimiter)
	r.buf.Reset()
	for _, part := range body.Parts {
		if lit, ok := part.(*syntax.Lit); ok && !bare {
			r.buf.WriteString(lit.Value)
			continue
		}
		r.part(part, true)
	}
	return r.buf.String()
}

func hasPattern(s string) bool { return strings.ContainsAny(s, "*?[{") }

// slice is the source text of a node.
func slice(src string, n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from > to || to > len(src) {
		return ""
	}
	return src[from:to]
}
