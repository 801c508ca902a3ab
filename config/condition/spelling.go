package condition

import (
	"fmt"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"

	"github.com/trammel-dev/trammel"
)

// checkSpelling compares the words of a condition with the known ones.
func checkSpelling(when string) error {
	tree, err := parse(when, settings())
	if err != nil {
		return err
	}
	words := &spelling{}
	if ast.Walk(&tree.Node, words); words.err != nil {
		return place(words.err.Bind(tree.Source), nil)
	}
	return nil
}

// spelling refuses comparisons with a word that can never occur: an event or an
// action in another system's spelling. Such a rule would have no effect.
type spelling struct{ err *file.Error }

func (s *spelling) Visit(node *ast.Node) {
	n, ok := (*node).(*ast.BinaryNode)
	if !ok || n.Operator != "==" && n.Operator != "!=" && n.Operator != "in" {
		return
	}
	field, words := n.Left, []ast.Node{n.Right}
	if list, ok := n.Right.(*ast.ArrayNode); ok && n.Operator == "in" {
		words = list.Nodes
	} else if _, turned := n.Left.(*ast.StringNode); turned {
		field, words = n.Right, []ast.Node{n.Left}
	}
	name, _ := fieldOf(field)
	for _, w := range words {
		word := textOf(w)
		meant := ""
		switch {
		case word == "":
		case name == "event":
			if kind, known := trammel.ParseKind(word); !known {
				meant = "an event: trammel events lists them"
			} else if kind.String() != word {
				meant = fmt.Sprintf("%q", kind)
			}
		case name == "action":
			if _, err := trammel.ParseActionKind(word); err != nil {
				_, after, _ := strings.Cut(err.Error(), "expected ")
				meant = after
			}
		}
		if meant != "" && s.err == nil {
			s.err = &file.Error{Location: w.Location(), Message: fmt.Sprintf("%s is never %q, expected %s", name, word, meant)}
		}
	}
}
