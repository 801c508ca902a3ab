package importers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// Comments around what was imported, before the name of the source.
const beginMark, endMark = "# begin: imported from ", "# end: imported from "

// Merge puts the hooks of a source into a trammel.yaml, at the end of its hooks
// and between two comments. What is between them already is replaced; everything
// else stays as it is.
func (r *Result) Merge(existing []byte, source string) ([]byte, error) {
	text := string(yamldoc.Clean(existing))
	if strings.TrimSpace(text) == "" {
		text = yamldoc.SchemaLine + "version: 1\nhooks:\n"
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	lines := strings.SplitAfter(text, "\n")
	lines = lines[:len(lines)-1]
	begin, end := beginMark+source, endMark+source
	trimmed := func(want string) func(string) bool {
		return func(line string) bool { return strings.TrimSpace(line) == want }
	}
	if from, to := slices.IndexFunc(lines, trimmed(begin)), slices.IndexFunc(lines, trimmed(end)); from >= 0 || to >= 0 {
		if from < 0 || to < from {
			return nil, fmt.Errorf("%q and %q do not belong together, expected both or none", begin, end)
		}
		lines = slices.Delete(lines, from, to+1)
	}
	if len(r.Hooks) > 0 {
		at, indent, err := hooksEnd(lines)
		if err != nil {
			return nil, err
		}
		if at < 0 {
			lines = append(lines, "hooks:\n")
			at = len(lines)
		}
		block := []string{indent + begin + "\n"}
		for i := range r.Hooks {
			block = append(block, r.Hooks[i].YAML(indent))
		}
		lines = slices.Insert(lines, at, append(block, indent+end+"\n")...)
	}
	out := []byte(strings.Join(lines, ""))
	if _, wrong := yamldoc.Parse(out); wrong != nil {
		return nil, fmt.Errorf("line %d: %s", wrong.Line, wrong.Message)
	}
	return out, nil
}

// hooksEnd is the line at which another hook can be put, and how far the hooks
// are indented; -1 if there are no hooks.
func hooksEnd(lines []string) (at int, indent string, err error) {
	root, wrong := yamldoc.Parse([]byte(strings.Join(lines, "")))
	if wrong != nil {
		return 0, "", fmt.Errorf("line %d: %s", wrong.Line, wrong.Message)
	}
	pairs, ok := yamldoc.Pairs(root)
	if root != nil && !ok {
		return 0, "", errors.New("the file is not a mapping, expected the keys version and hooks")
	}
	for _, kv := range pairs {
		if kv.Key.GetToken().Value != "hooks" {
			continue
		}
		at = yamldoc.MarkOf(kv.Key).Line
		switch value := kv.Value.(type) {
		case *ast.NullNode:
			return at, "  ", nil
		case *ast.SequenceNode:
			if value.IsFlowStyle {
				return 0, "", fmt.Errorf("line %d: the hooks stand in brackets, expected a hook a line: - id: …", at)
			}
			return sequenceEnd(lines, at, value.Start.Position.Column-1)
		}
		return 0, "", fmt.Errorf("line %d: hooks is not a list", at)
	}
	return -1, "  ", nil
}

// sequenceEnd is where a list ends whose items begin in a column.
func sequenceEnd(lines []string, from, column int) (int, string, error) {
	last := from
	for i := from; i < len(lines); i++ {
		content := strings.TrimLeft(lines[i], " ")
		depth := len(lines[i]) - len(content)
		switch {
		case strings.TrimSpace(content) == "":
		case strings.HasPrefix(content, endMark):
			last = i + 1
		case content[0] == '#' && depth <= column: // it may belong to what follows
		case depth > column || depth == column && strings.HasPrefix(content, "-"):
			last = i + 1
		default:
			return last, strings.Repeat(" ", column), nil
		}
	}
	return last, strings.Repeat(" ", column), nil
}
