package backtest

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/handlers/rule"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/plan"
)

// holes are the parts of an event that something was taken out of.
type holes struct {
	inputs []string // arguments of the call, by name
	acts   bool     // what the call does: its command, its paths, its address
	text   bool     // what it writes
	prompt bool
	output bool
	other  bool // something else of the payload
}

func holesOf(ev *trammel.Event) (h holes) {
	if t := ev.Tool; t != nil {
		a := &t.Action
		for name, v := range t.Input {
			if marked(v) {
				h.inputs = append(h.inputs, name)
			}
		}
		h.text = marked(a.Content)
		h.acts = slices.ContainsFunc(append([]string{a.Command, a.Dir, a.URL, a.Query}, a.Paths...), secret.Marked)
		if len(h.inputs) > 0 && (a.Kind == trammel.OtherAction || a.Kind == trammel.MCPAction || !h.text) {
			h.acts = true // all texts of such a call say what it does
		}
		h.output = marked(t.Output) || marked(t.Error) || marked(t.Response)
	}
	h.prompt = ev.Prompt != nil && marked(ev.Prompt.Text)
	h.other = len(h.inputs) == 0 && !h.prompt && !h.output || marked(ev.Fields)
	return h
}

// reader is what a hook looks at.
type reader struct {
	all   bool // a built-in: whatever it likes
	names []string
	acts  bool // its match is about what the call does
}

func readerOf(h *plan.Hook) reader {
	if h.Kind != "rule" {
		return reader{all: true}
	}
	config, err := rule.Read(h.Config)
	if err != nil {
		return reader{all: true}
	}
	spec := h.Match.Spec()
	r := reader{acts: !spec.Empty() || !config.Match.Empty() || config.Each}
	if r.names, err = config.Names(); err != nil {
		r.all = true
	}
	return r
}

// sees reports whether the hook looks at something that was taken out.
func (r *reader) sees(h *holes) bool {
	if r.all || r.acts && h.acts {
		return true
	}
	return slices.ContainsFunc(r.names, func(name string) bool {
		first, rest, _ := strings.Cut(name, ".")
		switch first {
		case "event", "name", "host", "project", "source", "synthetic":
			return false
		case "input":
			return rest == "" && len(h.inputs) > 0 || slices.Contains(h.inputs, rest)
		case "action":
			return h.acts || h.text
		case "prompt":
			return h.prompt
		case "tool":
			return h.output && rest != "name"
		case "session", "stop", "reason", "facts", "fields":
			return h.other
		}
		return h.acts
	})
}
