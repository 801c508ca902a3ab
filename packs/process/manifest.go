package process

import (
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/mod/semver"

	"github.com/trammel-dev/trammel/internal/lazy"
	"github.com/trammel-dev/trammel/packs"
)

// Manifest is the manifest of a pack. Requiring something does not grant it.
type Manifest struct {
	ID          string   `json:"process_id"`
	Version     string   `json:"process_version"`
	Name        string   `json:"display_name,omitempty"`
	Description string   `json:"description,omitempty"`
	ProfileAPI  string   `json:"profile_api"`
	LogicAPI    string   `json:"logic_api"`
	ProfilePath string   `json:"profile_path"`
	HooksPath   string   `json:"hooks_path,omitempty"`
	SkillPath   string   `json:"skill_path,omitempty"`
	CorePath    string   `json:"core_profile_path,omitempty"`
	Command     string   `json:"command,omitempty"`
	Kind        string   `json:"package_kind,omitempty"`
	Requires    []string `json:"required_capabilities,omitempty"`
	Modes       []string `json:"materialization_modes,omitempty"`
	Forbidden   []string `json:"forbidden_capabilities,omitempty"`
	HookOutputs []string `json:"forbidden_hook_outputs,omitempty"`
	ForUse      *Needed  `json:"approval_for_use,omitempty"`
	// DocsPath is the path of the documents that the profile was written from,
	// if they are in the pack.
	DocsPath string `json:"docs_path,omitempty"`
	// DocsSections are the headings that it has to have.
	DocsSections []string `json:"docs_sections,omitempty"`
	DocsRequired bool     `json:"docs_required,omitempty"`
}

// Needed is the approval that something needs.
type Needed struct {
	Role  string `json:"role"`
	Scope string `json:"scope"`
}

var (
	processID = lazy.Regexp(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	modes     = []string{"mock", "shadow", "real"}
)

// manifest reads the manifest: steps 1 and 2.
func (r *Report) manifest(root string) (m Manifest, ok bool) {
	top, ok := r.open(root, ManifestName, StepManifest)
	if !ok {
		return m, false
	}
	top.only("process", "package", "docs", "requires", "forbidden", "approval_for_use")
	p := top.need("process").only("id", "version", "display_name", "description", "profile_api", "logic_api", "profile_path", "hooks_path",
		"skill_path", "core_profile_path", "command")
	m = Manifest{ID: p.need("id").text(), Version: p.need("version").text(), Name: p.field("display_name").text(),
		Description: p.field("description").text(), Command: p.field("command").field("name").text(),
		Kind: top.field("package").only("kind", "mvp_status", "output_archive").field("kind").text()}
	r.ID, r.Version = m.ID, m.Version
	if m.ID != "" && (!processID().MatchString(m.ID) || len(m.ID) > 64) {
		p.field("id").wrong("found %.40q, expected a name in snake_case", m.ID)
	}
	if m.Version != "" && !isVersion(m.Version) {
		p.field("version").wrong("found %.40q, expected a semantic version such as 0.1.0", m.Version)
	}
	if m.Kind != "" && m.Kind != "directory" && m.Kind != "archive" {
		top.field("package").field("kind").wrong("found %.40q, expected directory or archive", m.Kind)
	}
	r.paths(root, p, &m)
	r.capabilities(top, &m)
	if use := top.field("approval_for_use").only("install_action", "approve_use_action", "required_approval"); use.at != nil {
		m.ForUse = use.need("required_approval").needed()
	}
	docs := top.field("docs").only("required", "trusted_source", "required_sections")
	if m.DocsRequired = docs.field("required").flag(); docs.field("trusted_source").at != nil {
		source := docs.field("trusted_source")
		if _, named := source.at.(map[string]any); named {
			source = source.field("local_path")
		}
		m.DocsPath = source.text()
	}
	m.DocsSections = docs.field("required_sections").names()
	r.apis(p, &m)
	return m, true
}

func isVersion(s string) bool {
	return semver.IsValid("v"+s) && semver.Canonical("v"+s)+semver.Build("v"+s) == "v"+s
}

// paths checks that the files of the manifest are in the pack.
func (r *Report) paths(root string, p node, m *Manifest) {
	m.ProfilePath = profileName
	for _, f := range []struct {
		name string
		at   *string
	}{{"profile_path", &m.ProfilePath}, {"hooks_path", &m.HooksPath}, {"skill_path", &m.SkillPath}, {"core_profile_path", &m.CorePath}} {
		n := p.field(f.name)
		if n.at == nil {
			continue
		}
		*f.at = n.text()
		if _, err := inside(root, *f.at); err != nil {
			n.wrong("%v", err)
		}
	}
	if p.field("profile_path").at == nil {
		if _, err := inside(root, profileName); err != nil {
			m.ProfilePath = coreName
		}
		if m.ProfilePath == coreName && m.CorePath != "" {
			m.ProfilePath = m.CorePath
		}
	}
	if _, err := os.Lstat(filepath.Join(root, packs.ManifestName)); m.HooksPath == "" && err == nil {
		m.HooksPath = packs.ManifestName
	}
}

// capabilities refuses a pack that requires a forbidden capability.
func (r *Report) capabilities(top node, m *Manifest) {
	requires := top.field("requires").only("capabilities", "materialization_modes")
	forbidden := top.field("forbidden").only("capabilities", "hook_outputs")
	m.Requires, m.Modes = requires.field("capabilities").names(), requires.field("materialization_modes").names()
	m.Forbidden, m.HookOutputs = forbidden.field("capabilities").names(), forbidden.field("hook_outputs").names()
	for _, mode := range m.Modes {
		if !slices.Contains(modes, mode) {
			requires.field("materialization_modes").wrong("found %.40q, expected one of %v", mode, modes)
		}
	}
	for _, c := range m.Requires {
		if slices.Contains(m.Forbidden, c) {
			at := requires.field("capabilities")
			r.authority(StepManifest, at.place(), "the capability %s is both required and forbidden", c)
		}
	}
}

func (r *Report) apis(p node, m *Manifest) {
	p = p.with(StepAPI)
	for _, api := range []struct {
		name, want string
		at         *string
	}{{"profile_api", ProfileAPI, &m.ProfileAPI}, {"logic_api", LogicAPI, &m.LogicAPI}} {
		n := p.need(api.name)
		if *api.at = n.text(); n.at != nil && *api.at != api.want {
			n.wrong("found %.40q, expected %s", *api.at, api.want)
		}
	}
	r.ProfileAPI, r.LogicAPI = m.ProfileAPI, m.LogicAPI
}

// needed reads {role, scope}.
func (n node) needed() *Needed {
	if n.at == nil {
		return nil
	}
	n.only("role", "scope")
	return &Needed{Role: n.need("role").text(), Scope: n.need("scope").text()}
}
