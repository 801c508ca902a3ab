package repohooks

import (
	"fmt"
	"testing"

	"github.com/trammel-dev/trammel"
)

// AIC-46, AIC-47: what stands in the known fields of a payload is what they
// are for, or the whole result counts as a failure of the hook.
func TestPayloads(t *testing.T) {
	create := func() *trammel.Event {
		ev := edit()
		ev.Kind = trammel.PreAbilityCreate
		return ev
	}
	prompt := func() *trammel.Event {
		return &trammel.Event{Kind: trammel.UserPromptSubmit, Prompt: &trammel.Prompt{}}
	}
	for _, c := range []struct {
		event         func() *trammel.Event
		kind          SignalKind
		good, refused []string
	}{
		{event: prompt, kind: RoutingHint, good: []string{
			`{}`, `{"suggested_abilities":[{"id":"a","confidence":0.91}],"suggested_documents":[]}`,
			`{"suggested_abilities":[{"id":"a","confidence":1},{"id":"b","confidence":0,"more":[]}]}`,
			`{"suggested_documents":[{"path":"docs/a.md","reason":"r"},{"path":"./b..md"}]}`,
		}, refused: []string{
			`{"suggested_abilities":{}}`, `{"suggested_abilities":["a"]}`, `{"suggested_abilities":[{"id":7}]}`,
			`{"suggested_abilities":[{"id":" "}]}`, `{"suggested_abilities":[{"id":"a","reason":{}}]}`,
			`{"suggested_abilities":[{"id":"a","confidence":"high"}]}`, `{"suggested_abilities":[{"id":"a","confidence":null}]}`,
			`{"suggested_abilities":[{"id":"a","confidence":1.01}]}`, `{"suggested_abilities":[{"id":"a","confidence":-1}]}`,
			`{"suggested_abilities":[{"id":"a"},{"id":"b","confidence":2}]}`,
			`{"suggested_documents":[{"path":"../../etc/passwd"}]}`, `{"suggested_documents":[{"path":"/etc/passwd"}]}`,
			`{"suggested_documents":[{"path":"a/../../b"}]}`, `{"suggested_documents":[{"path":"C:/x"}]}`,
			`{"suggested_documents":[{"path":"..\\x"}]}`, `{"suggested_documents":[{"path":""}]}`, `{"suggested_documents":[{"path":[]}]}`,
		}},
		{event: prompt, kind: NormalizedIntent, good: []string{
			`{"intent":"fix","stage":"act","topic":"t","scope":"s","signals":{"user_raw_input":"x"}}`,
		}, refused: []string{`{"intent":1}`, `{"topic":[]}`, `{"stage":"later"}`, `{"signals":"x"}`}},
		{event: create, kind: AbilityPreflight, good: []string{
			`{"ability_ref":{"kind":"ability_id","value":"edit_file"},"reason":"r"}`, `{"ability_ref":{"kind":"ability_id","value":"Write"}}`,
		}, refused: []string{
			`{"ability_ref":"edit_file"}`, `{"ability_ref":{"kind":"ability_id","value":"other"}}`, `{"suggestion":1}`,
		}},
		{event: edit, kind: AbilityGuard, good: []string{`{"ability_id":"edit_file"}`, `{"ability_id":"Write","require_human":true}`},
			refused: []string{`{"ability_id":"delete_file"}`, `{"ability_id":7}`, `{"require_human":"yes"}`, `{"reason":[]}`}},
	} {
		d := spoken(t, `{"ability_scope":["edit_file"]}`)
		decode := func(payload string) error {
			ev := c.event()
			_, err := d.DecodeAnswer(ev, trammel.Output{Stdout: fmt.Appendf(nil, `{"hook_signals":[{"source_event":%q,"hook_id":"h",`+
				`"kind":%q,"code":"C","payload":%s}]}`, EventOf(ev.Kind), c.kind, payload)})
			return err
		}
		for _, payload := range c.good {
			if err := decode(payload); err != nil {
				t.Errorf("%s %s: %v", c.kind, payload, err)
			}
		}
		for _, payload := range c.refused {
			if err := decode(payload); trammel.CodeOf(err) != trammel.CodeMalformed {
				t.Errorf("%s %s was taken: %v", c.kind, payload, err)
			}
		}
	}
}
