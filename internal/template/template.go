// Package template writes texts about events, with Go's text/template. What a
// template can name is fixed (Input), so that a mistyped name is an error when
// the configuration is read and not a hole in a prompt.
//
// It is for the full program: the hot one does not link templates.
package template

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/clip"
)

// Template is a text with places for what an event says.
type Template struct{ tmpl *template.Template }

// Values is what happens to values on their way into the text. Both may be nil.
type Values struct {
	// Clean is applied to text before it is cut, so that cutting cannot hide
	// what Clean looks for.
	Clean func(value string) string
	// Place turns a value into what stands in the text for it. before is the
	// text that the value follows.
	Place func(before, value string) string
}

// place is the function that every action ends in.
const place = "trammel_place"

// New reads a template. Functions are toJSON, which writes a value as JSON,
// and truncate N, which cuts a text after N characters.
func New(text string) (*Template, error) {
	t, err := template.New("").Option("missingkey=error").Funcs(template.FuncMap{
		"toJSON": toJSON, "truncate": func(int, any) string { return "" }, place: func(any) string { return "" },
	}).Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "template: "))
	}
	for _, each := range t.Templates() {
		if each.Tree == nil {
			continue
		}
		if err := (&checker{main: each.Name() == ""}).list(each.Root, each.Name() == ""); err != nil {
			return nil, err
		}
	}
	return &Template{t}, nil
}

// Write writes the text for an event. A key that an argument does not have is
// an error.
func (t *Template) Write(ev *trammel.Event, v Values) (string, error) {
	tmpl, err := t.tmpl.Clone()
	if err != nil {
		return "", err
	}
	out := bounded{}
	clean := func(value any) string {
		text := textOf(value)
		if v.Clean != nil {
			text = v.Clean(text)
		}
		return text
	}
	tmpl.Funcs(template.FuncMap{
		"truncate": func(n int, value any) (string, error) { return truncate(n, clean(value)) },
		place: func(value any) string {
			text := clean(value)
			if v.Place != nil {
				text = v.Place(out.String(), text)
			}
			return text
		},
	})
	if err := tmpl.Execute(&out, inputOf(ev)); err != nil {
		return "", fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "template: "))
	}
	return out.String(), nil
}

// maxText bounds what a template can make of an event.
const maxText = 4 << 20

type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxText {
		return 0, fmt.Errorf("the text is longer than %d bytes", maxText)
	}
	return b.Buffer.Write(p)
}

func toJSON(v any) (string, error) {
	switch s := v.(type) {
	case Action:
		v = s.fields()
	case []string:
		if s == nil {
			v = []string{}
		}
	}
	data, err := canonical.Append(nil, v)
	return string(data), err
}

func textOf(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	return fmt.Sprint(v)
}

func truncate(n int, text string) (string, error) {
	if n < 0 {
		return "", fmt.Errorf("truncate %d: expected a number from zero", n)
	}
	return clip.Runes(text, n), nil
}

// checker looks for names that no event has, and lets every action end in the
// function that places its value.
type checker struct{ main bool }

// list goes through a list of nodes. ours is true where the dot is the event.
func (c *checker) list(n *parse.ListNode, ours bool) error {
	if n == nil {
		return nil
	}
	for _, node := range n.Nodes {
		if err := c.node(node, ours); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) node(node parse.Node, ours bool) error {
	switch n := node.(type) {
	case *parse.ActionNode:
		if err := c.pipe(n.Pipe, ours); err != nil {
			return err
		}
		if len(n.Pipe.Decl) == 0 {
			n.Pipe.Cmds = append(n.Pipe.Cmds, &parse.CommandNode{NodeType: parse.NodeCommand, Pos: n.Pos,
				Args: []parse.Node{parse.NewIdentifier(place).SetPos(n.Pos)}})
		}
	case *parse.IfNode:
		return c.branch(&n.BranchNode, ours, ours)
	case *parse.RangeNode:
		return c.branch(&n.BranchNode, ours, false)
	case *parse.WithNode:
		return c.branch(&n.BranchNode, ours, false)
	case *parse.TemplateNode:
		return c.pipe(n.Pipe, ours)
	}
	return nil
}

func (c *checker) branch(n *parse.BranchNode, ours, inside bool) error {
	if err := c.pipe(n.Pipe, ours); err != nil {
		return err
	}
	if err := c.list(n.List, inside); err != nil {
		return err
	}
	return c.list(n.ElseList, ours)
}

func (c *checker) pipe(p *parse.PipeNode, ours bool) error {
	if p == nil {
		return nil
	}
	for _, cmd := range p.Cmds {
		for _, arg := range cmd.Args {
			var err error
			switch a := arg.(type) {
			case *parse.FieldNode:
				if ours {
					err = named(reflect.TypeFor[Input](), a.Ident)
				}
			case *parse.VariableNode:
				if a.Ident[0] == "$" && c.main {
					err = named(reflect.TypeFor[Input](), a.Ident[1:])
				}
			case *parse.PipeNode:
				err = c.pipe(a, ours)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// named checks a chain of names against the type that they start from, as far
// as it is known.
func named(t reflect.Type, names []string) error {
	for _, name := range names {
		if t.Kind() != reflect.Struct {
			return nil
		}
		f, ok := t.FieldByName(name)
		if !ok {
			return fmt.Errorf("unknown name .%s, expected one of %s", name, strings.Join(fields(t), ", "))
		}
		t = f.Type
	}
	return nil
}

func fields(t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		out = append(out, "."+t.Field(i).Name)
	}
	return out
}
