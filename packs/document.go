package packs

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// value is a part of a YAML document that knows its place. YAML is taken as
// plain data: no anchors, aliases, tags or merge keys, and no key twice.
type value struct {
	place
	at   any // string, int64, bool, nil, []*value, map[string]*value; float64 for other numbers
	keys []string
}

const maxManifest = 64 << 10

// parse reads a document. It returns nil, having said why, if it cannot.
func (r *report) parse(file string, data []byte) (v *value) {
	top := place{file: file}
	if len(data) > maxManifest {
		r.add(Error, "manifest_unreadable", top, "the file has more than %d bytes", maxManifest)
		return nil
	}
	if deep(data) || !utf8.Valid(data) {
		r.add(Error, "manifest_unreadable", top, "expected UTF-8 with nothing nested deeper than %d levels", maxManifestDepth)
		return nil
	}
	defer func() {
		if p := recover(); p != nil { // the parser has met something its authors had not
			r.add(Error, "manifest_unreadable", top, "this is not YAML that can be read: %v", p)
			v = nil
		}
	}()
	doc, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		message, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
		r.add(Error, "manifest_unreadable", top, "%s", message)
		return nil
	}
	if len(doc.Docs) != 1 || doc.Docs[0].Body == nil {
		r.add(Error, "manifest_unreadable", top, "expected one YAML document with something in it")
		return nil
	}
	before := len(r.list)
	v = r.node(doc.Docs[0].Body, top, 0)
	if len(r.list) > before {
		return nil
	}
	return v
}

const maxManifestDepth = 32

// deep reports whether the text may be nested so deep that the parser, which
// calls itself for every level, is better not asked. It errs on this side.
func deep(data []byte) bool {
	open := 0
	for line := range bytes.Lines(data) {
		rest := bytes.TrimLeft(line, " -?:")
		if lead := line[:len(line)-len(rest)]; bytes.ContainsAny(lead, "-?:") && len(lead) > 4*maxManifestDepth ||
			bytes.Count(lead, []byte("- ")) > maxManifestDepth {
			return true
		}
		open += bytes.Count(rest, []byte("[")) + bytes.Count(rest, []byte("{")) - bytes.Count(rest, []byte("]")) - bytes.Count(rest, []byte("}"))
		if open = max(open, 0); open > maxManifestDepth || bytes.Count(rest, []byte("[")) > 10*maxManifestDepth ||
			bytes.Count(rest, []byte("{")) > 10*maxManifestDepth {
			return true
		}
	}
	return false
}

func (r *report) node(n ast.Node, at place, depth int) *value {
	if t := n.GetToken(); t != nil && t.Position != nil {
		at.line, at.column = t.Position.Line, t.Position.Column
	}
	v := &value{place: at}
	if depth > maxManifestDepth {
		r.add(Error, "manifest_unreadable", at, "nested deeper than %d levels", maxManifestDepth)
		return v
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		r.mapping(n.Values, v, depth)
	case *ast.MappingValueNode:
		r.mapping([]*ast.MappingValueNode{n}, v, depth)
	case *ast.SequenceNode:
		list := make([]*value, len(n.Values))
		for i, e := range n.Values {
			in := at
			in.path = fmt.Sprintf("%s[%d]", at.path, i)
			list[i] = r.node(e, in, depth+1)
		}
		v.at = list
	case *ast.StringNode:
		v.at = n.Value
	case *ast.LiteralNode:
		v.at = n.Value.Value
	case *ast.BoolNode:
		v.at = n.Value
	case *ast.NullNode:
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
	default:
		r.add(Error, "manifest_unreadable", at, "anchors, aliases, tags and merge keys are not used here")
	}
	return v
}

func (r *report) mapping(pairs []*ast.MappingValueNode, v *value, depth int) {
	m := make(map[string]*value, len(pairs))
	v.at = m
	for _, kv := range pairs {
		in := v.place
		name := kv.Key.GetToken().Value
		if t := kv.Key.GetToken(); t.Position != nil {
			in.line, in.column = t.Position.Line, t.Position.Column
		}
		in.path = strings.TrimPrefix(v.path+"."+name, ".")
		if _, ok := kv.Key.(*ast.StringNode); !ok {
			r.add(Error, "manifest_unreadable", in, "expected a key that is plain or quoted text")
			continue
		}
		if _, twice := m[name]; twice {
			r.add(Error, "duplicate_key", in, "the key is given twice")
			continue
		}
		m[name] = r.node(kv.Value, in, depth+1)
		v.keys = append(v.keys, name)
	}
}
