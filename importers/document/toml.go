package document

import (
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// TOML reads TOML.
func TOML(data []byte) (*Node, error) {
	if len(data) > largest {
		return nil, Wrong(1, "the file has more than %d bytes", largest)
	}
	var checked map[string]any // what the parser below takes and the format does not
	if err := toml.Unmarshal(data, &checked); err != nil {
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, _ := at.Position()
			return nil, Wrong(line, "this is not TOML: %s", strings.TrimPrefix(at.Error(), "toml: "))
		}
		return nil, Wrong(1, "this is not TOML: %s", strings.TrimPrefix(err.Error(), "toml: "))
	}
	r := tomlReader{data: data, line: 1}
	r.Reset(data)
	root := &Node{Line: 1, Kind: Map}
	at := root
	for r.NextExpression() {
		e := r.Expression()
		switch e.Kind {
		case unstable.Table:
			at = r.table(root, e, false)
		case unstable.ArrayTable:
			at = r.table(root, e, true)
		case unstable.KeyValue:
			r.set(at, e, 0)
		}
	}
	if err := r.Error(); err != nil {
		return nil, Wrong(r.line, "this is not TOML: %s", strings.TrimPrefix(err.Error(), "toml: "))
	}
	return root, nil
}

type tomlReader struct {
	unstable.Parser
	data []byte
	line int // the last that was seen: not every node knows where it stands
}

// place notes the line of a node that knows it.
func (r *tomlReader) place(n *unstable.Node) int {
	if n.Raw.Length > 0 {
		r.line = lineAt(r.data, int(n.Raw.Offset))
	}
	return r.line
}

// table finds or makes the table that a header names; of a list of tables a new
// one, or the last.
func (r *tomlReader) table(root *Node, e *unstable.Node, listed bool) *Node {
	at, keys := root, e.Key()
	for keys.Next() {
		key := keys.Node()
		line := r.place(key)
		at = at.below(string(key.Data), line, listed && keys.IsLast())
	}
	return at
}

// below is the mapping under a key.
func (n *Node) below(key string, line int, another bool) *Node {
	found := n.Get(key)
	if found == nil {
		if found = (&Node{Line: line, Kind: Map}); another {
			found = &Node{Line: line, Kind: List}
		}
		n.Members = append(n.Members, Member{key, line, found})
	}
	if another {
		found.Items = append(found.Items, &Node{Line: line, Kind: Map})
	}
	if found.Kind == List && len(found.Items) > 0 {
		return found.Items[len(found.Items)-1]
	}
	return found
}

// set reads key = value into a mapping.
func (r *tomlReader) set(at *Node, e *unstable.Node, depth int) {
	keys := e.Key()
	for keys.Next() {
		key := keys.Node()
		line := r.place(key)
		if !keys.IsLast() {
			at = at.below(string(key.Data), line, false)
			continue
		}
		at.Members = append(at.Members, Member{string(key.Data), line, r.value(e.Value(), depth+1)})
	}
}

func (r *tomlReader) value(v *unstable.Node, depth int) *Node {
	n := &Node{Line: r.place(v), Text: string(v.Data)}
	if depth > deepest {
		return n
	}
	switch v.Kind {
	case unstable.String:
		n.Kind = Text
	case unstable.Bool:
		n.Kind = Bool
	case unstable.Integer, unstable.Float:
		n.Kind = Number
	case unstable.Array:
		n.Kind, n.Text = List, ""
		for it := v.Children(); it.Next(); {
			n.Items = append(n.Items, r.value(it.Node(), depth+1))
		}
	case unstable.InlineTable:
		n.Kind, n.Text = Map, ""
		for it := v.Children(); it.Next(); {
			r.set(n, it.Node(), depth)
		}
	default:
		n.Kind = Text // a time
	}
	return n
}
