package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/internal/plural"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/policytest"
)

func printExplained(w io.Writer, j *pipeline.Judged, hooks []pipeline.Explained, c policytest.Colors) error {
	return cli.Wrap(w, func(w io.Writer) error { return writeExplained(w, j, hooks, c) })
}

func writeExplained(w io.Writer, j *pipeline.Judged, hooks []pipeline.Explained, c policytest.Colors) error {
	v := j.Verdict
	fmt.Fprintf(w, "%s", j.Event.Kind)
	if t := j.Event.Tool; t != nil {
		fmt.Fprintf(w, " of %s: %s", t.Name, t.Action.Kind)
		if t.Action.Command != "" {
			fmt.Fprintf(w, " %q", t.Action.Command)
		}
		if len(t.Action.Paths) > 0 {
			fmt.Fprintf(w, " on %s", strings.Join(t.Action.Paths, ", "))
		}
	}
	fmt.Fprint(w, "\n\n")
	if lines := cli.EffectLines(effects.Of(j.Event)); len(lines) > 0 {
		for _, line := range lines {
			fmt.Fprintf(w, "%s  → %s%s\n", c.Dim, line, c.Off)
		}
		fmt.Fprintln(w)
	}
	for _, e := range hooks {
		if e.Run == nil {
			fmt.Fprintf(w, "%s  –  %s: %s%s\n", c.Dim, e.Hook.ID, e.Why, c.Off)
			continue
		}
		mark, color := "·", ""
		switch {
		case e.Run.Code != "":
			mark, color = "!", c.Bad
		case e.Run.Answer.Decision == trammel.Deny:
			mark, color = "✗", c.Bad
		case e.Run.Answer.Decision == trammel.Ask:
			mark = "?"
		case e.Run.Answer.Decision == trammel.Allow:
			mark, color = "✓", c.Good
		}
		fmt.Fprintf(w, "%s  %s  %s%s (%s, %s): %s\n", color, mark, e.Hook.ID, c.Off, e.Run.Phase, plural.Took(e.Run.Took), summary(e.Run))
		if t := targetText(&e.Target); t != "" {
			fmt.Fprintf(w, "%s     because it %s%s\n", c.Dim, t, c.Off)
		}
	}
	if len(hooks) == 0 {
		fmt.Fprintln(w, "  no hook runs on this event")
	}
	fmt.Fprintf(w, "\nverdict: %s", v.Decision)
	if v.Reason != "" {
		fmt.Fprintf(w, " — %s", v.Reason)
	}
	fmt.Fprintf(w, " (%s", plural.Took(v.Took))
	if j.Budget > 0 && slices.ContainsFunc(hooks, pipeline.Explained.Waits) {
		fmt.Fprintf(w, ", within %v", j.Budget.Round(time.Second/10))
	}
	_, err := fmt.Fprintln(w, ")")
	return err
}

// targetText says which effect of a call a hook matched.
func targetText(t *trammel.Target) string {
	if t.Doubt != "" {
		return "possibly " + t.What + "; unknown: " + t.Doubt
	}
	return t.What
}

// summary describes a run in words.
func summary(r *trammel.Run) string {
	if r.Code != "" {
		text := fmt.Sprintf("failed with %s: %s", r.Code, r.Detail)
		if r.Blocked {
			text += " (so the event is blocked)"
		}
		return text
	}
	a := &r.Answer
	var parts []string
	if a.Decision != trammel.None {
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %s", a.Decision, a.Reason)))
	}
	for _, f := range a.Findings {
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("finding %s %s", f.Code, f.Target)))
	}
	for _, key := range slices.Sorted(maps.Keys(a.Input)) {
		parts = append(parts, fmt.Sprintf("rewrites %s to %v", key, a.Input[key]))
	}
	if a.Output != nil {
		parts = append(parts, fmt.Sprintf("rewrites the output to %q", cli.Shorten(*a.Output, 60)))
	}
	for _, text := range a.Context {
		parts = append(parts, fmt.Sprintf("context %q", cli.Shorten(text, 60)))
	}
	if a.Notice != "" {
		parts = append(parts, "notice "+a.Notice)
	}
	for _, text := range a.Diagnostics {
		parts = append(parts, cli.Shorten(text, 200))
	}
	if parts == nil {
		return "no objection"
	}
	return strings.ReplaceAll(strings.Join(parts, "; "), ".; ", "; ")
}

func explainedJSON(j *pipeline.Judged, hooks []pipeline.Explained) any {
	type finding struct {
		Code     string `json:"code"`
		Severity string `json:"severity,omitempty"`
		Target   string `json:"target,omitempty"`
	}
	type hook struct {
		ID       string         `json:"id"`
		Matched  bool           `json:"matched"`
		Why      string         `json:"why,omitempty"`
		Effect   string         `json:"effect,omitempty"`
		Phase    string         `json:"phase,omitempty"`
		Decision string         `json:"decision,omitempty"`
		Reason   string         `json:"reason,omitempty"`
		Code     string         `json:"code,omitempty"`
		Detail   string         `json:"detail,omitempty"`
		Blocked  bool           `json:"blocked,omitempty"`
		Input    map[string]any `json:"input,omitempty"`
		Output   *string        `json:"output,omitempty"`
		Context  []string       `json:"context,omitempty"`
		Findings []finding      `json:"findings,omitempty"`
		Noticed  []string       `json:"diagnostics,omitempty"`
		Micros   int64          `json:"micros"`
	}
	out := []hook{}
	for _, e := range hooks {
		h := hook{ID: e.Hook.ID, Why: e.Why, Matched: e.Run != nil, Effect: targetText(&e.Target)}
		if r := e.Run; r != nil {
			a := &r.Answer
			h.Phase, h.Micros, h.Code, h.Detail, h.Blocked = r.Phase.String(), r.Took.Microseconds(), string(r.Code), r.Detail, r.Blocked
			h.Decision, h.Reason, h.Input, h.Output, h.Context, h.Noticed = a.Decision.String(), a.Reason, a.Input, a.Output, a.Context,
				a.Diagnostics
			for _, f := range a.Findings {
				h.Findings = append(h.Findings, finding(f))
			}
		}
		out = append(out, h)
	}
	v := j.Verdict
	verdict := map[string]any{"decision": v.Decision.String(), "reason": v.Reason, "context": v.Context, "micros": v.Took.Microseconds()}
	if v.Input != nil { // a hook has rewritten it
		verdict["input"] = v.Input
	}
	return map[string]any{"event": j.Event.Kind.String(), "project": j.Set.Root, "effects": cli.EffectLines(effects.Of(j.Event)), "hooks": out,
		"verdict": verdict, "budget_ms": j.Budget.Milliseconds()}
}
