package process

import (
	"fmt"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/dialects/fst"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/packs"
)

// Read validates a pack and returns its definition, nil if it cannot be used.
// The steps run in order; something that claims authority ends them.
func Read(dir string) (*Definition, Report) {
	r := Report{Valid: true, usable: true, Diagnostics: []packs.Diagnostic{}}
	root, err := packs.Root(dir)
	if err != nil {
		r.wrong(StepManifest, dir, "%v", err)
		return nil, r
	}
	d := &Definition{schemas: map[string]schema{}}
	before, err := files.Tree(root)
	if err != nil {
		r.wrong(StepManifest, ManifestName, "%v", err)
	}
	if !r.define(root, d) || !r.usable {
		return nil, r
	}
	if d.Revision, err = files.Tree(root); err != nil || d.Revision != before {
		r.wrong(StepManifest, ManifestName, "the pack was changed while it was read")
		return nil, r
	}
	d.Digest = digestOf(d.Profile)
	return d, r
}

// define runs the steps, and reports whether all of them ran.
func (r *Report) define(root string, d *Definition) (ok bool) {
	if d.Manifest, ok = r.manifest(root); !ok || r.stopped {
		return false
	}
	if d.Profile, ok = r.profile(root, d.Manifest.ProfilePath); !ok {
		return false
	}
	v := validation{Report: r, root: root, d: d, file: d.Manifest.ProfilePath}
	if !v.steps() {
		return false
	}
	core := d.Manifest.CorePath
	if core == "" || core == d.Manifest.ProfilePath || !r.usable {
		return true
	}
	runs, ok := r.profile(root, core)
	if !ok {
		return false
	}
	v.agrees(&runs)
	d.Profile, v.file = runs, core
	return v.steps()
}

// steps runs the steps about a profile, and reports whether all of them ran.
func (v *validation) steps() bool {
	for _, step := range []func(){v.ids, v.docs, v.sections, v.actions, v.artifacts, v.gates, v.routes, v.hooks, v.forbidden, v.schemas,
		v.scenarios,
		v.scope, v.approvals} {
		if step(); v.stopped {
			return false
		}
	}
	return true
}

type validation struct {
	*Report
	root string
	d    *Definition
	file string // the profile
}

func (v *validation) at(format string, args ...any) string {
	return v.file + ":" + fmt.Sprintf(format, args...)
}

// ids is the rest of step 3.
func (v *validation) ids() {
	p := &v.d.Profile
	v.unique("artifact_types", len(p.ArtifactTypes), func(i int) string { return p.ArtifactTypes[i].ID })
	v.unique("actions", len(p.Actions), func(i int) string { return p.Actions[i].ID })
	v.unique("gates", len(p.Gates), func(i int) string { return p.Gates[i].ID })
	if p.ID != "" && v.d.Manifest.ID != "" && p.ID != v.d.Manifest.ID {
		v.add(packs.Warning, StepShape, v.at("profile.id"), "the profile is called %s, but the process is called %s", p.ID, v.d.Manifest.ID)
	}
	for i, role := range p.Roles {
		if !slices.Contains(roles, role) {
			v.wrong(StepShape, v.at("roles[%d]", i), "found %.40q, expected one of %v", role, roles)
		}
	}
}

func (v *validation) unique(what string, n int, id func(int) string) {
	seen := map[string]bool{}
	for i := range n {
		if seen[id(i)] {
			v.wrong(StepShape, v.at("%s[%d].id", what, i), "%s is already declared", id(i))
		}
		seen[id(i)] = true
	}
}

// actions is step 4: the next actions exist, and everything that an action
// needs is declared.
func (v *validation) actions() {
	p, m := &v.d.Profile, &v.d.Manifest
	for i := range p.Actions {
		a := &p.Actions[i]
		for j, next := range a.Next {
			if p.Action(next) == nil {
				v.wrong(StepActions, v.at("actions[%d].next_actions[%d]", i, j), "there is no action %s", next)
			}
		}
		for j, role := range a.Roles {
			if !slices.Contains(roles, role) || len(p.Roles) > 0 && !slices.Contains(p.Roles, role) {
				v.wrong(StepActions, v.at("actions[%d].allowed_roles[%d]", i, j), "there is no role %s", role)
			}
		}
		for j, c := range a.Capabilities {
			at := v.at("actions[%d].required_capabilities[%d]", i, j)
			if slices.Contains(m.Forbidden, c) {
				v.authority(StepActions, at, "the capability %s is forbidden by the manifest", c)
			} else if !slices.Contains(m.Requires, c) {
				v.wrong(StepActions, at, "the manifest does not require the capability %s", c)
			}
		}
	}
}

// artifacts is step 5.
func (v *validation) artifacts() {
	p := &v.d.Profile
	known := func(list []string, format string, args ...any) {
		for j, id := range list {
			if p.ArtifactType(id) == nil {
				v.wrong(StepArtifacts, v.at(format+"[%d]", append(args, j)...), "there is no artifact type %s", id)
			}
		}
	}
	for i := range p.Actions {
		known(p.Actions[i].Produces, "actions[%d].produces_artifacts", i)
	}
	for i := range p.Gates {
		known(p.Gates[i].Artifacts, "gates[%d].required_artifacts", i)
		p.Gates[i].Condition.each(func(c *Condition) {
			if c.Op == opArtifactMissing {
				known([]string{c.Field}, "gates[%d].condition.artifact_missing", i)
			}
		})
	}
	known(p.Completion, "completion_report.required")
	for i := range p.ArtifactTypes {
		known(p.ArtifactTypes[i].Contradicts, "artifact_types[%d].contradicts", i)
	}
}

// gates is step 6.
func (v *validation) gates() {
	p := &v.d.Profile
	for i := range p.Gates {
		g := &p.Gates[i]
		if p.Action(g.Before) == nil {
			v.wrong(StepGates, v.at("gates[%d].before_action", i), "there is no action %s", g.Before)
		}
		for j, next := range g.Next {
			if p.Action(next) == nil {
				v.wrong(StepGates, v.at("gates[%d].next_allowed_actions[%d]", i, j), "there is no action %s", next)
			}
		}
	}
}

// routes is step 7: all routes are known, and a gate that fails does not lead
// to success.
func (v *validation) routes() {
	p := &v.d.Profile
	for i, route := range p.Routes {
		if !slices.Contains(Routes(), route) {
			v.wrong(StepRoutes, v.at("routes[%d]", i), "found %.40q, expected one of %v", route, Routes())
		}
	}
	for i := range p.Gates {
		at, route := v.at("gates[%d].route", i), p.Gates[i].Route
		switch {
		case !slices.Contains(Routes(), route):
			v.wrong(StepRoutes, at, "found %.40q, expected one of %v", route, Routes())
		case !slices.Contains(failing, route):
			v.wrong(StepRoutes, at, "a gate that fails cannot lead to %s; expected one of %v", route, failing)
		case len(p.Routes) > 0 && !slices.Contains(p.Routes, route):
			v.wrong(StepRoutes, at, "the profile does not list the route %s", route)
		}
	}
}

// hooks is step 8: the hook manifest is valid, and exports the required hooks.
// Claims of authority are left to step 9.
func (v *validation) hooks() {
	path := v.d.Manifest.HooksPath
	if path != "" && path != packs.ManifestName {
		v.wrong(StepHooks, ManifestName+":process.hooks_path", "found %.40q: the hook manifest is %s, at the root", path, packs.ManifestName)
		return
	}
	broken := false
	if path != "" {
		if _, err := inside(v.root, path); err != nil {
			v.wrong(StepHooks, path, "%v", err)
			return
		}
		pack, list := packs.Open(v.root)
		for _, d := range list {
			broken = broken || d.Severity == packs.Error
			if d.Code == "forbidden_output_allowed" {
				v.authority(StepForbidden, d.Path, "%s", d.Message)
			} else if d.Severity == packs.Error {
				v.wrong(StepHooks, d.Path, "%s: %s", d.Code, d.Message)
			}
		}
		if v.d.Hooks = pack; pack != nil {
			for _, d := range pack.Check() {
				v.wrong(StepHooks, d.Path, "%s: %s", d.Code, d.Message)
			}
		}
	}
	if !broken {
		v.exports()
	}
}

func (v *validation) exports() {
	p := &v.d.Profile
	for i := range p.Gates {
		p.Gates[i].Condition.each(func(c *Condition) {
			if c.Op == opFactEquals || c.Op == opFactMissing {
				hook, _ := c.hook()
				v.exported(hook, fst.Evaluate, v.at("gates[%d].condition.%s", i, c.Op))
			}
		})
	}
	for i := range p.ArtifactTypes {
		for j, hook := range p.ArtifactTypes[i].ValidatedBy {
			v.exported(hook, fst.Validate, v.at("artifact_types[%d].validated_by[%d]", i, j))
		}
	}
}

func (v *validation) exported(id string, kind fst.Type, at string) {
	var h packs.Hook
	known := false
	if v.d.Hooks != nil {
		h, known = v.d.Hooks.Hook(id)
	}
	switch {
	case !known:
		v.wrong(StepHooks, at, "the pack exports no hook %q; facts are named hook.fact", id)
	case h.Type != kind:
		v.wrong(StepHooks, at, "the hook %s is a %s, expected %s", id, h.Type, kind)
	}
}

// forbidden is step 9: nothing declares authority.
func (v *validation) forbidden() {
	names := fst.ForbiddenNames(v.d.Manifest.HookOutputs...)
	for i, t := range v.d.Profile.ArtifactTypes {
		if named(t.ID, record) || names.Has(t.ID) {
			v.authority(StepForbidden, v.at("artifact_types[%d].id", i), "%s comes from people's approvals, never from an action", t.ID)
		}
	}
	for i := range v.d.Profile.Gates {
		v.d.Profile.Gates[i].Condition.each(func(c *Condition) {
			if _, fact := c.hook(); (c.Op == opFactEquals || c.Op == opFactMissing) && names.Has(fact) {
				v.authority(StepForbidden, v.at("gates[%d].condition.%s", i, c.Op), "no hook may return %s", fact)
			}
		})
	}
}

// scope is step 12: an effect names its scope.
func (v *validation) scope() {
	for i := range v.d.Profile.Actions {
		a := &v.d.Profile.Actions[i]
		switch {
		case a.Mode != "" && len(a.ScopeFields) == 0:
			v.wrong(StepScope, v.at("actions[%d].materialization_scope_fields", i), "an effect (%s) needs scope fields", a.Mode)
		case a.Mode == "" && len(a.ScopeFields) > 0:
			v.wrong(StepScope, v.at("actions[%d].materialization_mode", i), "there are scope fields, but no effect")
		case a.Mode != "" && len(v.d.Manifest.Modes) > 0 && !slices.Contains(v.d.Manifest.Modes, a.Mode):
			v.wrong(StepScope, v.at("actions[%d].materialization_mode", i), "the manifest does not list the mode %s", a.Mode)
		}
	}
}

// approvals is step 13: gates that wait for people name the role, and nobody
// else can approve.
func (v *validation) approvals() {
	p := &v.d.Profile
	for i := range p.Gates {
		g := &p.Gates[i]
		switch {
		case (g.Type == gateApproval || g.Route == AwaitApproval) && g.Approval == nil:
			v.wrong(StepApprovals, v.at("gates[%d].required_approval", i), "it waits for an approval, but does not name the role and the scope")
		case g.Approval != nil && g.Route != AwaitApproval:
			v.wrong(StepApprovals, v.at("gates[%d].route", i), "a gate with an approval leads to %s", AwaitApproval)
		case g.Approval != nil && slices.Contains([]string{RoleAgent, RoleSystem, RoleUser}, strings.ToLower(g.Approval.Role)):
			v.authority(StepApprovals, v.at("gates[%d].required_approval.role", i), "%s cannot approve", g.Approval.Role)
		}
	}
	for i := range p.Actions {
		if slices.Contains(p.Actions[i].Roles, roleApprover) {
			v.authority(StepApprovals, v.at("actions[%d].allowed_roles", i), "an approver decides about actions, and cannot request them")
		}
		if p.Actions[i].Mode == "real" && !slices.ContainsFunc(p.Gates, func(g Gate) bool {
			return g.Before == p.Actions[i].ID &&
				g.Approval != nil
		}) {
			v.add(packs.Warning, StepApprovals, v.at("actions[%d].materialization_mode", i), "this real effect needs no approval")
		}
	}
	for i, t := range p.ArtifactTypes {
		if slices.Contains(t.Sources, roleApprover) {
			v.wrong(StepApprovals, v.at("artifact_types[%d].allowed_sources", i), "an approver cannot create artifacts")
		}
	}
}
