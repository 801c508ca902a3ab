package hooksfile

import (
	"slices"

	"github.com/goccy/go-yaml/ast"

	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// maxExpanded is the number of nodes that a file may have once its aliases are
// resolved.
const maxExpanded = 20_000

// expansion replaces aliases and merge keys with what their anchors name.
type expansion struct {
	anchors map[string]ast.Node
	nodes   int
	wrong   *yamldoc.Problem
}

// expand is a document without anchors and aliases.
func expand(root ast.Node) (ast.Node, *yamldoc.Problem) {
	e := expansion{anchors: map[string]ast.Node{}}
	out := e.node(root)
	return out, e.wrong
}

func (e *expansion) refuse(n ast.Node, message string) ast.Node {
	if e.wrong == nil {
		e.wrong = &yamldoc.Problem{Mark: yamldoc.MarkOf(n), Expected: "an anchor above, and a file of ordinary size", Message: message}
	}
	return n
}

func (e *expansion) node(n ast.Node) ast.Node {
	if e.nodes++; e.nodes > maxExpanded {
		return e.refuse(n, "the aliases make the file too large")
	}
	switch n := n.(type) {
	case *ast.AnchorNode:
		value := e.node(n.Value) // before its name is known: it cannot contain itself
		e.anchors[n.Name.GetToken().Value] = value
		return value
	case *ast.AliasNode:
		value, known := e.anchors[n.Value.GetToken().Value]
		if !known {
			return e.refuse(n, "there is no anchor of this name above")
		}
		return e.node(value)
	case *ast.SequenceNode:
		copied := *n
		copied.Values = make([]ast.Node, len(n.Values))
		for i, v := range n.Values {
			copied.Values[i] = e.node(v)
		}
		return &copied
	}
	pairs, isMapping := yamldoc.Pairs(n)
	if !isMapping {
		return n
	}
	return e.mapping(n, pairs)
}

// mapping expands a mapping. Its own keys come before those that it merges.
func (e *expansion) mapping(n ast.Node, pairs []*ast.MappingValueNode) ast.Node {
	out := &ast.MappingNode{BaseNode: &ast.BaseNode{}, Start: n.GetToken()}
	var merged []ast.Node
	for _, kv := range pairs {
		if _, merges := kv.Key.(*ast.MergeKeyNode); merges {
			merged = append(merged, oneOrMore(e.node(kv.Value))...)
			continue
		}
		copied := *kv
		copied.Value = e.node(kv.Value)
		out.Values = append(out.Values, &copied)
	}
	for _, from := range merged {
		more, ok := yamldoc.Pairs(from)
		if !ok {
			return e.refuse(from, "only a mapping can be merged")
		}
		for _, kv := range more {
			name := kv.Key.GetToken().Value
			if !slices.ContainsFunc(out.Values, func(own *ast.MappingValueNode) bool { return own.Key.GetToken().Value == name }) {
				out.Values = append(out.Values, kv)
			}
		}
	}
	return out
}
