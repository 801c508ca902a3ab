package install

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// document is a host's JSON file, read without losing a byte.
type document struct {
	src  []byte
	root hujson.Value
	obj  *hujson.Object
	layout
}

// parse reads a file that must hold one JSON object, comments and trailing
// commas allowed. Duplicate keys are refused everywhere: it is unknown which
// one a host uses.
func parse(src []byte) (*document, error) {
	if !utf8.Valid(src) {
		return nil, fmt.Errorf("not valid UTF-8")
	}
	if depth(src) > maxDepth {
		return nil, fmt.Errorf("nested more than %d deep", maxDepth)
	}
	// A line comment may end the file; the parser needs a line ending.
	root, err := hujson.Parse(append(bytes.Clone(src), '\n'))
	if err != nil {
		return nil, fmt.Errorf("not valid JSON: %s", strings.TrimPrefix(err.Error(), "hujson: "))
	}
	obj, ok := root.Value.(*hujson.Object)
	if !ok {
		return nil, fmt.Errorf("found %s, expected an object", kindOf(root))
	}
	d := &document{src: src, root: root, obj: obj}
	if err := d.unique(root); err != nil {
		return nil, err
	}
	gap := ""
	if len(obj.Members) > 0 {
		gap = string(obj.Members[0].Name.BeforeExtra)
	}
	d.layout = layoutOf(string(src), gap)
	return d, nil
}

// maxDepth keeps the parser, which is recursive, from exhausting the stack.
const maxDepth = 1000

// depth counts brackets within brackets, outside of strings and comments.
func depth(src []byte) int {
	deepest, at := 0, 0
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case c == '{' || c == '[':
			at++
			deepest = max(deepest, at)
		case c == '}' || c == ']':
			at--
		case c == '"':
			for i++; i < len(src) && src[i] != '"'; i++ {
				if src[i] == '\\' {
					i++
				}
			}
		case c == '/' && bytes.HasPrefix(src[i:], []byte("//")):
			i += index(src[i:], "\n")
		case c == '/' && bytes.HasPrefix(src[i:], []byte("/*")):
			i += 2 + index(src[i+2:], "*/")
		}
	}
	return deepest
}

// index is where s begins, or the end of b.
func index(b []byte, s string) int {
	if i := bytes.Index(b, []byte(s)); i >= 0 {
		return i
	}
	return len(b)
}

func (d *document) unique(v hujson.Value) error {
	switch v := v.Value.(type) {
	case *hujson.Object:
		seen := make(map[string]bool, len(v.Members))
		for i := range v.Members {
			name := nameOf(&v.Members[i])
			if seen[name] {
				return fmt.Errorf("line %d: found the key %q twice, expected every key once", d.line(v.Members[i].Name.StartOffset), name)
			}
			seen[name] = true
			if err := d.unique(v.Members[i].Value); err != nil {
				return err
			}
		}
	case *hujson.Array:
		for i := range v.Elements {
			if err := d.unique(v.Elements[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *document) line(offset int) int { return 1 + bytes.Count(d.src[:offset], []byte("\n")) }

// plainJSON reports whether the document is strict JSON.
func (d *document) plainJSON() bool { return d.root.IsStandard() }

func nameOf(m *hujson.ObjectMember) string { return m.Name.Value.(hujson.Literal).String() }

func find(o *hujson.Object, name string) *hujson.Value {
	for i := range o.Members {
		if nameOf(&o.Members[i]) == name {
			return &o.Members[i].Value
		}
	}
	return nil
}

func kindOf(v hujson.Value) string {
	switch v.Value.Kind() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return "true or false"
}

// valueOf turns a value into what canonical forms are made of.
func valueOf(v hujson.Value) any {
	switch v := v.Value.(type) {
	case *hujson.Object:
		out := make(map[string]any, len(v.Members))
		for i := range v.Members {
			out[nameOf(&v.Members[i])] = valueOf(v.Members[i].Value)
		}
		return out
	case *hujson.Array:
		out := make([]any, len(v.Elements))
		for i := range v.Elements {
			out[i] = valueOf(v.Elements[i])
		}
		return out
	case hujson.Literal:
		switch v.Kind() {
		case '"':
			return v.String()
		case '0':
			return v.Float()
		case 't', 'f':
			return v.Bool()
		}
	}
	return nil
}
