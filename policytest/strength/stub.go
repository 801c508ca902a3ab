package strength

import (
	"maps"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/policytest"
)

// stub is a case by which a change would show, once somebody has put the right call into
// it. It begins with a call that the hook knows from other tests.
func (h *hook) stub(m *mutant) (string, error) {
	c := policytest.Case{Name: h.text.ID + ": " + m.wanted, On: h.plan.On[0].String()}
	var like policytest.Case
	known := len(h.fired)+len(h.matched) > 0
	switch {
	case m.value != nil:
		like, known = h.instead(m.value)
	case known:
		like = slices.Concat(h.fired, h.matched)[0].Case
	}
	switch {
	case known:
		like.Name, like.Expect = c.Name, policytest.Expect{}
		c = like
	case h.plan.On[0] == trammel.UserPromptSubmit:
		c.Prompt = "…"
	default:
		c.Tool, c.Input = h.example(m)
	}
	c.Expect.Decision = trammel.None.String()
	if m.fires {
		c.Expect = h.expected()
	}
	text, err := c.Text("  ")
	return "  # complete this: change the call so that it fits the name\n" + string(text), err
}

// instead is a call that the hook knows with another program in it, if the value is one.
func (h *hook) instead(v *config.Value) (policytest.Case, bool) {
	for _, c := range h.fired {
		line, _ := c.Input["command"].(string)
		words := strings.Fields(line)
		for i, word := range words {
			if v.Key == "program" && slices.Contains(h.plan.Match.Programs, word) {
				words[i] = v.Text
				out := c.Case
				out.Input = maps.Clone(out.Input)
				out.Input["command"] = strings.Join(words, " ")
				return out, true
			}
		}
	}
	return policytest.Case{}, false
}

// expected is what is expected where the hook says something.
func (h *hook) expected() policytest.Expect {
	out := policytest.Expect{Hooks: []string{h.plan.ID}}
	r, _ := full.RuleOf(&h.plan)
	if _, err := trammel.ParseDecision(r.Do); err == nil && r.Do != "" {
		out.Decision = r.Do
	}
	return out
}

// example is a call of a tool that has to do with the match, for a case that begins
// with none.
func (h *hook) example(m *mutant) (tool string, input map[string]any) {
	match := h.plan.Match
	if m.value != nil {
		match = narrowed(h, *m.value)
	}
	file := "path/to/file"
	if len(match.Paths) > 0 {
		file = strings.NewReplacer("**", "x", "*", "x", "?", "x", "!", "").Replace(match.Paths[0])
	}
	program := "…"
	if len(match.Programs) > 0 {
		program = match.Programs[0] + " …"
	}
	switch {
	case len(match.Tools) > 0 && !trammel.IsPattern(match.Tools[0]) && len(match.Programs)+len(match.Paths) == 0:
		return match.Tools[0], map[string]any{}
	case len(match.To) > 0:
		return "WebFetch", map[string]any{"url": "https://" + strings.TrimPrefix(strings.ReplaceAll(match.To[0], "*", "x"), ".") + "/"}
	case len(match.Programs) > 0 || len(match.Paths) == 0 && len(match.Actions) == 0:
		return "Bash", map[string]any{"command": program}
	}
	kind := trammel.ReadAction
	if len(match.Actions) > 0 {
		kind = match.Actions[0]
	}
	switch kind {
	case trammel.ReadAction:
		return "Read", map[string]any{"file_path": file}
	case trammel.WriteAction, trammel.EditAction:
		return "Write", map[string]any{"file_path": file, "content": "…"}
	case trammel.DeleteAction:
		return "Bash", map[string]any{"command": "rm " + file}
	case trammel.FetchAction:
		return "WebFetch", map[string]any{"url": "https://example.com/"}
	}
	return "Bash", map[string]any{"command": program}
}
