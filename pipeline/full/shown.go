package full

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/callkey"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/pipeline"
)

// A person who allows a denied call reads its record, and others could have
// written that: next to the key of another call. So the permission also names
// what was read, and the call that uses it has to look the same in the evidence.

// shown identifies what a record says about a call.
func (p *Program) shown(r *record) string {
	tool, dir := r.Tool.Name, ""
	args := json.RawMessage(r.Payload)
	if payload, err := strict.Object(r.Payload, strict.Limits{}); err == nil {
		input, _ := payload["tool_input"].(map[string]any) // of a program that has dispatched the event itself
		if d, ok := p.Dialects.Host(r.Host); ok {
			if ev, err := d.DecodeEvent(r.Payload, r.Name); err == nil && ev != nil && ev.Tool != nil {
				tool, dir, input = ev.Tool.Name, ev.Session.Dir, ev.Tool.Input
			}
		}
		if known, err := callkey.Args(input); err == nil && input != nil {
			args = known
		}
	}
	text, _ := canonical.Append(nil, []string{"trammel-shown-v1", r.Host, r.Tool.Name, tool, dir, r.Action.Summary, string(args)})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// shows identifies what the record of a denied call will say about it.
func (p *Program) shows(j *pipeline.Judged) (string, error) {
	meta := evidence.Meta{PayloadMode: evidence.PayloadMode(j.Plan.Settings.Evidence.Payload)}
	var r record
	err := json.Unmarshal(evidence.FromVerdict(j.Event, j.Verdict, meta).AppendJSON(nil), &r)
	return p.shown(&r), err
}
