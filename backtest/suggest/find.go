package suggest

import (
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/handlers/builtin"
	"github.com/trammel-dev/trammel/handlers/rule"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/plan"
)

// finder brings questions and answers together.
type finder struct {
	Options
	replay *pipeline.Replay
	hooks  map[string]*plan.Hook
	open   map[string]*question // the host asks, and nothing is known of the answer
	found  map[string]*candidate
}

// question is a call that hooks asked about.
type question struct {
	*record
	hooks []*hookRecord
}

// candidate is a call that a hook asks about, with all answers.
type candidate struct {
	Suggestion
	refused bool
	code    Code
}

// add takes the next record of the log.
func (f *finder) add(r *record) {
	call := r.call()
	switch r.Event {
	case trammel.PostToolUse.String():
		if q := f.open[call]; q != nil {
			f.settle(q, yes)
			delete(f.open, call)
		}
	case trammel.PostToolFailure.String():
		delete(f.open, call) // whether a person or the tool failed it is not known
	default:
		q := &question{r, r.asking()}
		if a := r.answered(); a != open {
			f.settle(q, a)
			return
		}
		if old := f.open[call]; old != nil && (r.Tool.ID == "" || old.Tool.ID == "") {
			f.settle(old, no) // the agent comes again: it was not let through
		}
		f.open[call] = q
	}
}

// settle counts the answer to a question.
func (f *finder) settle(q *question, a answer) {
	if a == none {
		return
	}
	for _, h := range q.hooks {
		fm, code := f.formOf(q, h)
		key := h.ID + "\x00" + q.Project + "\x00" + fm.Call()
		c := f.found[key]
		if c == nil {
			c = &candidate{Suggestion: Suggestion{Hook: h.ID, Call: fm.Call(), form: fm, sessions: map[string]bool{}}}
			f.found[key] = c
		}
		if c.code == "" {
			c.code = code
		}
		if a == no {
			c.refused = true
			continue
		}
		if !q.Time.Before(f.Since) {
			c.approve(q, &fm)
		}
	}
}

func (c *candidate) approve(q *question, fm *form) {
	if c.Approved++; c.Approved == 1 {
		c.First = q.Time
	}
	c.Last = q.Time
	c.sessions[q.Host+" "+q.Session.ID] = true
	c.Sessions = len(c.sessions)
	const examples = 5
	c.Records = append(c.Records, q.ID)
	c.Records = c.Records[max(0, len(c.Records)-examples):]
	c.merge(fm)
}

// into puts a candidate where it belongs.
func (c *candidate) into(r *Report, least int) {
	if c.refused {
		c.code = Refused
	}
	switch {
	case c.Approved < least:
	case c.code != "":
		r.HeldBack = append(r.HeldBack, HeldBack{c.Hook, c.Call, c.Approved, c.code})
	default:
		r.Suggestions = append(r.Suggestions, &c.Suggestion)
	}
}

// formOf is the call of a question as an exception would name it, or why none
// may.
func (f *finder) formOf(q *question, h *hookRecord) (fm form, code Code) {
	fm = form{tool: q.Tool.Name, summary: q.Action.Summary}
	hook := f.hooks[h.ID]
	switch {
	case hook == nil || hook.Trial:
		return fm, NotInForce
	case protects(hook) || secret.Marked(string(q.Payload)):
		return fm, Protected
	case slices.ContainsFunc(slices.Concat(h.Findings, q.Verdict.Findings), severe):
		return fm, Severe
	}
	ev, err := f.replay.Read(q.Host, q.Name, q.Project, q.Time, q.Payload)
	if err != nil || ev.Tool == nil {
		return fm, NotExact
	}
	if touchesSecrets(ev) {
		return fm, Protected
	}
	exact, ok := formOf(ev)
	if !ok || exact.path != "" && !onlyPaths(hook) {
		return fm, NotExact
	}
	return exact, ""
}

// severe reports whether a finding is more than the warning that a question is.
func severe(f finding) bool { return !slices.Contains([]string{"", "info", "warning"}, f.Severity) }

// protects reports whether a hook guards secrets or Trammel itself, or asks people
// on its own.
func protects(h *plan.Hook) bool {
	if h.Kind != "builtin" {
		return h.Kind == "approval"
	}
	c, err := builtin.Read(h.Config)
	return err != nil || slices.Contains([]string{"self-protection", "secrets", "redact-secrets", "mcp-guard"}, c.Use)
}

func touchesSecrets(ev *trammel.Event) bool {
	return secret.NamesSensitivePath(ev.Tool.Action.Command) || slices.ContainsFunc(effects.Touches(ev), func(t *effects.Touch) bool {
		return secret.SensitivePath(t.Path.Abs) || secret.SensitivePath(t.Path.Real)
	})
}

// onlyPaths reports whether a hook cannot look at what is written to a file: then
// the file tells calls apart, and the text does not.
func onlyPaths(h *plan.Hook) bool {
	if h.Kind != "rule" {
		return false
	}
	config, err := rule.Read(h.Config)
	if err != nil {
		return false
	}
	names, err := config.Names()
	return err == nil && len(names) == 0
}
