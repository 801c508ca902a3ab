package parse

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/trammel-dev/trammel/effects/recipes"
)

// unknownArguments are those that a later call gives to a function.
const unknownArguments = `set -- "$later" "$later" "$later"`

// Later is what a script gives names to, if it does nothing else: the bodies of functions and
// what aliases stand for. In a shell that stays open, a later call uses them.
func Later(s Source) string {
	var out []string
	for _, stmt := range s.File.Stmts {
		switch c := stmt.Cmd.(type) {
		case *syntax.FuncDecl:
			if to := int(c.Body.End().Offset()); to <= len(s.Text) && !(c.Name != nil && recipes.ShellHook(c.Name.Value)) {
				out = append(out, unknownArguments, s.Text[c.Body.Pos().Offset():to])
			}
		case *syntax.DeclClause:
		case *syntax.CallExpr:
			if len(c.Args) == 0 {
				continue // variables are set
			}
			switch c.Args[0].Lit() {
			case "alias":
				for _, w := range c.Args[1:] {
					if text, ok := aliased(w); ok {
						out = append(out, text)
					}
				}
			case "shopt", "set", "unalias":
			default:
				return ""
			}
		default:
			return ""
		}
	}
	return strings.Join(out, "\n")
}

// aliased is what x stands for after alias x='text'.
func aliased(w *syntax.Word) (string, bool) {
	if name, ok := w.Parts[0].(*syntax.Lit); !ok || !strings.HasSuffix(name.Value, "=") || len(w.Parts) != 2 {
		return "", false
	}
	return Quoted(&syntax.Word{Parts: w.Parts[1:]})
}
