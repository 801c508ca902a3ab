// Package document reads JSON with comments, TOML and YAML into one kind of tree
// that knows on which line everything stands, so that who reads another system's
// settings need not care in which of them they are written.
package document

import (
	"bytes"
	"fmt"
)

// Kind is what a node is.
type Kind uint8

// The kinds.
const (
	Null Kind = iota
	Bool
	Number
	Text
	List
	Map
)

func (k Kind) String() string {
	return [...]string{"null", "true or false", "a number", "text", "a list", "a mapping"}[k]
}

// Node is a value. A nil Node is one that is not there: it has no entries and no
// text.
type Node struct {
	Line    int
	Kind    Kind
	Text    string // of a scalar, as it is meant; true and false of a Bool
	Items   []*Node
	Members []Member
}

// Member is one entry of a mapping, in the order of the file.
type Member struct {
	Key   string
	Line  int
	Value *Node
}

// Problem is why a file cannot be read.
type Problem struct {
	Line    int
	Column  int // 0 if it is not known
	Message string
}

// Error begins with the place, so that it can stand behind the name of a file.
func (p *Problem) Error() string {
	if p.Column > 0 {
		return fmt.Sprintf("%d:%d: %s", p.Line, p.Column, p.Message)
	}
	return fmt.Sprintf("%d: %s", p.Line, p.Message)
}

// Wrong says what is wrong on a line.
func Wrong(line int, format string, args ...any) *Problem {
	return &Problem{Line: max(line, 1), Message: fmt.Sprintf(format, args...)}
}

// Get is the value under a path of keys, nil if there is none.
func (n *Node) Get(keys ...string) *Node {
	for _, key := range keys {
		if n == nil {
			return nil
		}
		var found *Node
		for i := range n.Members {
			if n.Members[i].Key == key {
				found = n.Members[i].Value
			}
		}
		n = found
	}
	return n
}

// String is the text of a scalar, "" of everything else.
func (n *Node) String() string {
	if n == nil {
		return ""
	}
	return n.Text
}

// Is reports whether a value is there and of this kind.
func (n *Node) Is(kind Kind) bool { return n != nil && n.Kind == kind }

// True reports whether a value is true.
func (n *Node) True() bool { return n.Is(Bool) && n.Text == "true" }

// Entries are the members of a mapping.
func (n *Node) Entries() []Member {
	if n == nil {
		return nil
	}
	return n.Members
}

// Many are the items of a list, or the one value that stands in place of a list.
func (n *Node) Many() []*Node {
	switch {
	case n == nil || n.Kind == Null:
		return nil
	case n.Kind == List:
		return n.Items
	}
	return []*Node{n}
}

// Texts are the texts of a list, or of the one value that stands for it.
func (n *Node) Texts() ([]string, error) {
	var out []string
	for _, item := range n.Many() {
		if item.Kind != Text {
			return nil, Wrong(item.Line, "found %s, expected text", item.Kind)
		}
		out = append(out, item.Text)
	}
	return out, nil
}

// Listed are the items of what has to be a list of texts, such as rules.
func (n *Node) Listed(what, item string) ([]*Node, error) {
	if err := n.Want(what, List); err != nil {
		return nil, err
	}
	for _, i := range n.Many() {
		if i.Kind != Text {
			return nil, Wrong(i.Line, "%s is %s, expected text", item, i.Kind)
		}
	}
	return n.Many(), nil
}

// Want is an error if a value is there and of another kind.
func (n *Node) Want(what string, kind Kind) error {
	if n == nil || n.Kind == kind || n.Kind == Null {
		return nil
	}
	return Wrong(n.Line, "%s is %s, expected %s", what, n.Kind, kind)
}

// deepest is how deep a file may nest, largest how large it may be.
const (
	deepest = 100
	largest = 4 << 20
)

func lineAt(data []byte, offset int) int {
	return 1 + bytes.Count(data[:min(max(offset, 0), len(data))], []byte("\n"))
}
