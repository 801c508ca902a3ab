package process

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/internal/yamldoc"
	"github.com/trammel-dev/trammel/packs"
)

const maxFile = 1 << 20

var errOutside = errors.New("the path leads out of the pack")

// inside resolves a path of a pack, including links, to a regular file of the
// pack.
func inside(root, path string) (string, error) {
	real, err := within(root, path)
	if err != nil {
		return "", err
	}
	info, err := os.Lstat(real)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	return real, err
}

// notInPack is the error for a file that is not in the pack.
type notInPack string

func (m notInPack) Error() string        { return "there is no " + string(m) + " in the pack" }
func (m notInPack) Is(target error) bool { return target == os.ErrNotExist }

// within resolves a path of a pack to anything in the pack.
func within(root, path string) (string, error) {
	slashed := strings.ReplaceAll(path, `\`, "/")
	switch {
	case path == "" || strings.ContainsRune(path, 0):
		return "", errors.New("there is no path")
	case strings.HasPrefix(slashed, "/"), strings.HasPrefix(slashed, "~"), len(slashed) > 1 && slashed[1] == ':':
		return "", errors.New("the path is absolute; paths start at the root of the pack")
	case !filepath.IsLocal(filepath.FromSlash(slashed)), slices.Contains(strings.Split(slashed, "/"), ".."):
		return "", errOutside
	}
	real, err := files.Inside(root, slashed)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", notInPack(path)
	case errors.Is(err, files.ErrOutside):
		return "", errOutside
	}
	return real, err
}

// contents reads a file of a pack.
func contents(root, path string) ([]byte, error) {
	real, err := inside(root, path)
	if err != nil {
		return nil, err
	}
	data, err := files.Read(real, maxFile)
	if why, ok := errors.AsType[files.Unfit](err); ok {
		err = fmt.Errorf("%s is %w", path, why)
	}
	return data, err
}

// Document reads a file of a pack as plain data: YAML, or JSON if its name says
// so.
func Document(root, path string) (any, error) {
	data, err := contents(root, path)
	if err != nil {
		return nil, err
	}
	return parse(path, data)
}

// node is a part of a document with its position. A missing part is nil.
type node struct {
	report *Report
	code   string // of errors here
	file   string
	path   string
	at     any // string, int64, float64, bool, nil, []any, map[string]any
}

// open reads a file of a pack as YAML, or as JSON if its name says so.
func (r *Report) open(root, path, code string) (node, bool) {
	n := node{report: r, code: code, file: path}
	data, err := contents(root, path)
	if err == nil {
		n.at, err = parse(path, data)
	}
	if err != nil {
		n.wrong("%v", err)
	}
	return n, err == nil
}

func parse(path string, data []byte) (any, error) {
	if strings.HasSuffix(path, ".json") {
		return strict.Object(data, strict.Limits{})
	}
	root, wrong := yamldoc.ParsePlain(data)
	switch {
	case wrong != nil:
		return nil, fmt.Errorf("line %d: %s", wrong.Line, wrong.Message)
	case root == nil:
		return nil, errors.New("it is empty")
	}
	return plain(root), nil
}

// plain is a YAML node as data.
func plain(n ast.Node) any {
	if pairs, ok := yamldoc.Pairs(n); ok {
		m := make(map[string]any, len(pairs))
		for _, kv := range pairs {
			m[kv.Key.GetToken().Value] = plain(kv.Value)
		}
		return m
	}
	if text, ok := yamldoc.Text(n); ok {
		return text
	}
	switch n := n.(type) {
	case *ast.SequenceNode:
		list := make([]any, len(n.Values))
		for i, e := range n.Values {
			list[i] = plain(e)
		}
		return list
	case *ast.BoolNode:
		return n.Value
	case *ast.FloatNode:
		return n.Value
	case *ast.IntegerNode:
		if u, ok := n.Value.(uint64); ok && u < 1<<63 {
			return int64(u)
		}
		return n.Value
	}
	return nil
}

func (n node) place() string {
	if n.path == "" {
		return n.file
	}
	return n.file + ":" + n.path
}

func (n node) wrong(format string, args ...any) { n.report.wrong(n.code, n.place(), format, args...) }

// with is the same node with another code for errors.
func (n node) with(code string) node {
	n.code = code
	return n
}

// field is a part of a mapping, under the first of its names that exists.
func (n node) field(names ...string) node {
	m, _ := n.at.(map[string]any)
	out := node{n.report, n.code, n.file, strings.TrimPrefix(n.path+"."+names[0], "."), nil}
	for _, name := range names {
		v, there := m[name]
		switch {
		case !there:
		case out.at != nil:
			out.wrong("found twice: also as %s", name)
		default:
			out.at, out.path = v, strings.TrimPrefix(n.path+"."+name, ".")
		}
	}
	return out
}

// need is field, for a required one.
func (n node) need(names ...string) node {
	out := n.field(names...)
	if out.at == nil {
		out.wrong("%s is mandatory", names[0])
	}
	return out
}

// only reads a mapping, and warns of unknown fields.
func (n node) only(known ...string) node {
	if n.at == nil {
		return n
	}
	m, ok := n.at.(map[string]any)
	if !ok {
		n.wrong("expected a mapping")
	}
	for key := range m {
		if !slices.Contains(known, key) {
			at := n.field(key)
			n.report.add(packs.Warning, "unknown_field", at.place(), "unknown field, expected one of %s", strings.Join(known, ", "))
		}
	}
	return n
}

func (n node) text() string {
	s, ok := n.at.(string)
	if n.at != nil && (!ok || strings.ContainsRune(s, 0)) {
		n.wrong("expected text")
	}
	return strings.TrimSpace(s)
}

func (n node) flag() bool {
	b, ok := n.at.(bool)
	if n.at != nil && !ok {
		n.wrong("expected true or false")
	}
	return b
}

func (n node) list() []node {
	list, ok := n.at.([]any)
	if n.at != nil && !ok {
		n.wrong("expected a list")
	}
	out := make([]node, len(list))
	for i, e := range list {
		out[i] = node{n.report, n.code, n.file, fmt.Sprintf("%s[%d]", n.path, i), e}
	}
	return out
}

// names reads a list of names. In the older spelling they are objects with an
// id or a name, or the keys of a mapping.
func (n node) names() (out []string) {
	if m, ok := n.at.(map[string]any); ok {
		for key := range m {
			out = append(out, key)
		}
		slices.Sort(out)
		return out
	}
	if s, ok := n.at.(string); ok {
		return []string{s}
	}
	for _, e := range n.list() {
		if _, ok := e.at.(map[string]any); ok {
			e = e.need("id", "name")
		}
		if s := e.text(); s != "" {
			out = append(out, s)
		} else if e.at == "" || e.at == nil {
			e.wrong("expected a name")
		}
	}
	return out
}
