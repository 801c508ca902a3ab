package process

import (
	"slices"
	"time"

	"github.com/trammel-dev/trammel/packs"
)

// profile reads a profile in either spelling: step 3. The older one has names
// for ids, creates_artifacts, requires_artifacts, messages for reasons, and
// conditions with an operator.
func (r *Report) profile(root, path string) (p Profile, ok bool) {
	top, ok := r.open(root, path, StepShape)
	if !ok {
		return p, false
	}
	before := len(r.Diagnostics)
	top.only("profile", "id", "profile_id", "version", "profile_version", "purpose", "description", "docs_hash", "initial_stage", "roles",
		"routes", "artifact_types", "artifacts", "actions", "gates", "on_hook_failure", "scenarios", "completion_report")
	head := top
	if inner := top.field("profile"); inner.at != nil {
		head = inner.only("id", "version", "purpose", "description", "docs_hash", "initial_stage", "on_hook_failure")
	}
	p = Profile{ID: head.need("id", "profile_id", "name").text(), Version: head.need("version", "profile_version").text(),
		Purpose: head.field("purpose", "description").text(), DocsHash: head.field("docs_hash").text(),
		InitialStage: head.field("initial_stage").text(), OnHookFailure: Blocked, Roles: top.field("roles").names(),
		Completion: top.field("completion_report").only("required").field("required").names()}
	if p.Version != "" && !isVersion(p.Version) {
		head.field("version", "profile_version").wrong("found %.40q, expected a semantic version such as 0.1.0", p.Version)
	}
	for _, f := range []node{top.field("on_hook_failure"), head.field("on_hook_failure")} {
		if route := f.onFailure(); route != "" {
			p.OnHookFailure = route
		}
	}
	for _, name := range top.field("routes").names() {
		p.Routes = append(p.Routes, Route(name))
	}
	for _, n := range top.field("artifact_types", "artifacts").list() {
		p.ArtifactTypes = append(p.ArtifactTypes, n.artifactType())
	}
	actions := top.need("actions")
	for _, n := range actions.list() {
		p.Actions = append(p.Actions, n.action())
	}
	if actions.at != nil && len(p.Actions) == 0 {
		actions.wrong("there are no actions")
	}
	for _, n := range top.field("gates").list() {
		p.Gates = append(p.Gates, n.gate())
	}
	wrong := func(d packs.Diagnostic) bool { return d.Severity == packs.Error }
	return p, !slices.ContainsFunc(r.Diagnostics[before:], wrong)
}

func (n node) artifactType() ArtifactType {
	if s, ok := n.at.(string); ok {
		return ArtifactType{ID: s}
	}
	n.only("id", "name", "type", "description", "required_fields", "allowed_sources", "schema", "schema_path", "validated_by", "contradicts",
		"expires_after")
	t := ArtifactType{ID: n.need("id", "name", "type").text(), Required: n.field("required_fields").names(),
		Sources: n.field("allowed_sources").names(), Schema: n.field("schema", "schema_path").text(),
		ValidatedBy: n.field("validated_by").names(), Contradicts: n.field("contradicts").names()}
	if at := n.field("expires_after"); at.at != nil {
		d, err := time.ParseDuration(at.text())
		if err != nil || d <= 0 {
			at.wrong("expected a duration such as 24h")
		}
		t.ExpiresAfter = d
	}
	return t
}

func (n node) action() Action {
	n.only("id", "name", "description", "allowed_roles", "roles", "required_capabilities", "required_connectors", "produces_artifacts",
		"creates_artifacts", "materialization_mode", "materialization_route", "materialization_scope_fields", "next_actions", "completes_run")
	a := Action{ID: n.need("id", "name").text(), Description: n.field("description").text(),
		Roles: n.field("allowed_roles", "roles").names(), Capabilities: n.field("required_capabilities").names(),
		Connectors: n.field("required_connectors").names(), Produces: n.field("produces_artifacts", "creates_artifacts").names(),
		Mode: n.field("materialization_mode").text(), ScopeFields: n.field("materialization_scope_fields").names(),
		Next: n.field("next_actions").names(), Completes: n.field("completes_run").flag()}
	if a.Mode == "none" {
		a.Mode = ""
	}
	if a.Mode != "" && !slices.Contains(modes, a.Mode) {
		n.field("materialization_mode").wrong("found %.40q, expected one of %v", a.Mode, modes)
	}
	if at := n.field("materialization_route"); at.at != nil && (a.Mode == "" || Route(at.text()) != a.route()) {
		at.with(StepRoutes).wrong("found %.40q; the mode %q leads to %s", at.text(), a.Mode, a.route())
	}
	return a
}

func (n node) gate() Gate {
	n.only("id", "name", "type", "description", "before_action", "action", "condition", "route", "reason", "message", "instruction",
		"required_artifacts", "requires_artifacts", "required_approval", "requires_approval", "next_allowed_actions", "on_hook_failure")
	g := Gate{ID: n.need("id", "name").text(), Type: n.field("type").text(), Before: n.need("before_action", "action").text(),
		Route: Route(n.need("route").text()), Reason: n.field("reason", "message").text(), Instruction: n.field("instruction").text(),
		Artifacts: n.field("required_artifacts", "requires_artifacts").names(),
		Approval:  n.field("required_approval", "requires_approval").needed(),
		Next:      n.field("next_allowed_actions").names(), OnHookFailure: n.field("on_hook_failure").onFailure()}
	if c := n.field("condition"); c.at != nil {
		g.Condition = c.condition()
	}
	switch {
	case g.Type == "" && g.Approval != nil:
		g.Type = gateApproval
	case g.Type == "" && len(g.Artifacts) > 0:
		g.Type = gateConformance
	case g.Type == "":
		g.Type = gateDecision
	case !slices.Contains([]string{gateDecision, gateApproval, gateConformance}, g.Type):
		n.field("type").wrong("found %.40q, expected %s, %s or %s", g.Type, gateDecision, gateApproval, gateConformance)
	}
	if g.Condition == nil && g.Approval == nil && len(g.Artifacts) == 0 {
		n.wrong("a gate needs a condition, artifacts or an approval; for one that always fails use always: true")
	}
	return g
}

// onFailure is the route for a failed hook.
func (n node) onFailure() Route {
	route := Route(n.text())
	if route != "" && route != Blocked && route != InstructAgent {
		n.wrong("found %.40q, expected %s or %s", route, Blocked, InstructAgent)
	}
	return route
}
