package repohooks

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
)

// check checks the known fields of a payload (AIC-46, AIC-47). Others are
// allowed.
func (s *HookSignal) check() error {
	p := payload{fields: s.Payload}
	switch s.Kind {
	case RoutingHint:
		p.each("suggested_abilities", func(one *payload) {
			one.has("id", name, "the name of an ability")
			one.has("reason", text, "text")
			one.has("confidence", share, "a number from 0 to 1")
		})
		p.each("suggested_documents", func(one *payload) {
			one.has("path", inside, "a path inside of the repository, from its root on")
			one.has("reason", text, "text")
		})
	case NormalizedIntent:
		for _, key := range [...]string{"intent", "topic"} {
			p.has(key, text, "text")
		}
		p.has("stage", stage, "understand, plan, act or review")
		p.has("signals", object, "an object")
	case AbilityPreflight, AbilityGuard:
		for _, key := range [...]string{"reason", "suggestion", "ability_id"} {
			p.has(key, text, "text")
		}
		p.has("require_human", truth, "true or false")
		p.has("ability_ref", object, "an object with kind and value")
	}
	if p.wrong != "" {
		return trammel.Fail(trammel.CodeMalformed, "the payload of a %s has a wrong value in %s: expected %s", s.Kind, p.wrong,
			p.expected)
	}
	return nil
}

// about refuses a signal that names an ability other than that of the event.
func (d Dialect) about(ev *trammel.Event, s *HookSignal) error {
	if s.Kind != AbilityPreflight && s.Kind != AbilityGuard || ev.Tool == nil {
		return nil
	}
	known := []string{ev.Tool.Name, d.ability(ev)}
	for key, named := range map[string]string{"ability_id": s.Text("ability_id"), "ability_ref": s.reference()} {
		if named != "" && !slices.Contains(known, named) {
			return trammel.Fail(trammel.CodeMalformed, "%s in a signal names %q, but this is about %q", key, named, known[1])
		}
	}
	return nil
}

// reference is the name in ability_ref, "" if there is none.
func (s *HookSignal) reference() string {
	ref, _ := s.Payload["ability_ref"].(map[string]any)
	value, _ := ref["value"].(string)
	return value
}

// payload is a part of a payload while it is checked; wrong is the first key
// with a wrong value.
type payload struct {
	fields          map[string]any
	wrong, expected string
}

// has checks a field, if it is there.
func (p *payload) has(key string, fits func(any) bool, expected string) {
	if v, there := p.fields[key]; there && p.wrong == "" && !fits(v) {
		p.wrong, p.expected = key, expected
	}
}

// each checks a list of objects, if it is there.
func (p *payload) each(key string, check func(one *payload)) {
	p.has(key, func(v any) bool { _, ok := v.([]any); return ok }, "a list")
	list, _ := p.fields[key].([]any)
	for _, v := range list {
		fields, ok := v.(map[string]any)
		one := payload{fields: fields}
		if check(&one); !ok {
			one.wrong, one.expected = key, "a list of objects"
		}
		if p.wrong == "" {
			p.wrong, p.expected = one.wrong, one.expected
		}
	}
}

func text(v any) bool   { _, ok := v.(string); return ok }
func truth(v any) bool  { _, ok := v.(bool); return ok }
func object(v any) bool { _, ok := v.(map[string]any); return ok }
func name(v any) bool   { s, ok := v.(string); return ok && strings.TrimSpace(s) != "" }

func share(v any) bool {
	switch n := v.(type) {
	case int64:
		return n == 0 || n == 1
	case float64:
		return n >= 0 && n <= 1
	}
	return false
}

func stage(v any) bool { return v == "understand" || v == "plan" || v == "act" || v == "review" }

// inside reports whether a value is a path that stays in the repository,
// whatever system it is read on.
func inside(v any) bool {
	p, ok := v.(string)
	return ok && filepath.IsLocal(p) && !strings.ContainsAny(p, "\\\x00") && !(len(p) > 1 && p[1] == ':')
}
