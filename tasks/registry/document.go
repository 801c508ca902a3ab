package registry

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Bounds on a file. YAML is taken as plain data: no anchors, aliases, tags or
// merge keys, so a few lines cannot stand for a billion.
const (
	maxFile  = 1 << 20
	maxDepth = 64
)

// Problem is one thing that is wrong in a file of the registry.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

func (p Problem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// Problems are all the things that are wrong.
type Problems []Problem

func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, one := range p {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// document is one file, with the places of what it says.
type document struct {
	name     string // relative to the repository
	tree     *ast.File
	problems *Problems
}

// fail reports a problem at a place of the file, as in $.impl.kind. A place
// that is not there falls back to what it would be part of.
func (d *document) fail(place, format string, args ...any) {
	p := Problem{File: d.name, Message: fmt.Sprintf(format, args...)}
	for p.Line == 0 && place != "" && d.tree != nil {
		if path, err := yaml.PathString(place); err == nil {
			if n, err := path.FilterFile(d.tree); err == nil && n != nil && n.GetToken() != nil {
				p.Line, p.Column = n.GetToken().Position.Line, n.GetToken().Position.Column
			}
		}
		place = place[:max(strings.LastIndexAny(place, ".["), 0)]
	}
	if p.Line == 0 {
		p.Line, p.Column = 1, 1
	}
	*d.problems = append(*d.problems, p)
}

// read fills a value from a file, strictly. It returns nil, having said why,
// if it cannot.
func read(path, name string, into any, problems *Problems) (d *document) {
	d = &document{name: name, problems: problems}
	refuse := func(line, column int, format string, args ...any) *document {
		*problems = append(*problems, Problem{name, line, column, fmt.Sprintf(format, args...)})
		return nil
	}
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return refuse(0, 0, "%v", err)
	case !info.Mode().IsRegular():
		return refuse(0, 0, "this is not a regular file")
	case info.Size() > maxFile:
		return refuse(0, 0, "the file has more than %d bytes", maxFile)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return refuse(0, 0, "%v", err)
	}
	defer func() {
		if p := recover(); p != nil { // the parser has met something its authors had not
			d = refuse(1, 1, "this is not YAML that can be read: %v", p)
		}
	}()
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return refuse(1, 1, "the file is not UTF-8 text")
	}
	tokens := lexer.Tokenize(string(data))
	if at, why := beyond(tokens); why != "" {
		return refuse(at.Position.Line, at.Position.Column, "%s", why)
	}
	d.tree, err = parser.Parse(tokens, 0)
	if err == nil && (len(d.tree.Docs) != 1 || d.tree.Docs[0].Body == nil) {
		return refuse(1, 1, "expected one YAML document with something in it")
	}
	if err == nil {
		err = yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(into)
	}
	var syntax yaml.Error
	switch {
	case errors.As(err, &syntax) && syntax.GetToken() != nil:
		at := syntax.GetToken().Position
		return refuse(at.Line, at.Column, "%s", syntax.GetMessage())
	case err != nil:
		message, _, _ := strings.Cut(err.Error(), "\n")
		return refuse(1, 1, "%s", message)
	}
	return d
}

// beyond finds what is not plain data, or nested so deep that a parser that
// calls itself is better not asked. Indentation bounds the depth of block
// style, brackets that of flow style.
func beyond(tokens token.Tokens) (*token.Token, string) {
	flow, dashes, line := 0, 0, 0
	for _, t := range tokens {
		if t.Position.Line != line {
			line, dashes = t.Position.Line, 0
		}
		switch t.Type {
		case token.AnchorType, token.AliasType, token.MergeKeyType, token.TagType, token.DirectiveType:
			return t, fmt.Sprintf("%q: anchors, aliases, tags and directives are not used here", t.Value)
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow--
		case token.SequenceEntryType, token.MappingKeyType:
			dashes++
		}
		if flow > maxDepth || dashes > maxDepth || t.Position.Column > 4*maxDepth && t.Type == token.MappingValueType && flow == 0 &&
			indented(t) {
			return t, fmt.Sprintf("nested deeper than %d levels", maxDepth)
		}
	}
	return nil, ""
}

// indented reports whether the key before a colon begins far to the right.
func indented(colon *token.Token) bool {
	return colon.Prev != nil && colon.Prev.Position.Column > 4*maxDepth && colon.Prev.Position.Line == colon.Position.Line
}
