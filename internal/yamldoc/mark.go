package yamldoc

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/trammel-dev/trammel/internal/clip"
)

// Mark is a place in a document, and the text there.
type Mark struct {
	Line, Column int
	Found        string
	Text         string // what a text scalar says
	Block        bool   // whether the text begins in the next line
}

// Pairs returns the keys and values of a mapping.
func Pairs(n ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	}
	return nil, false
}

// Text returns what a text scalar says.
func Text(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		if n.Value == nil {
			return "", true
		}
		return n.Value.Value, true
	}
	return "", false
}

// MarkOf is where a node begins, and what it is in words.
func MarkOf(n ast.Node) Mark {
	if n == nil {
		return Mark{Line: 1, Column: 1, Found: "nothing"}
	}
	found := "something else"
	switch n := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		found = "a mapping"
		if list, _ := Pairs(n); len(list) > 0 && list[0].Key.GetToken().Position.Line <= n.GetToken().Position.Line && n.GetToken().Value == ":" {
			m := tokenMark(list[0].Key.GetToken())
			m.Found = found
			return m
		}
	case *ast.SequenceNode:
		found = "a list"
	case *ast.NullNode:
		found = "nothing"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		found = "the number " + n.GetToken().Value
	case *ast.BoolNode:
		found = n.GetToken().Value
	case *ast.StringNode:
		found = Quoted(n.Value)
	case *ast.LiteralNode:
		t, _ := Text(n)
		found = Quoted(t)
	case *ast.AliasNode:
		found = "the alias *" + n.Value.GetToken().Value
	case *ast.AnchorNode:
		found = "the anchor &" + n.Name.GetToken().Value
	case *ast.TagNode:
		found = "the tag " + n.GetToken().Value
	case *ast.MergeKeyNode:
		found = "<<"
	case *ast.MappingKeyNode:
		found = "an explicit key"
	}
	m := tokenMark(n.GetToken())
	m.Found = found
	m.Text, _ = Text(n)
	_, m.Block = n.(*ast.LiteralNode)
	return m
}

func tokenMark(t *token.Token) Mark {
	if t == nil || t.Position == nil {
		return Mark{Line: 1, Column: 1}
	}
	return Mark{Line: t.Position.Line, Column: t.Position.Column, Found: Quoted(visible(t.Value))}
}

// visible drops the space around a token, unless there is nothing else.
func visible(text string) string {
	if inner := strings.TrimSpace(text); inner != "" {
		return inner
	}
	return strings.Trim(text, "\n ")
}

// Quoted shows the beginning of a text.
func Quoted(text string) string {
	return fmt.Sprintf("%q", clip.Runes(text, 60))
}
