package config

import (
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// reader fills Go values from a document, strictly: every key must be known,
// every value of the right type. It remembers the position of each value, by
// the address that it filled; so values are never copied afterwards.
type reader struct {
	*source
	marks    map[any]mark
	entries  map[entry]mark // of mappings with free keys
	path     []string       // the keys of the value that is being read
	broken   map[any]bool   // structs with an error inside
	anchors  map[string]ast.Node
	enum     string // the words that the current field can be
	options  bool   // these are a policy's options
	inAlias  int
	expanded int
}

// entry is a key of a mapping, by the mapping's address.
type entry struct {
	mapping any
	key     string
}

// document is a file that has been read.
type document struct {
	*reader
	File
}

const missingVersion = "the version of the format is missing"

// read reads one file. Errors are in errs.
func read(path string, data []byte, errs *collector) *document {
	d := &document{reader: newReader(path, errs)}
	before := errs.total
	root := d.surveyed(data)
	if root == nil {
		return d
	}
	d.into(root, reflect.ValueOf(&d.File).Elem())
	if !d.has(&d.Version) && errs.total == before {
		at := yamldoc.MarkOf(root)
		at.Found = ""
		d.source.fail(at, "version: 1", missingVersion)
	}
	return d
}

func newReader(path string, errs *collector) *reader {
	return &reader{
		source:  &source{path: path, errs: errs},
		marks:   map[any]mark{},
		entries: map[entry]mark{},
		broken:  map[any]bool{},
		anchors: map[string]ast.Node{},
	}
}

// surveyed parses a file, and returns nil if nothing in it can be read.
func (r *reader) surveyed(data []byte) ast.Node {
	root := r.parse(data)
	if root == nil {
		return nil
	}
	before := r.errs.total
	r.survey(root)
	if r.errs.total > before {
		return nil
	}
	return root
}

func (r *reader) fail(n ast.Node, expected, format string, args ...any) {
	r.source.fail(yamldoc.MarkOf(n), expected, format, args...)
}

// wrong reports a value that does not fit its key.
func (r *reader) wrong(n ast.Node, expected, format string, args ...any) {
	what := cmp.Or(strings.TrimPrefix(strings.Join(r.path, ""), "."), "the file")
	r.fail(n, expected, "%s %s", what, fmt.Sprintf(format, args...))
}

// under reads below a key or an index.
func (r *reader) under(step string, read func()) {
	r.path = append(r.path, step)
	read()
	r.path = r.path[:len(r.path)-1]
}

// at is the position of the value behind a pointer.
func (r *reader) at(p any) mark { return r.marks[p] }

// has reports whether the value behind a pointer was given.
func (r *reader) has(p any) bool { _, ok := r.marks[p]; return ok }

// shortened is a struct that may be written as just one of its fields.
type shortened interface{ short() any }

// into reads a node into an addressable value.
func (r *reader) into(n ast.Node, v reflect.Value) {
	p := v.Addr().Interface()
	r.marks[p] = yamldoc.MarkOf(n)
	if _, alias := n.(*ast.AliasNode); alias {
		r.inAlias++
		defer func() { r.inAlias-- }()
	}
	if n = r.resolve(n); n == nil || r.inAlias > 0 && !r.spend(n) {
		return
	}
	switch p := p.(type) {
	case word:
		r.word(n, p)
		return
	case *Choice:
		r.word(n, chosen{p, strings.Split(r.enum, ",")})
		return
	case *Options:
		p.node = n
		if _, ok := yamldoc.Pairs(n); !ok {
			r.wrong(n, "a mapping of options", "is of the wrong type")
		}
		return
	case json.Unmarshaler, encoding.TextUnmarshaler: // a policy's own type, which checks itself
		r.value(n)
		return
	case interface{ oneOrMore() }:
		if _, list := n.(*ast.SequenceNode); !list {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			r.into(n, v.Index(0))
			return
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		r.into(n, v.Elem())
	case reflect.Struct:
		r.structure(n, v)
	case reflect.Slice, reflect.Array:
		if _, list := n.(*ast.SequenceNode); !list && r.options && v.Kind() == reflect.Slice { // one value means a list of one
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			r.into(n, v.Index(0))
			return
		}
		r.list(n, v)
	case reflect.Map:
		r.mapping(n, v)
	case reflect.Interface:
		if value := r.value(n); value != nil {
			v.Set(reflect.ValueOf(value))
		}
	default:
		r.scalar(n, v)
	}
}

func (r *reader) word(n ast.Node, w word) {
	s, ok := yamldoc.Text(n)
	if w, can := w.(numeric); can {
		ok = ok && !w.numeric()
		if _, number := n.(*ast.IntegerNode); number {
			s, ok = n.GetToken().Value, true
		}
	}
	switch {
	case !ok:
		r.wrong(n, w.wants(), "is of the wrong type")
	case s == "" && !w.parse(s):
		r.wrong(n, w.wants(), "is empty")
	case !w.parse(s):
		r.wrong(n, w.wants(), "has a wrong value%s", didYouMean(s, alternatives(w)))
	}
}

func (r *reader) structure(n ast.Node, v reflect.Value) {
	p := v.Addr().Interface()
	fields := fieldsOf(v.Type())
	list, ok := yamldoc.Pairs(n)
	if !ok {
		r.broken[p] = true
		wants := "a mapping with any of the keys " + strings.Join(fields.names, ", ")
		if s, can := p.(shortened); can {
			if _, isText := yamldoc.Text(n); isText {
				before := r.errs.total
				r.into(n, reflect.ValueOf(s.short()).Elem())
				r.broken[p] = r.errs.total > before
				return
			}
			wants = "text or " + wants
		}
		r.wrong(n, wants, "is of the wrong type")
		return
	}
	before := r.errs.total
	seen := map[string]mark{}
	for _, kv := range list {
		key := kv.Key.GetToken().Value
		if old, twice := seen[key]; twice {
			r.fail(kv.Key, "each key once", "the key %q is given twice, first in line %d", key, old.Line)
			continue
		}
		seen[key] = yamldoc.MarkOf(kv.Key)
		field, ok := fields.byName[key]
		if !ok {
			r.fail(kv.Key, "one of "+strings.Join(fields.names, ", "), "unknown key %q%s", key, didYouMean(key, fields.names))
			continue
		}
		r.enum = field.Tag.Get("enum")
		r.under("."+key, func() { r.into(kv.Value, v.FieldByIndex(field.Index)) })
	}
	for _, name := range fields.required {
		if _, ok := seen[name]; !ok {
			r.source.fail(yamldoc.Mark{Line: yamldoc.MarkOf(n).Line, Column: yamldoc.MarkOf(n).Column}, "", "the key %q is missing", name)
		}
	}
	if r.errs.total > before {
		r.broken[p] = true
	}
}

func (r *reader) list(n ast.Node, v reflect.Value) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		r.wrong(n, "a list, in [ ] or with a dash before each item", "is of the wrong type")
		return
	}
	if v.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(v.Type(), len(list.Values), len(list.Values)))
	}
	for i, e := range list.Values {
		if i >= v.Len() {
			r.fail(e, "a list of "+strconv.Itoa(v.Len()), "the list is too long")
			return
		}
		r.under("["+strconv.Itoa(i)+"]", func() { r.into(e, v.Index(i)) })
	}
}

func (r *reader) mapping(n ast.Node, v reflect.Value) {
	list, ok := yamldoc.Pairs(n)
	if !ok {
		r.wrong(n, "a mapping", "is of the wrong type")
		return
	}
	v.Set(reflect.MakeMapWithSize(v.Type(), len(list)))
	for _, kv := range list {
		key := reflect.New(v.Type().Key())
		if w, ok := key.Interface().(word); ok {
			r.word(kv.Key, w)
		} else if key.Elem().Kind() == reflect.String {
			key.Elem().SetString(kv.Key.GetToken().Value)
		}
		if v.MapIndex(key.Elem()).IsValid() {
			r.fail(kv.Key, "each key once", "the key %q is given twice", kv.Key.GetToken().Value)
		}
		value := reflect.New(v.Type().Elem())
		name := kv.Key.GetToken().Value
		r.entries[entry{v.Addr().Interface(), name}] = yamldoc.MarkOf(kv.Value)
		r.under("."+name, func() { r.into(kv.Value, value.Elem()) })
		v.SetMapIndex(key.Elem(), value.Elem())
	}
}
