package config

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"
	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// Options are a policy's options, kept as they were written until it is known
// which policy they are for.
type Options struct{ node ast.Node }

// maxExpanded limits how many nodes may be read through aliases, so that a few
// lines cannot expand to a billion.
const maxExpanded = 1000

// survey walks a whole document before it is read: it collects the anchors and
// refuses what a configuration must not contain.
func (r *reader) survey(n ast.Node) {
	switch n := n.(type) {
	case *ast.AnchorNode:
		name := n.Name.GetToken().Value
		if _, taken := r.anchors[name]; taken {
			r.fail(n, "", "the anchor %q is defined twice", name)
		}
		r.anchors[name] = n.Value
		r.survey(n.Value)
	case *ast.TagNode:
		r.fail(n, "a value without a tag", "tags are not used here")
	case *ast.MappingNode:
		for _, kv := range n.Values {
			r.surveyPair(kv)
		}
	case *ast.MappingValueNode:
		r.surveyPair(n)
	case *ast.SequenceNode:
		for _, v := range n.Values {
			r.survey(v)
		}
	case *ast.InfinityNode, *ast.NanNode:
		r.fail(n, "a finite number", "this number is not allowed in a configuration")
	}
}

func (r *reader) surveyPair(kv *ast.MappingValueNode) {
	switch key := kv.Key.(type) {
	case *ast.StringNode:
	case *ast.MergeKeyNode:
		r.fail(key, "a key", "merge keys are not used here")
	default:
		r.fail(key, "a key that is plain or quoted text", "this cannot be a key")
	}
	r.survey(kv.Value)
}

// resolve follows anchors and aliases to their node. If there is none, it
// reports that and returns nil.
func (r *reader) resolve(n ast.Node) ast.Node {
	for {
		switch at := n.(type) {
		case *ast.AnchorNode:
			n = at.Value
		case *ast.AliasNode:
			name := at.Value.GetToken().Value
			target, ok := r.anchors[name]
			if !ok {
				r.fail(at, fmt.Sprintf("quotes around text that begins with a star: %q", "*"+name), "there is no anchor %q", name)
				return nil
			}
			if !r.spend(at) {
				return nil
			}
			n = target
		default:
			return n
		}
	}
}

// spend counts a step through an alias, and everything inside.
func (r *reader) spend(n ast.Node) bool {
	if r.expanded++; r.expanded == maxExpanded+1 {
		r.fail(n, "", "aliases expand to more than %d values", maxExpanded)
	}
	return r.expanded <= maxExpanded
}

// value turns a node into a JSON value.
func (r *reader) value(n ast.Node) any {
	if _, alias := n.(*ast.AliasNode); alias {
		r.inAlias++
		defer func() { r.inAlias-- }()
	}
	n = r.resolve(n)
	if n == nil || r.inAlias > 0 && !r.spend(n) {
		return nil
	}
	if t, ok := yamldoc.Text(n); ok {
		return t
	}
	if list, ok := yamldoc.Pairs(n); ok {
		m := make(map[string]any, len(list))
		for _, kv := range list {
			key := kv.Key.GetToken().Value
			if _, twice := m[key]; twice {
				r.fail(kv.Key, "each key once", "the key %q is given twice", key)
			}
			m[key] = r.value(kv.Value)
		}
		return m
	}
	switch n := n.(type) {
	case *ast.SequenceNode:
		list := make([]any, len(n.Values))
		for i, v := range n.Values {
			list[i] = r.value(v)
		}
		return list
	case *ast.BoolNode:
		return n.Value
	case *ast.NullNode:
		return nil
	case *ast.FloatNode:
		return n.Value
	case *ast.IntegerNode:
		switch v := n.Value.(type) {
		case int64, uint64:
			return v
		}
		return fmt.Sprint(n.Value)
	}
	r.fail(n, "a value", "this cannot be a value")
	return nil
}
