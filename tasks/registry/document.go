package registry

import (
	"fmt"
	"os"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// maxFile bounds a file. YAML is taken as plain data (yamldoc.Plain).
const maxFile = 1 << 20

// Problem is a mistake in a file of the registry.
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

// Problems lists all mistakes.
type Problems []Problem

func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, one := range p {
		lines[i] = one.Error()
	}
	return strings.Join(lines, "\n")
}

// document is a file, with the positions of its values.
type document struct {
	name     string // relative to the repository
	root     ast.Node
	problems *Problems
}

func (d *document) file() string { return d.name }

// fail reports a problem at a path in the file, such as $.impl.kind. For a path that does
// not exist, it takes the position of the innermost part that does.
func (d *document) fail(place, format string, args ...any) {
	*d.problems = append(*d.problems, d.problem(place, fmt.Sprintf(format, args...)))
}

func (d *document) problem(place, message string) Problem {
	p := Problem{File: d.name, Message: message}
	for p.Line == 0 && place != "" && d.root != nil {
		if path, err := yaml.PathString(place); err == nil {
			if n, err := path.FilterNode(d.root); err == nil && n != nil && n.GetToken() != nil {
				p.Line, p.Column = n.GetToken().Position.Line, n.GetToken().Position.Column
			}
		}
		place = place[:max(strings.LastIndexAny(place, ".["), 0)]
	}
	if p.Line == 0 {
		p.Line, p.Column = 1, 1
	}
	return p
}

// read fills a value from a file, strictly. If it cannot, it reports why and returns nil.
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
	root, wrong := yamldoc.ParsePlain(data)
	switch {
	case wrong != nil:
	case root == nil:
		return refuse(1, 1, "expected one YAML document that is not empty")
	default:
		d.root = root
		if err := yaml.NodeToValue(root, into, yaml.Strict()); err != nil {
			wrong = yamldoc.Syntax(err)
		}
	}
	if wrong != nil {
		return refuse(wrong.Line, wrong.Column, "%s", wrong.Message)
	}
	return d
}
