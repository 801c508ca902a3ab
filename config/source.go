package config

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// source is the text of one file, for positions and snippets.
type source struct {
	path  string
	lines []string
	errs  *collector
}

// mark is a place in a source, and what stands there.
type mark struct {
	line, column int
	found        string
	text         string // what a text scalar says
	block        bool   // whether the text begins in the next line
}

func (s *source) fail(at mark, expected, format string, args ...any) {
	text := ""
	if at.line >= 1 && at.line <= len(s.lines) {
		text = s.lines[at.line-1]
	}
	at.column = max(1, min(at.column, utf8.RuneCountInString(text)+1))
	text, caret := window(text, at.column)
	s.errs.add(&Error{File: s.path, Line: max(at.line, 1), Column: at.column, Message: fmt.Sprintf(format, args...),
		Found: at.found, Expected: expected, Text: text, caret: caret})
}

// window is the part of a long line around a column, and the column in it.
func window(text string, column int) (string, int) {
	const most = 160
	runes := []rune(text)
	if len(runes) <= most {
		return text, column
	}
	from := max(0, min(column-most/2, len(runes)-most))
	part := string(runes[from : from+most])
	if from > 0 {
		part, column = "…"+part, column-from+1
	}
	if from+most < len(runes) {
		part += "…"
	}
	return part, column
}

// inside is a place within a text, if the text stands in the source as it is
// read; otherwise it is where the text begins.
func (s *source) inside(at mark, line, column int) mark {
	parts := strings.Split(at.text, "\n")
	row := at.line + line - 1
	if at.block {
		row++
	}
	if line < 1 || line > len(parts) || row > len(s.lines) || strings.TrimSpace(parts[line-1]) == "" {
		return at
	}
	whole, from := s.lines[row-1], 0
	if row == at.line {
		from = len(string([]rune(whole)[:at.column-1]))
	}
	i := strings.Index(whole[from:], parts[line-1])
	if i < 0 {
		return at
	}
	at.line, at.column = row, utf8.RuneCountInString(whole[:from+i])+column
	return at
}

// parse returns the root of the only document of a file, nil if it is empty or
// wrong. A byte order mark and Windows line ends are taken as if they were not there.
func (s *source) parse(data []byte) (root ast.Node) {
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	s.lines = strings.Split(strings.ToValidUTF8(string(data), "\uFFFD"), "\n")
	if !s.readable(data) {
		return nil
	}
	defer func() {
		if p := recover(); p != nil { // the parser has met something its authors had not
			s.fail(mark{line: 1, column: 1}, "", "the file is not YAML that can be read: %v", p)
			root = nil
		}
	}()
	tokens := lexer.Tokenize(string(data))
	if at, why := beyond(tokens); why != "" {
		s.fail(markOf(at), "", "%s", why)
		return nil
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		s.syntax(err)
		return nil
	}
	return s.document(file)
}

// readable checks what the parser takes for granted: that the file is text.
func (s *source) readable(data []byte) bool {
	line, column := 1, 1
	for rest := data; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		at := mark{line: line, column: column, found: fmt.Sprintf("%#U", r)}
		switch {
		case r == utf8.RuneError && size == 1:
			at.found = fmt.Sprintf("the byte 0x%02X", rest[0])
			s.fail(at, "UTF-8", "the file is not UTF-8")
			return false
		case r < ' ' && r != '\t' && r != '\n', 0x7F <= r && r < 0xA0:
			s.fail(at, "text", "the file has a control character")
			return false
		case r == '\n':
			line, column = line+1, 0
		}
		column++
		rest = rest[size:]
	}
	return true
}

// syntax reports what the parser says, at the place it says it about.
func (s *source) syntax(err error) {
	var syntax yaml.Error
	if !errors.As(err, &syntax) {
		s.fail(mark{line: 1, column: 1}, "", "%v", err)
		return
	}
	s.fail(markOf(syntax.GetToken()), "", "%s", syntax.GetMessage())
}

// document returns the body of the only document.
func (s *source) document(file *ast.File) ast.Node {
	var body ast.Node
	for i, doc := range file.Docs {
		if _, ok := doc.Body.(*ast.DirectiveNode); ok {
			s.fail(markOf(doc.Body.GetToken()), "a mapping", "directives are not used here")
			return nil
		}
		if i > 0 {
			at := mark{line: 1, column: 1}
			if doc.Start != nil {
				at = markOf(doc.Start)
			} else if doc.Body != nil {
				at = nodeMark(doc.Body)
			}
			s.fail(at, "one document", "the file has more than one document")
			return nil
		}
		body = doc.Body
	}
	if _, comment := body.(*ast.CommentGroupNode); comment {
		return nil
	}
	return body
}

func markOf(t *token.Token) mark {
	if t == nil || t.Position == nil {
		return mark{line: 1, column: 1}
	}
	return mark{line: t.Position.Line, column: t.Position.Column, found: quoted(visible(t.Value))}
}

// visible drops the space around a token, unless there is nothing else.
func visible(text string) string {
	if inner := strings.TrimSpace(text); inner != "" {
		return inner
	}
	return strings.Trim(text, "\n ")
}

// quoted shows the beginning of a text.
func quoted(text string) string {
	const most = 60
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most]) + "…"
	}
	return fmt.Sprintf("%q", text)
}
