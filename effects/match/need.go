package match

import (
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel"
)

// Need is a term of a condition that can be evaluated without the expression
// engine: a field, and texts of which one has to match.
type Need struct {
	Field  string // command, prompt, tool, host, event, action, program, args or input.NAME
	Op     Op
	Values []string
}

// Op is how a Need compares.
type Op string

// The comparisons. Has is for args only.
const (
	Eq       Op = "eq"
	Contains Op = "contains"
	Prefix   Op = "prefix"
	Suffix   Op = "suffix"
	Has      Op = "has"
)

// Check says what is wrong with a Need.
func (n *Need) Check() error {
	isArgs := n.Field == "args"
	switch {
	case !isArgs && !isText(n.Field):
		return fmt.Errorf("unknown field %q, expected args, input.NAME, command, prompt, tool, host, event, action or program", n.Field)
	case n.Op == Has != isArgs:
		return fmt.Errorf("op %q does not go with field %q", n.Op, n.Field)
	case n.Op != Has && n.Op != Eq && n.Op != Contains && n.Op != Prefix && n.Op != Suffix:
		return fmt.Errorf("unknown op %q, expected eq, contains, prefix, suffix or has", n.Op)
	case len(n.Values) == 0:
		return fmt.Errorf("no values")
	}
	return nil
}

func isText(field string) bool {
	switch field {
	case "command", "prompt", "tool", "host", "event", "action", "program":
		return true
	}
	return strings.HasPrefix(field, "input.")
}

// Truth is the value of a condition. Unclear means that it is unknown, or that only
// the expression engine can tell.
type Truth uint8

// The truths, from the least on.
const (
	No Truth = iota
	Unclear
	Yes
)

// Holds evaluates the term with program and args bound to w, exactly as the
// expression would. A program that is not known may with w.Loose be any.
func (n *Need) Holds(ev *trammel.Event, w Words) Truth {
	if n.Op == Has {
		return truthOf(w.Has(n.Values...))
	}
	if name, ok := strings.CutPrefix(n.Field, "input."); ok {
		if ev.Tool == nil {
			return No
		}
		switch v := ev.Tool.Input[name].(type) {
		case nil:
			return No
		case string:
			return n.fits(v)
		}
		return Unclear
	}
	if n.Field == "program" && w.Loose && (w.Run == nil || w.Run.Program == "") {
		return Unclear
	}
	text := textField(n.Field, ev, w)
	if n.Field == "program" {
		text = CalledAs(text, n.Values)
	}
	return n.fits(text)
}

func textField(field string, ev *trammel.Event, w Words) string {
	switch field {
	case "host":
		return ev.Host
	case "event":
		return ev.Kind.String()
	case "prompt":
		if ev.Prompt != nil {
			return ev.Prompt.Text
		}
	case "program":
		if w.Run != nil {
			return w.Run.Program
		}
	}
	if ev.Tool != nil {
		switch field {
		case "command":
			return ev.Tool.Action.Command
		case "tool":
			return ev.Tool.Name
		case "action":
			return ev.Tool.Action.Kind.String()
		}
	}
	return ""
}

func (n *Need) fits(text string) Truth {
	for _, v := range n.Values {
		switch {
		case n.Op == Eq && text == v,
			n.Op == Contains && strings.Contains(text, v),
			n.Op == Prefix && strings.HasPrefix(text, v),
			n.Op == Suffix && strings.HasSuffix(text, v):
			return Yes
		}
	}
	return No
}

func truthOf(b bool) Truth {
	if b {
		return Yes
	}
	return No
}
