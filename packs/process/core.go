package process

import (
	"errors"
	"os"
	"slices"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/lazy"
	"github.com/trammel-dev/trammel/packs"
)

// A pack may have two profiles: as it was written, and as it runs
// (core_profile_path). The second may add to the first, but never contradict
// it.

// agrees compares the profile that runs with the one that was written.
func (v *validation) agrees(runs *Profile) {
	written, core := &v.d.Profile, v.d.Manifest.CorePath
	same := func(at string, a, b any) {
		if silent := a == nil || a == "" || a == false; !silent && digestOf(map[string]any{"it": a}) != digestOf(map[string]any{"it": b}) {
			v.wrong(StepShape, v.at("%s", at), "%s contradicts this", core)
		}
	}
	names := func(at string, a, b []string) {
		if a = slices.Sorted(slices.Values(a)); len(a) > 0 && !slices.Equal(a, slices.Sorted(slices.Values(b))) {
			v.wrong(StepShape, v.at("%s", at), "this has %v, but %s has %v", a, core, b)
		}
	}
	same("profile.id", written.ID, runs.ID)
	same("profile.version", written.Version, runs.Version)
	same("profile.docs_hash", written.DocsHash, runs.DocsHash)
	names("roles", written.Roles, runs.Roles)
	names("artifact_types", ids(written.ArtifactTypes, typeID), ids(runs.ArtifactTypes, typeID))
	names("actions", ids(written.Actions, actionID), ids(runs.Actions, actionID))
	if a, b := ids(written.Gates, gateID), ids(runs.Gates, gateID); !slices.Equal(a, b) {
		v.wrong(StepShape, v.at("gates"), "this has %v, but %s has %v; the order matters", a, core, b)
	}
	for i := range written.ArtifactTypes {
		if a, b := &written.ArtifactTypes[i], runs.ArtifactType(written.ArtifactTypes[i].ID); b != nil {
			at := "artifact_types." + a.ID
			names(at+".required_fields", a.Required, b.Required)
			names(at+".allowed_sources", a.Sources, b.Sources)
			names(at+".validated_by", a.ValidatedBy, b.ValidatedBy)
		}
	}
	for i := range written.Actions {
		if a, b := &written.Actions[i], runs.Action(written.Actions[i].ID); b != nil {
			at := "actions." + a.ID
			names(at+".allowed_roles", a.Roles, b.Roles)
			names(at+".required_capabilities", a.Capabilities, b.Capabilities)
			names(at+".required_connectors", a.Connectors, b.Connectors)
			names(at+".produces_artifacts", a.Produces, b.Produces)
			names(at+".materialization_scope_fields", a.ScopeFields, b.ScopeFields)
			names(at+".next_actions", a.Next, b.Next)
			same(at+".materialization_mode", a.Mode, b.Mode)
			same(at+".completes_run", a.Completes, b.Completes)
		}
	}
	for i := range written.Gates {
		if a, b := &written.Gates[i], find(runs.Gates, written.Gates[i].ID, gateID); b != nil {
			at := "gates." + a.ID
			names(at+".required_artifacts", a.Artifacts, b.Artifacts)
			same(at+".type", a.Type, b.Type)
			same(at+".before_action", a.Before, b.Before)
			same(at+".route", string(a.Route), string(b.Route))
			same(at+".condition", map[string]any{"it": a.Condition}, map[string]any{"it": b.Condition})
			same(at+".required_approval", map[string]any{"it": a.Approval}, map[string]any{"it": b.Approval})
		}
	}
}

func typeID(t *ArtifactType) string { return t.ID }
func actionID(a *Action) string     { return a.ID }
func gateID(g *Gate) string         { return g.ID }

func ids[T any](list []T, id func(*T) string) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = id(&list[i])
	}
	return out
}

var isDigest = lazy.Regexp(`^sha256:[0-9a-f]{64}$`)

// docs compares the documents of the pack with their digest in the profile.
// Documents outside of the pack cannot be checked here.
func (v *validation) docs() {
	hash, m, at := v.d.Profile.DocsHash, &v.d.Manifest, v.at("profile.docs_hash")
	switch {
	case hash == "" && m.DocsRequired:
		v.wrong(StepShape, at, "the manifest requires documents; say which the profile was written from")
		return
	case hash == "":
		return
	case !isDigest().MatchString(hash):
		v.wrong(StepShape, at, "found %.80q, expected sha256: and 64 hexadecimal digits", hash)
		return
	case m.DocsPath == "":
		v.add(packs.Warning, StepShape, at, "it is not checked: docs.trusted_source of the manifest names nothing in the pack")
		return
	}
	got, err := docsDigest(v.root, m.DocsPath)
	switch {
	case errors.Is(err, os.ErrNotExist):
		v.add(packs.Warning, StepShape, at, "it is not checked: %s is not in the pack", m.DocsPath)
	case err != nil:
		v.wrong(StepManifest, ManifestName+":docs.trusted_source", "%v", err)
	case got != hash:
		v.wrong(StepShape, at, "the profile was written from different documents: %s has %s", m.DocsPath, got)
	}
}

// docsDigest is that of a file's bytes, or of everything in a directory.
func docsDigest(root, path string) (string, error) {
	real, err := within(root, path)
	if err != nil {
		return "", err
	}
	if info, err := os.Lstat(real); err != nil || info.IsDir() {
		return files.Tree(real)
	}
	data, err := contents(root, path)
	return canonical.Digest(data), err
}
