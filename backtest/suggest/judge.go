package suggest

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/policytest"
)

// judge holds the configuration as it is against one with an exception.
type judge struct {
	program *full.Program
	root    string
	before  pipeline.Config
}

// with is the configuration with one exception.
func (j *judge) with(o *Options, s *Suggestion) (after pipeline.Config, code Code, err error) {
	if after, err = j.program.Trial(with(o, []*Suggestion{s})); err != nil {
		return after, "", err
	}
	hooks, err := after.Plan.All()
	for i := range hooks {
		if h := &hooks[i]; h.ID == s.Hook && len(h.Except) == 0 {
			code = NotExcepted
		}
	}
	return after, code, err
}

// tests are the cases for a suggestion, as text: the call passes, and what is near
// it does not. Each was judged.
func (j *judge) tests(ctx context.Context, s *Suggestion, after pipeline.Config) (text []byte, code Code, err error) {
	then, now, err := j.both(ctx, s.seen(), after)
	switch {
	case err != nil:
		return nil, "", err
	case !asks(then, s.Hook) || asks(now, s.Hook):
		return nil, NotExact, nil
	case now.Decision >= trammel.Ask:
		return nil, NoEffect, nil
	}
	list := []*policytest.Case{s.seen()}
	list[0].Expect.Decision = now.Decision.String()
	for _, c := range s.near() {
		then, now, err := j.both(ctx, c, after)
		if err != nil {
			return nil, "", err
		}
		if then.Decision != now.Decision {
			return nil, NotExact, nil
		}
		if c.Expect.Decision = now.Decision.String(); now.Decision >= trammel.Ask {
			list = append(list, c)
		}
	}
	for _, c := range list {
		one, err := c.Text("  ")
		if err != nil {
			return nil, "", err
		}
		text = append(text, one...)
	}
	return text, "", nil
}

// both judges a case without and with the exception.
func (j *judge) both(ctx context.Context, c *policytest.Case, after pipeline.Config) (then, now *trammel.Verdict, err error) {
	for _, side := range []struct {
		config pipeline.Config
		to     **trammel.Verdict
	}{{j.before, &then}, {after, &now}} {
		r := policytest.Runner{Program: &j.program.Program, Config: &side.config}
		judged, err := r.Judge(ctx, j.root, c)
		if err != nil {
			return nil, nil, err
		}
		*side.to = judged.Verdict
	}
	return then, now, nil
}

func asks(v *trammel.Verdict, hook string) bool {
	return slices.ContainsFunc(v.Runs, func(r trammel.Run) bool { return r.Hook.ID == hook && r.Answer.Decision == trammel.Ask })
}

// seen is the call of a suggestion.
func (s *Suggestion) seen() *policytest.Case {
	ev := s.example
	return &policytest.Case{Name: s.Call + ": as it was approved", On: trammel.PreToolUse.String(), Host: ev.Host, Tool: ev.Tool.Name,
		Input: ev.Tool.Input}
}

// near are calls that are almost the same, and were never seen.
func (s *Suggestion) near() []*policytest.Case {
	change := func(name string, change func(c *policytest.Case)) *policytest.Case {
		c := s.seen()
		c.Name = s.Call + ": " + name
		input := map[string]any{}
		for key, value := range c.Input {
			input[key] = value
		}
		c.Input = input
		change(c)
		return c
	}
	text := func(old, next string) func(c *policytest.Case) {
		return func(c *policytest.Case) {
			for key, value := range c.Input {
				if value == old {
					c.Input[key] = next
				}
			}
		}
	}
	ev := s.example
	if s.arguments != "" {
		return []*policytest.Case{change("with one more argument", func(c *policytest.Case) { c.Input["other"] = true })}
	}
	if s.command == "" {
		name := filepath.ToSlash(ev.Tool.Action.Paths[0])
		return []*policytest.Case{change("another file", text(name, name+".other"))}
	}
	line := ev.Tool.Action.Command
	return []*policytest.Case{
		change("one word more", text(line, line+" other")),
		change("and another command", text(line, line+" && "+line)),
		change("in another directory", func(c *policytest.Case) { c.Session.Dir = filepath.Join(s.project, "other") }),
	}
}
