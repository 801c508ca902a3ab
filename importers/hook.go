package importers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/clip"
	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// Hook is a hook of trammel.yaml.
type Hook struct {
	ID    string
	From  string // where it comes from, and how it is spelled there
	Runs  bool   // it starts a program
	Allow bool   // it allows calls
	lines []string
}

// YAML is the hook as an item of a list, with the list's indentation.
func (h *Hook) YAML(indent string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s# %s\n%s- id: %s\n", indent, h.From, indent, h.ID)
	for _, line := range h.lines {
		fmt.Fprintf(&b, "%s  %s\n", indent, line)
	}
	return b.String()
}

// YAML is a file with all hooks.
func (r *Result) YAML() string {
	var b strings.Builder
	b.WriteString(yamldoc.SchemaLine + "version: 1\n")
	if len(r.Hooks) > 0 {
		b.WriteString("hooks:\n")
	}
	for i := range r.Hooks {
		b.WriteString(r.Hooks[i].YAML("  "))
	}
	return b.String()
}

// Rules is the result without hooks that start programs.
func (r *Result) Rules() *Result { return r.without(func(h Hook) bool { return h.Runs }) }

// Split separates what allows, which has no tests, from everything else.
func (r *Result) Split() (grants, others *Result) {
	others = r.without(func(h Hook) bool { return h.Allow })
	grants = r.without(func(h Hook) bool { return !h.Allow })
	grants.Tests = nil
	return grants, others
}

func (r *Result) without(drop func(Hook) bool) *Result {
	out := *r
	out.Hooks = slices.DeleteFunc(slices.Clone(r.Hooks), drop)
	return &out
}

// TestsYAML is a file with all tests, "" if there are none.
func (r *Result) TestsYAML() string {
	if len(r.Tests) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("tests:\n")
	for _, t := range r.Tests {
		fmt.Fprintf(&b, "  - name: %s\n    on: PreToolUse\n    tool: %s\n    input: {%s}\n    expect: {decision: %s}\n", quoted(t.Name),
			quoted(t.Call.Tool), strings.Join(inputs(t.Call.Input), ", "), t.Decision)
	}
	return b.String()
}

// Quote is a text as a string of JSON, which YAML and expressions read, too.
func Quote(text string) string { return quoted(text) }

func quoted(text string) string { return string(canonical.AppendString(nil, text)) }

func list(texts []string) string { return "[" + strings.Join(each(texts, quoted), ", ") + "]" }

// oneOrMore is a list for a key that takes one value, too.
func oneOrMore(texts []string) string {
	if len(texts) == 1 {
		return quoted(texts[0])
	}
	return list(texts)
}

// oneLine is a text for a comment.
func oneLine(text string) string {
	const most = 100
	text = clip.Runes(strings.Join(strings.Fields(text), " "), most)
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff {
			return '?'
		}
		return r
	}, text)
}
