package process_test

import (
	"testing"

	"github.com/trammel-dev/trammel/packs/process"
)

// A control call names who asks in either form (FST-75); what it must not have
// is refused.
func TestDecodeRequest(t *testing.T) {
	for raw, want := range map[string]process.Actor{
		`{"action":"a.b","payload":{}}`:                                                              {},
		`{"action":"a.b","payload":{},"actor":"task_user"}`:                                          {Role: "task_user"},
		`{"action":"a.b","payload":{},"actor":{"id":"ada","role":"agent"}}`:                          {ID: "ada", Role: "agent"},
		`{"action":"a.b","payload":{},"run_id":"r","idempotency_key":"k","actor":{"role":"system"}}`: {Role: "system"},
	} {
		if req, err := process.DecodeRequest([]byte(raw)); err != nil || req.Actor != want {
			t.Errorf("%s: %+v, %v", raw, req.Actor, err)
		}
	}
	for _, raw := range []string{`{"action":"a.b","payload":{},"actor":7}`, `{"action":"a.b","payload":{},"actor":{"name":"ada"}}`,
		`{"action":"a.b","payload":{},"approval_record":{}}`, `{"action":"a.b","payload":[]}`, `[]`, `{"action":"a","action":"b","payload":{}}`} {
		if req, err := process.DecodeRequest([]byte(raw)); err == nil {
			t.Errorf("%s is read as %+v", raw, req)
		}
	}
}
