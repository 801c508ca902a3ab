package parse

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/shell/compute"
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

// Call are the words of a command that is nothing else, if all are literal.
func Call(s *syntax.Stmt) []string {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(s.Redirs) > 0 || len(call.Args) == 0 || s.Background {
		return nil
	}
	words, _ := Constant(call)
	return words
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

// Placeholders turns placeholders such as <address> into plain words.
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

// Holds reports whether the condition in [[ ]] is true, and whether that is obvious
// from its text.
func Holds(x syntax.TestExpr) (holds, known bool) {
	literal := func(x syntax.TestExpr) (string, bool) {
		w, ok := x.(*syntax.Word)
		if !ok {
			return "", false
		}
		if lit := w.Lit(); lit != "" {
			return lit, true
		}
		return Quoted(w)
	}
	switch x := x.(type) {
	case *syntax.Word:
		text, ok := literal(x)
		return text != "", ok
	case *syntax.ParenTest:
		return Holds(x.X)
	case *syntax.UnaryTest:
		switch text, ok := literal(x.X); {
		case x.Op == syntax.TsNot:
			holds, known := Holds(x.X)
			return !holds, known
		case ok && (x.Op == syntax.TsNempStr || x.Op == syntax.TsEmpStr):
			return (text != "") == (x.Op == syntax.TsNempStr), true
		}
	case *syntax.BinaryTest:
		a, ok := literal(x.X)
		b, ok2 := literal(x.Y)
		if ok && ok2 {
			return compute.Compare(a, x.Op.String(), b)
		}
	}
	return false, false
}

// Breaks reports whether a loop may be left before its end.
func Breaks(body []*syntax.Stmt) bool {
	found := false
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 {
				switch call.Args[0].Lit() {
				case "break", "continue", "return", "exit":
					found = true
				}
			}
			return !found
		})
	}
	return found
}

// Lasting reports whether the redirections of a command stay: exec 3>file.
func Lasting(cmd syntax.Command) bool {
	call, ok := cmd.(*syntax.CallExpr)
	return ok && len(call.Args) == 1 && call.Args[0].Lit() == "exec"
}

// IsDescriptor reports whether the word after >& is a descriptor rather than a file.
func IsDescriptor(s string) bool {
	s = strings.TrimSuffix(s, "-")
	return strings.Trim(s, "0123456789") == "" || strings.HasPrefix(s, "$")
}

// Plain is the short way for the words that most lines are made of.
func Plain(w *syntax.Word) (string, bool) {
	if len(w.Parts) != 1 {
		return "", false
	}
	lit, ok := w.Parts[0].(*syntax.Lit)
	if !ok || lit.Value == "" || strings.ContainsAny(lit.Value, "\\{~") {
		return "", false
	}
	return lit.Value, true
}

// Reads returns the read that is a loop's condition.
func Reads(c *syntax.WhileClause) *syntax.CallExpr {
	if len(c.Cond) != 1 || len(c.Cond[0].Redirs) > 0 {
		return nil
	}
	call, ok := c.Cond[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 || call.Args[0].Lit() != "read" {
		return nil
	}
	return call
}

// IsInput reports whether a redirection is one that a shell prints if it stands alone:
// $(<file).
func IsInput(r *syntax.Redirect) bool {
	return r.Op == syntax.RdrIn || r.Op == syntax.WordHdoc || r.Op == syntax.DplIn
}

// IsPipe reports whether two commands are connected by a pipe.
func IsPipe(c *syntax.BinaryCmd) bool { return c.Op == syntax.Pipe || c.Op == syntax.PipeAll }
