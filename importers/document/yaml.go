package document

import (
	"github.com/goccy/go-yaml/ast"

	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// YAML reads YAML that is plain data. An empty file is a nil Node.
func YAML(data []byte) (*Node, error) {
	root, wrong := yamldoc.ParsePlain(data)
	if wrong != nil {
		return nil, Wrong(wrong.Line, "%s", wrong.Message)
	}
	return OfYAML(root), nil
}

// OfYAML is a node of a YAML file that was read already.
func OfYAML(n ast.Node) *Node {
	if n == nil {
		return nil
	}
	out := &Node{Line: yamldoc.MarkOf(n).Line}
	if pairs, ok := yamldoc.Pairs(n); ok {
		out.Kind = Map
		for _, kv := range pairs {
			out.Members = append(out.Members, Member{kv.Key.GetToken().Value, yamldoc.MarkOf(kv.Key).Line, OfYAML(kv.Value)})
		}
		return out
	}
	switch n := n.(type) {
	case *ast.SequenceNode:
		out.Kind = List
		for _, item := range n.Values {
			out.Items = append(out.Items, OfYAML(item))
		}
	case *ast.NullNode:
	case *ast.BoolNode:
		out.Kind, out.Text = Bool, n.GetToken().Value
	case *ast.IntegerNode, *ast.FloatNode:
		out.Kind, out.Text = Number, n.GetToken().Value
	default:
		out.Kind = Text
		if text, ok := yamldoc.Text(n); ok {
			out.Text = text
		} else {
			out.Text = n.GetToken().Value
		}
	}
	return out
}
