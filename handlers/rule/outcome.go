package rule

import (
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/internal/clip"
)

// outcome is what a rule answers with, ready to evaluate.
type outcome struct {
	reason, text template
	input        map[string]*condition
	output       *condition
}

func loadOutcome(c *Config) (*outcome, error) {
	o := &outcome{}
	var err error
	if o.reason, err = c.loadTemplate("reason", c.Reason); err != nil {
		return nil, err
	}
	if o.text, err = c.loadTemplate("text", c.Text); err != nil {
		return nil, err
	}
	if len(c.Input) > 0 {
		o.input = make(map[string]*condition, len(c.Input))
	}
	for _, name := range c.InputNames() {
		if o.input[name], err = c.load("input."+name, c.Input[name]); err != nil {
			return nil, err
		}
	}
	if c.Output != "" {
		o.output, err = c.load("output", c.Output)
	}
	return o, err
}

func (e *evaluation) answer(h match.Hit) (trammel.Answer, error) {
	o, err := e.outcome()
	if err != nil {
		return trammel.Answer{}, trammel.Fail(trammel.CodeConfig, "%w", err)
	}
	a := trammel.Answer{Decision: e.decision(h)}
	switch e.verb {
	case addContext:
		text, failed := e.fill(o.text, h)
		a.Context, a.Diagnostics = []string{text}, failed
	case rewrite:
		if err := e.rewrite(o, h, &a); err != nil {
			return trammel.Answer{}, err
		}
		a.Notice, a.Diagnostics = e.fill(o.reason, h)
	}
	if a.Decision != trammel.None {
		var failed []string
		a.Reason, failed = e.fill(o.reason, h)
		a.Diagnostics = append(a.Diagnostics, failed...)
		if a.Reason == "" {
			a.Reason = e.defaultReason()
		}
		if h.Doubt != "" {
			a.Reason += fmt.Sprintf(" (Whether this applies is unknown: %s.)", clip.Bytes(h.Doubt, 200))
		}
	}
	if f := e.config.Finding; f != nil {
		a.Findings = []trammel.Finding{{Code: f.Code, Severity: f.Severity, Target: e.target(h)}}
	}
	return a, nil
}

// decision is what the rule decides. In doubt it follows Unknown, and if nobody
// can be asked, the rule itself.
func (e *evaluation) decision(h match.Hit) trammel.Decision {
	word := e.verb
	if h.Doubt != "" {
		word = e.config.doubts()
		if word == ask && !e.ev.Kind.Can().Any(trammel.CanAsk) {
			word = e.verb
		}
	}
	switch word {
	case deny:
		return trammel.Deny
	case ask:
		return trammel.Ask
	case allow:
		return trammel.Allow
	}
	return trammel.None
}

func (e *evaluation) rewrite(o *outcome, h match.Hit, a *trammel.Answer) error {
	for _, name := range e.config.InputNames() {
		v, err := e.run(o.input[name], h, false)
		if err == nil {
			v, err = toJSON(v)
		}
		if err != nil {
			return trammel.Fail(trammel.CodeError, "input.%s: %w", name, err)
		}
		if a.Input == nil {
			a.Input = make(map[string]any, len(o.input))
		}
		a.Input[name] = v
	}
	if o.output == nil {
		return nil
	}
	v, err := e.run(o.output, h, false)
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

func (e *evaluation) defaultReason() string {
	switch e.verb {
	case ask:
		return fmt.Sprintf("The rule %q wants a person to decide this.", e.hook)
	case allow:
		return fmt.Sprintf("The rule %q allows this.", e.hook)
	}
	return fmt.Sprintf("The rule %q does not allow this.", e.hook)
}

// target is what the finding is about: the file, the program or the tool.
func (e *evaluation) target(h match.Hit) string {
	switch program := e.orFirst(h).Program; {
	case h.Path != "":
		return h.Path
	case firstPath(e.ev) != "":
		return firstPath(e.ev)
	case program != "":
		return program
	case e.ev.Tool != nil:
		return e.ev.Tool.Name
	}
	return ""
}
