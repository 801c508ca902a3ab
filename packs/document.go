package packs

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// value is a part of a YAML document with its position. YAML is taken as
// plain data: no anchors, aliases, tags or merge keys, and no key twice.
type value struct {
	place
	at   any // string, int64, bool, nil, []*value, map[string]*value; float64 for other numbers
	keys []string
}

const maxManifest = 64 << 10

// parse reads a document. If it cannot, it reports why and returns nil.
func (r *report) parse(file string, data []byte) *value {
	top := place{file: file}
	if len(data) > maxManifest {
		r.add(Error, "manifest_unreadable", top, "the file has more than %d bytes", maxManifest)
		return nil
	}
	root, wrong := yamldoc.ParsePlain(data)
	switch {
	case wrong != nil:
		code := "manifest_unreadable"
		if wrong.Twice {
			code = "duplicate_key"
		}
		top.path, top.line, top.column = wrong.Path, wrong.Line, wrong.Column
		r.add(Error, code, top, "%s", wrong.Message)
		return nil
	case root == nil:
		r.add(Error, "manifest_unreadable", top, "expected one YAML document that is not empty")
		return nil
	}
	return valueOf(root, top)
}

// valueOf turns a plain node into a value.
func valueOf(n ast.Node, at place) *value {
	mark := yamldoc.MarkOf(n)
	at.line, at.column = mark.Line, mark.Column
	v := &value{place: at}
	if list, ok := yamldoc.Pairs(n); ok {
		m := make(map[string]*value, len(list))
		v.at = m
		for _, kv := range list {
			name, in := kv.Key.GetToken().Value, at
			in.path = strings.TrimPrefix(at.path+"."+name, ".")
			m[name] = valueOf(kv.Value, in)
			key := yamldoc.MarkOf(kv.Key)
			if m[name].at == nil { // an empty value has no position
				m[name].line, m[name].column = key.Line, key.Column
			}
			v.keys = append(v.keys, name)
		}
		return v
	}
	if text, ok := yamldoc.Text(n); ok {
		v.at = text
		return v
	}
	switch n := n.(type) {
	case *ast.SequenceNode:
		list := make([]*value, len(n.Values))
		for i, e := range n.Values {
			in := at
			in.path = fmt.Sprintf("%s[%d]", at.path, i)
			list[i] = valueOf(e, in)
		}
		v.at = list
	case *ast.BoolNode:
		v.at = n.Value
	case *ast.FloatNode:
		v.at = n.Value
	case *ast.IntegerNode:
		switch i := n.Value.(type) {
		case int64:
			v.at = i
		case uint64:
			v.at = int64(i)
			if i > 1<<62 {
				v.at = float64(i)
			}
		}
	}
	return v
}
