package telemetry

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/secret"
)

// The fields that a channel can hide.
const (
	rawInput   = "hook.raw_input"
	promptText = "turn.prompt_text"
	toolInput  = "tool.input"
	toolOutput = "tool.output"
	toolError  = "tool.error"
	delegated  = "delegation.targets.query"
	cwd        = "context.cwd"
)

// Fields are the fields that a channel can hide.
func Fields() []string {
	return []string{rawInput, promptText, toolInput, toolOutput, toolError, delegated, cwd,
		"tool.name", "tool.id", "tool.connector", "delegation.targets.agent", "delegation.targets", "delegation", "turn", "tool", "hook",
		"context", "policy",
		"agent.name", "agent.id", "agent.model", "session_id", "hook.runtime_session_id", "hook.turn_id", "hook.stop_reason", "hook.source"}
}

// Full is the channel full with the fields it does not show by default.
func Full() Channel {
	return Channel{"full", []string{rawInput, promptText, toolInput, toolOutput}}
}

// Analytics is the channel analytics with the fields it does not show by default.
func Analytics() Channel {
	return Channel{"analytics", []string{toolInput, toolOutput, promptText, delegated, cwd, rawInput}}
}

// Check refuses a list with a field that there is not: it would be shown under
// its right name.
func Check(redact []string) error {
	known := Fields()
	for _, field := range redact {
		if !slices.Contains(known, field) {
			return fmt.Errorf("unknown field %q, expected one of %s", field, strings.Join(known, ", "))
		}
	}
	return nil
}

// maxLine bounds a line. What is longer is told without its texts.
const maxLine = 1 << 20

// line is the record as the channel shows it. If the event is about a file
// that holds secrets, nothing of its content is in it.
func (c Channel) line(whole object, sensitive bool) ([]byte, error) {
	shown := show(whole, c.Redact, sensitive)
	line, err := canonical.Append(nil, shown)
	if err == nil && len(line) > maxLine {
		shown = show(whole, append([]string{rawInput, promptText, toolInput, toolOutput, delegated}, c.Redact...), sensitive)
		shown["truncated"] = true
		line, err = canonical.Append(nil, shown)
	}
	return line, err
}

// show copies the record without the fields, which become null, and without
// secrets in the others.
func show(whole object, fields []string, sensitive bool) object {
	out := maps.Clone(whole)
	_, delegates := whole["delegation"]
	fields = closed(fields, delegates)
	redact := secret.RedactValue
	if sensitive {
		redact = secret.RedactContent
		fields = append(fields, toolError) // what a tool says when it fails may be content, too
	}
	for _, field := range fields {
		blank(out, strings.Split(field, "."))
	}
	safe, _ := redact(out)
	return safe.(map[string]any)
}

// closed adds the fields in which others are shown again: the payload holds
// them all, what a failed tool says is also its error, and what a sub-agent is
// asked is also the tool's input.
func closed(fields []string, delegates bool) []string {
	out := slices.Clone(fields)
	if len(fields) > 0 {
		out = append(out, rawInput)
	}
	if slices.Contains(fields, toolOutput) {
		out = append(out, toolError)
	}
	if slices.Contains(fields, delegated) && delegates {
		out = append(out, toolInput)
	}
	if slices.Contains(fields, "session_id") {
		out = append(out, "hook.runtime_session_id")
	}
	return out
}

// blank sets a field to null, if it is there. Objects on the way are copied,
// and of a list every entry is meant.
func blank(m object, path []string) {
	name := path[0]
	value, there := m[name]
	if !there {
		return
	}
	if len(path) == 1 {
		m[name] = nil
		return
	}
	switch v := value.(type) {
	case map[string]any:
		v = maps.Clone(v)
		blank(v, path[1:])
		m[name] = v
	case []any:
		v = slices.Clone(v)
		for i := range v {
			if entry, ok := v[i].(map[string]any); ok {
				entry = maps.Clone(entry)
				blank(entry, path[1:])
				v[i] = entry
			}
		}
		m[name] = v
	}
}
