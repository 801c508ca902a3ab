package process

import (
	"encoding/json"
	"time"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Profile says what may happen in a process. Both spellings of the file give
// the same value. Runs are bound to its digest.
type Profile struct {
	ID           string `json:"id"`
	Version      string `json:"version"`
	Purpose      string `json:"purpose,omitempty"`
	DocsHash     string `json:"docs_hash,omitempty"`
	InitialStage string `json:"initial_stage,omitempty"`
	// OnHookFailure is where a failed hook leads: Blocked or InstructAgent.
	OnHookFailure Route          `json:"on_hook_failure"`
	Roles         []string       `json:"roles"`
	Routes        []Route        `json:"routes"`
	ArtifactTypes []ArtifactType `json:"artifact_types,omitempty"`
	Actions       []Action       `json:"actions"`
	Gates         []Gate         `json:"gates,omitempty"`
	// Completion are the types of artifacts that complete a run; some actions
	// complete it, too.
	Completion []string `json:"completion_report,omitempty"`
}

// ArtifactType is a type of artifact, and what is needed to admit one.
type ArtifactType struct {
	ID       string   `json:"id"`
	Required []string `json:"required_fields,omitempty"`
	Sources  []string `json:"allowed_sources,omitempty"` // roles that may create one; empty is every role
	Schema   string   `json:"schema,omitempty"`
	// ValidatedBy are hooks that must find it valid, in addition to those that take
	// artifacts of this type by their own declaration.
	ValidatedBy []string `json:"validated_by,omitempty"`
	// Contradicts are the types whose artifacts stop counting when one of this
	// type is admitted.
	Contradicts []string `json:"contradicts,omitempty"`
	// ExpiresAfter is how long one counts; 0 means as long as the run.
	ExpiresAfter time.Duration `json:"expires_after_ns,omitempty"`
}

// Action is something that an actor may ask for.
type Action struct {
	ID           string   `json:"id"`
	Description  string   `json:"description,omitempty"`
	Roles        []string `json:"allowed_roles,omitempty"`
	Capabilities []string `json:"required_capabilities,omitempty"`
	Connectors   []string `json:"required_connectors,omitempty"`
	Produces     []string `json:"produces_artifacts,omitempty"`
	Mode         string   `json:"materialization_mode,omitempty"`
	ScopeFields  []string `json:"materialization_scope_fields,omitempty"`
	Next         []string `json:"next_actions,omitempty"`
	Completes    bool     `json:"completes_run,omitempty"`
}

// Gate is a check before an action. If its condition is true, it fails, unless
// it asks for artifacts or an approval, and has them.
type Gate struct {
	ID            string     `json:"id"`
	Type          string     `json:"type"`
	Before        string     `json:"before_action"`
	Condition     *Condition `json:"condition,omitempty"` // nil holds always
	Route         Route      `json:"route"`
	Reason        string     `json:"reason,omitempty"`
	Instruction   string     `json:"instruction,omitempty"`
	Artifacts     []string   `json:"required_artifacts,omitempty"`
	Approval      *Needed    `json:"required_approval,omitempty"`
	Next          []string   `json:"next_allowed_actions,omitempty"`
	OnHookFailure Route      `json:"on_hook_failure,omitempty"`
}

// The types of gates.
const (
	gateDecision    = "decision"
	gateApproval    = "approval"
	gateConformance = "process_conformance"
)

// Route is the result of a control call. There are no others than these.
type Route string

// The routes.
const (
	Continue           Route = "Continue"
	InstructAgent      Route = "InstructAgent"
	AskUser            Route = "AskUser"
	AwaitApproval      Route = "AwaitApproval"
	Blocked            Route = "Blocked"
	MaterializeMock    Route = "MaterializeMock"
	MaterializeAllowed Route = "MaterializeAllowed"
	Complete           Route = "Complete"
)

// Routes lists all routes.
func Routes() []Route {
	return []Route{Continue, InstructAgent, AskUser, AwaitApproval, Blocked, MaterializeMock, MaterializeAllowed, Complete}
}

// failing are the routes of gates that fail.
var failing = []Route{InstructAgent, AskUser, AwaitApproval, Blocked}

// Action finds an action.
func (p *Profile) Action(id string) *Action {
	return find(p.Actions, id, func(a *Action) string { return a.ID })
}

// ArtifactType finds a type of artifacts.
func (p *Profile) ArtifactType(id string) *ArtifactType {
	return find(p.ArtifactTypes, id, func(t *ArtifactType) string { return t.ID })
}

func find[T any](list []T, id string, idOf func(*T) string) *T {
	for i := range list {
		if idOf(&list[i]) == id {
			return &list[i]
		}
	}
	return nil
}

// digestOf is the digest of a value in canonical JSON.
func digestOf(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	obj, err := strict.Object(data, strict.Limits{})
	if err != nil {
		return ""
	}
	return canonical.DigestOf(obj)
}
