package rule

import (
	"fmt"
	"reflect"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/internal/shell"
)

// deed is what a rule does.
type deed string

const (
	deny       deed = "deny"
	ask        deed = "ask"
	allow      deed = "allow"
	addContext deed = "context"
	rewrite    deed = "rewrite"
)

// effect is what a rule answers with, compiled.
type effect struct {
	reason, text template
	input        map[string]*expression
	output       *expression
}

func compileEffect(c *Config) (*effect, error) {
	e := &effect{}
	var err error
	if e.reason, err = compileTemplate(c.Reason); err != nil {
		return nil, at("reason", err)
	}
	if e.text, err = compileTemplate(c.Text); err != nil {
		return nil, at("text", err)
	}
	if len(c.Input) > 0 {
		e.input = make(map[string]*expression, len(c.Input))
	}
	for _, name := range c.inputNames() {
		if e.input[name], err = compileAt("input."+name, c.Input[name], reflect.Invalid); err != nil {
			return nil, err
		}
	}
	if c.Output != "" {
		e.output, err = compileAt("output", c.Output, reflect.Invalid)
	}
	return e, err
}

func (t *trial) answer(c *shell.Command) (trammel.Answer, error) {
	e, err := t.effect()
	if err != nil {
		return trammel.Answer{}, trammel.Fail(trammel.CodeConfig, "%w", err)
	}
	var a trammel.Answer
	switch t.deed {
	case deny:
		a.Decision = trammel.Deny
	case ask:
		a.Decision = trammel.Ask
	case allow:
		a.Decision = trammel.Allow
	case addContext:
		text, failed := t.fill(e.text, c)
		a.Context, a.Diagnostics = []string{text}, failed
	case rewrite:
		if err := t.rewrite(e, c, &a); err != nil {
			return trammel.Answer{}, err
		}
	}
	if a.Decision != trammel.None {
		var failed []string
		a.Reason, failed = t.fill(e.reason, c)
		a.Diagnostics = append(a.Diagnostics, failed...)
		if a.Reason == "" {
			a.Reason = t.defaultReason()
		}
	}
	if f := t.config.Finding; f != nil {
		a.Findings = []trammel.Finding{{Code: f.Code, Severity: f.Severity, Target: t.target(c)}}
	}
	return a, nil
}

func (t *trial) rewrite(e *effect, c *shell.Command, a *trammel.Answer) error {
	for _, name := range t.config.inputNames() {
		v, err := t.run(e.input[name], c)
		if err == nil {
			v, err = toJSON(v)
		}
		if err != nil {
			return trammel.Fail(trammel.CodeError, "input.%s: %w", name, err)
		}
		if a.Input == nil {
			a.Input = make(map[string]any, len(e.input))
		}
		a.Input[name] = v
	}
	if e.output == nil {
		return nil
	}
	v, err := t.run(e.output, c)
	if err != nil {
		return trammel.Fail(trammel.CodeError, "output: %w", err)
	}
	text, err := toText(v)
	if err != nil {
		return trammel.Fail(trammel.CodeError, "output: %w", err)
	}
	a.Output = &text
	return nil
}

func (t *trial) defaultReason() string {
	switch t.deed {
	case ask:
		return fmt.Sprintf("The rule %q wants a person to decide this.", t.hook)
	case allow:
		return fmt.Sprintf("The rule %q allows this.", t.hook)
	}
	return fmt.Sprintf("The rule %q does not allow this.", t.hook)
}

// target is what the finding is about: the file, the program or the tool.
func (t *trial) target(c *shell.Command) string {
	switch program := t.orFirst(c).Program; {
	case match.FirstPath(t.ev) != "":
		return match.FirstPath(t.ev)
	case program != "":
		return program
	case t.ev.Tool != nil:
		return t.ev.Tool.Name
	}
	return ""
}
