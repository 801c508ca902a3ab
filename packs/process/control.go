package process

import (
	"fmt"

	"github.com/trammel-dev/trammel/internal/strict"
)

// Request is a control call: what an actor wants to do.
type Request struct {
	Protocol string         `json:"protocol_version,omitempty"`
	Process  string         `json:"process_id,omitempty"` // which is meant, where there are several
	Action   string         `json:"action"`
	Payload  map[string]any `json:"payload"`
	Run      string         `json:"run_id,omitempty"`
	Key      string         `json:"idempotency_key,omitempty"`
	Actor    Actor          `json:"actor,omitzero"`
}

// Actor is who asks. It is never an approver.
type Actor struct {
	ID   string `json:"id,omitempty"`
	Role string `json:"role,omitempty"`
}

// The roles of actors.
const (
	RoleAgent    = "agent"
	RoleUser     = "task_user"
	RoleSystem   = "system"
	roleApprover = "approver"
)

var roles = []string{RoleAgent, RoleUser, roleApprover, RoleSystem}

// Response is the answer to a control call. ok and nok always have a route; an
// error has none.
type Response struct {
	Status         string           `json:"status"`
	Code           Code             `json:"code,omitempty"`
	Run            string           `json:"run_id,omitempty"`
	Process        string           `json:"process_id,omitempty"`
	ProfileVersion string           `json:"profile_version,omitempty"`
	ProfileDigest  string           `json:"profile_hash,omitempty"`
	Route          Route            `json:"route,omitempty"`
	Decision       string           `json:"decision,omitempty"` // allowed, approval_required, denied
	MayProceed     bool             `json:"may_proceed"`
	Reason         string           `json:"reason,omitempty"`
	Instruction    string           `json:"instruction,omitempty"`
	Gate           string           `json:"gate_id,omitempty"`
	GateType       string           `json:"gate_type,omitempty"`
	Missing        []string         `json:"missing_artifacts,omitempty"`
	Approval       *Needed          `json:"required_approval,omitempty"`
	ApprovalID     string           `json:"approval_request_id,omitempty"`
	Created        []Created        `json:"created_artifacts,omitempty"`
	Diagnostics    []string         `json:"diagnostics,omitempty"`
	Effect         *Materialization `json:"materialization,omitempty"`
	Evidence       []uint64         `json:"evidence_refs,omitempty"` // the numbers of records
	Next           []string         `json:"next_allowed_actions,omitempty"`
	Completed      bool             `json:"completion_report_exists,omitempty"`
	Replay         bool             `json:"idempotent_replay,omitempty"`
}

// Created is an artifact that a call has created.
type Created struct {
	ID   string `json:"artifact_id"`
	Type string `json:"type"`
}

// The statuses.
const (
	StatusOK    = "ok"
	StatusNOK   = "nok"
	StatusError = "error"
)

// Code is why a call was refused, in one word.
type Code string

// The codes.
const (
	CodeRequest         Code = "bad_request"
	CodeProtocol        Code = "unsupported_protocol"
	CodeProfileInvalid  Code = "profile_invalid"
	CodePackChanged     Code = "pack_changed"
	CodeProfileChanged  Code = "profile_changed"
	CodeUnknownAction   Code = "unknown_action"
	CodeUnknownRun      Code = "unknown_run"
	CodeRunForged       Code = "run_forged"
	CodeNotApproved     Code = "not_approved_for_use"
	CodeRunCompleted    Code = "run_completed"
	CodeActor           Code = "actor_refused"
	CodeRole            Code = "role_not_allowed"
	CodeKeyConflict     Code = "idempotency_conflict"
	CodeGate            Code = "gate_failed"
	CodeMissing         Code = "artifacts_missing"
	CodeOrder           Code = "action_not_next"
	CodeConnector       Code = "connector_missing"
	CodeApproval        Code = "approval_required"
	CodeApprovalDenied  Code = "approval_rejected"
	CodeApprovalOver    Code = "approval_expired"
	CodeApprovalUntrust Code = "approval_untrusted"
	CodeForged          Code = "artifact_forged"
	CodeArtifact        Code = "artifact_refused"
	CodeHook            Code = "hook_failed"
	CodeHookAuthority   Code = "hook_authority"
	CodeScope           Code = "scope_unverified"
	CodeEffect          Code = "effect_not_allowed"
	CodeInternal        Code = "internal"
)

// Refusal is why there is no route.
type Refusal struct {
	Code   Code
	Detail string
}

func (r *Refusal) Error() string { return r.Detail }

func refuse(code Code, format string, args ...any) error {
	return &Refusal{code, fmt.Sprintf(format, args...)}
}

// DecodeRequest reads a control call. It refuses text that two readers could
// understand differently.
func DecodeRequest(raw []byte) (Request, error) {
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		return Request{}, refuse(CodeRequest, "%v", err)
	}
	for key := range obj {
		switch key {
		case "protocol_version", "process_id", "action", "payload", "run_id", "idempotency_key", "actor":
		default:
			return Request{}, refuse(CodeRequest, "%.40q is not a field of a control call", key)
		}
	}
	given := obj["actor"]
	delete(obj, "actor") // it has two forms
	f := strict.FieldsOf(obj, "")
	r := Request{Protocol: f.String("protocol_version"), Process: f.String("process_id"), Action: f.String("action"),
		Payload: f.Object("payload"), Run: f.String("run_id"),
		Key: f.String("idempotency_key")}
	if err := f.Done(); err != nil {
		return r, refuse(CodeRequest, "%v", err)
	}
	switch actor := given.(type) {
	case nil:
	case string:
		r.Actor.Role = actor
	case map[string]any:
		a := strict.FieldsOf(actor, "actor")
		r.Actor = Actor{a.String("id"), a.String("role")}
		if err := a.Done(); err != nil {
			return r, refuse(CodeRequest, "%v", err)
		}
	default:
		return r, refuse(CodeRequest, "actor is neither an object nor a role")
	}
	return r, nil
}
