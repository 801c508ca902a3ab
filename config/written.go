package config

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
)

// Written is a hook that a file of the set declares itself, with the positions
// of its parts.
type Written struct {
	ID     string // under which it runs; the declared one if it does not
	Source trammel.Source
	Status Status
	Why    string  // why it is not in force
	Match  []Value // in the order of the keys

	source *source
	when   mark
}

// Value is one value of a match.
type Value struct {
	Key  string
	Text string // as it is written
	Line int
	// Means is what it compiles to: a tool of an MCP server has several names.
	Means []string
}

// WhenLine is the line in the file of a position in the hook's condition.
func (w *Written) WhenLine(line, column int) int {
	if w.when.Line == 0 {
		return w.Source.Line
	}
	return w.source.original(w.source.inside(w.when, line, column)).Line
}

// WrittenIn lists the hooks that files of the set declare themselves, without
// those of presets and bundles and without repository hooks.
func WrittenIn(set *layers.Set, reg Registry) ([]Written, error) {
	c, err := compile(set, reg)
	if err != nil {
		return nil, err
	}
	var out []Written
	for _, d := range c.decls {
		if d.decl == nil || d.entry.Repository != nil || d.preset || d.bundle != "" {
			continue
		}
		w := Written{ID: d.entry.ID, Source: d.entry.Source, Status: d.entry.Status, Why: d.entry.Why, source: d.source}
		if d.form != nil {
			w.when, _ = d.partMark("when")
			w.Match = c.values(d)
		}
		out = append(out, w)
	}
	return out, nil
}

// values returns the values of a hook's match.
func (c *compiler) values(d *declared) []Value {
	m := d.decl.Match
	if m == nil || d.broken {
		return nil
	}
	names := func(key string, check func(string) (string, string)) func([]Text) []string {
		return func(one []Text) []string { return d.names(key, one, check) }
	}
	tools := func(one []Text) []string { return trammel.ServerTools(d.names("tool", one, toolName), d.form.tightens) }
	out := valuesOf(d, "tool", m.Tool, tools)
	for i, a := range m.Action {
		name := trammel.ActionKind(a).String()
		out = append(out, Value{"action", name, d.lineOf(&m.Action[i]), []string{name}})
	}
	out = append(out, valuesOf(d, "program", m.Program, names("program", programName))...)
	out = append(out, valuesOf(d, "path", m.Path, texts[Glob])...)
	out = append(out, valuesOf(d, "to", m.To, texts[Host])...)
	out = append(out, valuesOf(d, "project", m.Project, texts[Glob])...)
	out = append(out, valuesOf(d, "host", m.Host, c.hosts)...)
	return append(out, valuesOf(d, "agent", m.Agent, names("agent", plainName))...)
}

func valuesOf[T ~string](d *declared, key string, list OneOrMore[T], means func(one []T) []string) []Value {
	var out []Value
	for i := range list {
		out = append(out, Value{key, string(list[i]), d.lineOf(&list[i]), means(list[i : i+1])})
	}
	return out
}

// hosts returns the agents that the names in a match stand for.
func (c *compiler) hosts(list []Text) []string {
	known, _ := c.reg.(agents)
	if known == nil {
		return texts(list)
	}
	var out []string
	for i := range list {
		for _, name := range alternatesOf(string(list[i])) {
			host, _ := hostNamed(name, known.Hosts())
			out = append(out, host)
		}
	}
	return out
}

func (d *declared) lineOf(p any) int { return d.source.original(d.at(p)).Line }
