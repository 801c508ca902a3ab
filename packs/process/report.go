package process

import (
	"fmt"
	"slices"

	"github.com/trammel-dev/trammel/packs"
)

// Report is what validation found.
type Report struct {
	Valid       bool               `json:"valid"`
	ID          string             `json:"process_id"`
	Version     string             `json:"process_version"`
	ProfileAPI  string             `json:"profile_api"`
	LogicAPI    string             `json:"logic_api"`
	Diagnostics []packs.Diagnostic `json:"diagnostics"`

	usable  bool // only scenarios are missing
	stopped bool // something claims authority: the rest is not checked
}

// The steps of validation, in their order. Each is the code of what it finds.
const (
	StepManifest  = "manifest"
	StepAPI       = "api_version"
	StepShape     = "profile_shape"
	StepActions   = "action_closure"
	StepArtifacts = "artifact_refs"
	StepGates     = "gate_refs"
	StepRoutes    = "unknown_route"
	StepHooks     = "hook_manifest"
	StepForbidden = "forbidden_output"
	StepSchemas   = "artifact_schema"
	StepScenarios = "scenario_coverage"
	StepScope     = "scope_fields"
	StepApprovals = "approval_requirements"
)

func (r *Report) add(s packs.Severity, code, path, format string, args ...any) {
	if s == packs.Error {
		r.Valid = false
		r.usable = r.usable && code == StepScenarios
	}
	d := packs.Diagnostic{Severity: s, Code: code, Path: path, Message: fmt.Sprintf(format, args...)}
	if !slices.Contains(r.Diagnostics, d) { // two forms of a profile share the rest
		r.Diagnostics = append(r.Diagnostics, d)
	}
}

func (r *Report) wrong(code, path, format string, args ...any) {
	r.add(packs.Error, code, path, format, args...)
}

// authority reports something that claims authority. The rest is not checked.
func (r *Report) authority(code, path, format string, args ...any) {
	r.wrong(code, path, format, args...)
	r.stopped = true
}

// first is the first error.
func (r *Report) first() string {
	for _, d := range r.Diagnostics {
		if d.Severity == packs.Error {
			return d.String()
		}
	}
	return "there are no problems"
}
