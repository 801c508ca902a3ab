package parse

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Constant returns the words of a call if all are literal.
func Constant(c *syntax.CallExpr) ([]string, bool) {
	words := make([]string, len(c.Args))
	for i, w := range c.Args {
		switch {
		case len(w.Parts) == 0:
		case w.Lit() != "":
			words[i] = w.Lit()
		default:
			text, ok := Quoted(w)
			if !ok {
				return nil, false
			}
			words[i] = text
		}
	}
	return words, true
}

// Quoted is the text of a word that is one plain or quoted text.
func Quoted(w *syntax.Word) (string, bool) {
	if len(w.Parts) != 1 {
		return "", false
	}
	switch p := w.Parts[0].(type) {
	case *syntax.SglQuoted:
		return p.Value, !p.Dollar
	case *syntax.DblQuoted:
		if len(p.Parts) == 0 {
			return "", true
		}
		if lit, ok := p.Parts[0].(*syntax.Lit); ok && len(p.Parts) == 1 {
			return lit.Value, strings.IndexByte(lit.Value, '\\') < 0
		}
	}
	return "", false
}

// Placeholders makes words of what only stands for one: <address>.
func Placeholders(text string) string {
	for at := 0; ; at++ {
		open := strings.IndexByte(text[at:], '<')
		if open < 0 {
			return text
		}
		at += open
		end := strings.IndexAny(text[at+1:], "> \n<|&;")
		if end > 0 && text[at+1+end] == '>' {
			text = text[:at] + text[at+1:at+1+end] + text[at+2+end:]
		}
	}
}
