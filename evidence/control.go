package evidence

import "time"

// ControlCall is the event of records about control calls of a process.
const ControlCall = "control"

// ControlRecord is the part of a record about a control call (FST-75, FST-78).
// It holds only digests of contents.
type ControlRecord struct {
	Action, ActorID, ActorRole                       string
	Payload                                          string // the digest
	Run                                              string
	RunDigest                                        string // of the run as stored after the call
	Process, ProcessVersion, Revision                string
	Profile, ProfileVersion, ProfileDigest           string
	Status, Code, Route, Gate, GateType, Instruction string
	Missing                                          []string
	ApprovalRole, ApprovalScope, ApprovalID          string
	Created                                          []ArtifactRecord
	Hooks                                            []HookCallRecord
	EffectID, EffectMode, EffectDigest, ScopeDigest  string
	Key                                              string // the idempotency key
	Replay                                           bool
	Preflight                                        bool // right before the effect
}

// ArtifactRecord is an artifact that was admitted.
type ArtifactRecord struct{ ID, Type, Digest string }

// HookCallRecord is a call of a hook on a route. Its result alone decides
// nothing; its own record has the rest.
type HookCallRecord struct {
	Hook, Input, Output, Failure string
	Seq                          uint64
}

func (c ControlRecord) fill(o *object) {
	o.text("action", c.Action, "actor_id", c.ActorID, "actor_role", c.ActorRole, "approval_request_id", c.ApprovalID)
	o.raw("code", c.Code)
	appendObjects(o, "created_artifacts", c.Created, func(a ArtifactRecord, o *object) {
		o.raw("artifact_id", a.ID, "payload_hash", a.Digest)
		o.text("type", a.Type)
	})
	o.raw("effect_hash", c.EffectDigest, "effect_id", c.EffectID, "effect_mode", c.EffectMode)
	o.text("gate_id", c.Gate, "gate_type", c.GateType)
	appendObjects(o, "hook_calls", c.Hooks, func(h HookCallRecord, o *object) {
		o.text("failure", h.Failure, "hook_id", h.Hook)
		o.raw("input_hash", h.Input, "output_hash", h.Output)
		o.number("seq", int64(h.Seq))
	})
	o.text("idempotency_key", c.Key)
	o.flag("idempotent_replay", c.Replay)
	o.text("instruction", c.Instruction)
	o.texts("missing_artifacts", c.Missing)
	o.raw("payload_hash", c.Payload)
	o.flag("preflight", c.Preflight)
	o.text("process_id", c.Process, "process_version", c.ProcessVersion)
	o.raw("profile_hash", c.ProfileDigest)
	o.text("profile_id", c.Profile, "profile_version", c.ProfileVersion)
	o.text("required_role", c.ApprovalRole, "required_scope", c.ApprovalScope)
	o.raw("revision", c.Revision, "route", c.Route)
	o.raw("run_hash", c.RunDigest)
	o.text("run_id", c.Run)
	o.raw("scope_hash", c.ScopeDigest, "status", c.Status)
}

// ForControl makes the record of one control call.
func ForControl(c ControlRecord, decision, reason string, when time.Time) *Record {
	return &Record{ID: NewID(when), Time: when, Event: ControlCall, Session: SessionRecord{ID: c.Run, Agent: c.ActorID},
		Tool: ToolRecord{Name: c.Action}, Control: &c, Input: c.Payload, Verdict: &VerdictRecord{Decision: decision, Reason: reason}}
}
