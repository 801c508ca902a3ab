// Package yamldoc reads YAML that somebody else has written: within bounds that
// are checked before the parser runs, as text only, one document, with the
// place of everything. Who uses it decides what the values mean.
package yamldoc

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
)

// Problem is why a text cannot be read.
type Problem struct {
	Mark
	Expected, Message string
	Path              string // the keys that lead there, if Plain found it
	Twice             bool   // a key is given twice
}

func problem(at Mark, expected, format string, args ...any) *Problem {
	return &Problem{Mark: at, Expected: expected, Message: fmt.Sprintf(format, args...)}
}

// Clean drops a byte order mark and Windows line ends, which are taken as if
// they were not there.
func Clean(data []byte) []byte {
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
}

// Parse returns the root of the only document of a clean text, nil if it is
// empty. Keys that are given twice are left for the caller to find.
func Parse(data []byte) (root ast.Node, p *Problem) {
	if p := readable(data); p != nil {
		return nil, p
	}
	defer func() {
		if failed := recover(); failed != nil { // the parser has met something its authors had not
			root, p = nil, problem(Mark{Line: 1, Column: 1}, "", "the file is not YAML that can be read: %v", failed)
		}
	}()
	tokens := lexer.Tokenize(string(data))
	if at, why := beyond(tokens); why != "" {
		return nil, problem(tokenMark(at), "", "%s", why)
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, Syntax(err)
	}
	return document(file)
}

// ParsePlain returns the root of the only document of a text, if it is plain
// data; nil if it is empty.
func ParsePlain(data []byte) (ast.Node, *Problem) {
	root, p := Parse(Clean(data))
	if p == nil && root != nil {
		p = Plain(root)
	}
	return root, p
}

// Plain finds what is more than plain data: anchors, aliases, tags and merge
// keys, keys that are not text, and keys that are given twice.
func Plain(n ast.Node) *Problem { return plain(n, "") }

func plain(n ast.Node, path string) *Problem {
	refuse := func(at ast.Node, path, expected, format string, args ...any) *Problem {
		p := problem(MarkOf(at), expected, format, args...)
		p.Path = path
		return p
	}
	if list, ok := Pairs(n); ok {
		seen := make(map[string]bool, len(list))
		for _, kv := range list {
			name := kv.Key.GetToken().Value
			below := strings.TrimPrefix(path+"."+name, ".")
			if _, text := kv.Key.(*ast.StringNode); !text {
				return refuse(kv.Key, below, "a key that is plain or quoted text", "this cannot be a key")
			}
			if seen[name] {
				p := refuse(kv.Key, below, "each key once", "the key %q is given twice", name)
				p.Twice = true
				return p
			}
			seen[name] = true
			if p := plain(kv.Value, below); p != nil {
				return p
			}
		}
		return nil
	}
	switch n := n.(type) {
	case *ast.SequenceNode:
		for i, v := range n.Values {
			if p := plain(v, fmt.Sprintf("%s[%d]", path, i)); p != nil {
				return p
			}
		}
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MergeKeyNode, *ast.DirectiveNode:
		return refuse(n, path, "plain data", "anchors, aliases, tags, merge keys and directives are not used here")
	}
	return nil
}

// readable checks what the parser takes for granted: that the file is text.
func readable(data []byte) *Problem {
	line, column := 1, 1
	for rest := data; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		at := Mark{Line: line, Column: column, Found: fmt.Sprintf("%#U", r)}
		switch {
		case r == utf8.RuneError && size == 1:
			at.Found = fmt.Sprintf("the byte 0x%02X", rest[0])
			return problem(at, "UTF-8", "the file is not UTF-8")
		case r < ' ' && r != '\t' && r != '\n', 0x7F <= r && r < 0xA0:
			return problem(at, "text", "the file has a control character")
		case r == '\n':
			line, column = line+1, 0
		}
		column++
		rest = rest[size:]
	}
	return nil
}

// document returns the body of the only document.
func document(file *ast.File) (ast.Node, *Problem) {
	var body ast.Node
	for i, doc := range file.Docs {
		if _, ok := doc.Body.(*ast.DirectiveNode); ok {
			return nil, problem(tokenMark(doc.Body.GetToken()), "a mapping", "directives are not used here")
		}
		if i > 0 {
			at := Mark{Line: 1, Column: 1}
			if doc.Start != nil {
				at = tokenMark(doc.Start)
			} else if doc.Body != nil {
				at = MarkOf(doc.Body)
			}
			return nil, problem(at, "one document", "the file has more than one document")
		}
		body = doc.Body
	}
	if _, comment := body.(*ast.CommentGroupNode); comment {
		return nil, nil
	}
	return body, nil
}
