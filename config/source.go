package config

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// source is the text of one file, for positions and snippets.
type source struct {
	path  string
	lines []string
	errs  *collector
	from  []int // for a translated text: the lines of the file that its lines come from
}

// original converts a position in the text to one in the file.
func (s *source) original(at mark) mark {
	if at.Line >= 1 && at.Line <= len(s.from) {
		at.Line, at.Column = s.from[at.Line-1], 1
	}
	return at
}

type mark = yamldoc.Mark

func (s *source) fail(at mark, expected, format string, args ...any) {
	text := ""
	at = s.original(at)
	if at.Line >= 1 && at.Line <= len(s.lines) {
		text = s.lines[at.Line-1]
	}
	at.Column = max(1, min(at.Column, utf8.RuneCountInString(text)+1))
	text, caret := window(text, at.Column)
	s.errs.add(&Error{File: s.path, Line: max(at.Line, 1), Column: at.Column, Message: fmt.Sprintf(format, args...),
		Found: at.Found, Expected: expected, Text: text, caret: caret})
}

// Misread returns the error for a problem with a file's text, with the line.
func Misread(path string, data []byte, p *yamldoc.Problem) error {
	var errs collector
	s := &source{path: path, lines: strings.Split(string(data), "\n"), errs: &errs}
	s.fail(p.Mark, p.Expected, "%s", p.Message)
	return errs.list()
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

// inside is a position within a text, if the source has the text literally;
// otherwise it is where the text begins.
func (s *source) inside(at mark, line, column int) mark {
	parts := strings.Split(at.Text, "\n")
	row := at.Line + line - 1
	if at.Block {
		row++
	}
	if line < 1 || line > len(parts) || row > len(s.lines) || strings.TrimSpace(parts[line-1]) == "" {
		return at
	}
	whole, from := s.lines[row-1], 0
	if row == at.Line {
		from = len(string([]rune(whole)[:at.Column-1]))
	}
	i := strings.Index(whole[from:], parts[line-1])
	if i < 0 {
		return at
	}
	at.Line, at.Column = row, utf8.RuneCountInString(whole[:from+i])+column
	return at
}

// parse returns the root of the only document of a file, nil if it is empty or wrong.
func (s *source) parse(data []byte) ast.Node {
	data = yamldoc.Clean(data)
	s.lines = strings.Split(strings.ToValidUTF8(string(data), "\uFFFD"), "\n")
	root, p := yamldoc.Parse(data)
	if p != nil {
		s.fail(p.Mark, p.Expected, "%s", p.Message)
	}
	return root
}
