// Package edit lets a person change the arguments of a call without seeing its
// secrets: references stand in for them, and are replaced afterwards.
package edit

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Draft is arguments that are being edited.
type Draft struct {
	input  map[string]any
	hidden []string
}

// Of reads the arguments of a call.
func Of(args json.RawMessage) (*Draft, error) {
	input, err := strict.Object(args, strict.Limits{})
	if err != nil {
		return nil, fmt.Errorf("the stored arguments are damaged: %w", err)
	}
	return &Draft{input: input}, nil
}

// Masked are the arguments with a reference in the place of each secret.
func (d *Draft) Masked() map[string]any {
	d.hidden = nil
	masked, _ := secret.RedactValue(d.input)
	out, _ := d.mask(d.input, masked).(map[string]any)
	return out
}

// Edited replaces the references in edited arguments by the secrets. An unknown
// reference is refused.
func (d *Draft) Edited(masked map[string]any) (map[string]any, error) {
	out, err := d.restore(masked)
	if err != nil {
		return nil, err
	}
	return out.(map[string]any), nil
}

func reference(n int) string { return fmt.Sprintf("[MASKED %d]", n) }

// mask walks a value and its redacted form in parallel.
func (d *Draft) mask(v, masked any) any {
	switch v := v.(type) {
	case map[string]any:
		other, ok := masked.(map[string]any)
		if !ok {
			break
		}
		out := make(map[string]any, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			out[key] = d.mask(v[key], other[key])
		}
		return out
	case []any:
		other, ok := masked.([]any)
		if !ok || len(other) != len(v) {
			break
		}
		out := make([]any, len(v))
		for i := range v {
			out[i] = d.mask(v[i], other[i])
		}
		return out
	case string:
		if other, ok := masked.(string); ok && other == v && !strings.Contains(v, "[MASKED ") {
			return v
		}
		return d.hide(v)
	default:
		return v
	}
	text, _ := json.Marshal(v) // strict values can always be written
	return d.hide(string(text))
}

// hide masks the secrets in a text, or all of it if they cannot be located.
func (d *Draft) hide(text string) string {
	found := secret.Find(text)
	if len(found) == 0 || strings.Contains(text, "[MASKED ") {
		d.hidden = append(d.hidden, text)
		return reference(len(d.hidden))
	}
	var out strings.Builder
	at := 0
	for _, m := range found {
		if m.Start < at {
			continue
		}
		d.hidden = append(d.hidden, text[m.Start:m.End])
		out.WriteString(text[at:m.Start] + reference(len(d.hidden)))
		at = m.End
	}
	return out.String() + text[at:]
}

func (d *Draft) restore(v any) (any, error) {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			restored, err := d.restore(value)
			if err != nil {
				return nil, err
			}
			out[key] = restored
		}
		return out, nil
	case []any:
		out := make([]any, len(v))
		for i := range v {
			var err error
			if out[i], err = d.restore(v[i]); err != nil {
				return nil, err
			}
		}
		return out, nil
	case string:
		return d.reveal(v)
	}
	return v, nil
}

func (d *Draft) reveal(text string) (string, error) {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "[MASKED ")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		number, after, _ := strings.Cut(rest, "]")
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > len(d.hidden) || !strings.HasPrefix("[MASKED "+rest, reference(n)) {
			return "", fmt.Errorf("[MASKED %s] does not exist: there are %d masked values", number, len(d.hidden))
		}
		out.WriteString(d.hidden[n-1])
		text = after
	}
}
