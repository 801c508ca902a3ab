package scenario

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/packs/process"
)

// Report is the result of the scenarios of a process.
type Report struct {
	Passed  bool     `json:"passed"`
	ID      string   `json:"process_id"`
	Version string   `json:"process_version"`
	Profile string   `json:"profile_hash"`
	Pack    string   `json:"pack_hash"` // of everything in the pack
	Lacking []string `json:"missing_classes,omitempty"`
	Results []Result `json:"scenarios"`
}

// Result is the result of one scenario.
type Result struct {
	ID     string   `json:"id"`
	Class  string   `json:"class"`
	Passed bool     `json:"passed"`
	Wrong  []string `json:"wrong,omitempty"`
	Notes  []string `json:"notes,omitempty"`
}

// Play runs all scenarios of the process in a directory, or those with an id or
// of a class. The error means that they could not run.
func Play(ctx context.Context, dir, name string) (Report, error) {
	d, report := process.Read(dir)
	if d == nil {
		return Report{}, fmt.Errorf("the process in %s cannot be used: %w", dir, firstError(report))
	}
	list, err := Read(dir)
	if err != nil {
		return Report{}, err
	}
	out := Report{Passed: true, ID: d.Manifest.ID, Version: d.Manifest.Version, Profile: d.Digest, Pack: d.Revision}
	for _, s := range list {
		if name != "" && s.ID != name && s.Class != name {
			continue
		}
		result, err := play(ctx, dir, s)
		if err != nil {
			return out, fmt.Errorf("%s: %w", s.ID, err)
		}
		out.Results = append(out.Results, result)
		out.Passed = out.Passed && result.Passed
	}
	switch {
	case name != "" && len(out.Results) == 0:
		return out, fmt.Errorf("there is no scenario %q", name)
	case name == "":
		for _, class := range d.Profile.Classes(d.Hooks != nil) {
			if !slices.ContainsFunc(list, func(s Scenario) bool { return strings.Contains(s.Class, class) || strings.Contains(s.ID, class) }) {
				out.Lacking, out.Passed = append(out.Lacking, class), false
			}
		}
	}
	return out, nil
}

func firstError(r process.Report) error {
	for _, d := range r.Diagnostics {
		if d.Severity == "error" {
			return fmt.Errorf("%s", d)
		}
	}
	return fmt.Errorf("there are no problems")
}

func play(ctx context.Context, dir string, s Scenario) (Result, error) {
	state, err := os.MkdirTemp("", "trammel-scenario-*")
	if err != nil {
		return Result{}, err
	}
	defer os.RemoveAll(state)
	p, report := process.Open(dir, process.Options{StateDir: state, Project: dir})
	if p == nil {
		return Result{}, firstError(report)
	}
	defer p.Close()
	r := Result{ID: s.ID, Class: s.Class}
	profile := p.Definition().Profile
	if s.Profile != "" && s.Profile != profile.ID || s.ProfileVersion != "" && s.ProfileVersion != profile.Version {
		r.Wrong = append(r.Wrong, fmt.Sprintf("it was written for %s %s; this is %s %s", s.Profile, s.ProfileVersion, profile.ID,
			profile.Version))
		return r, nil
	}
	run := ""
	for i, step := range s.Steps {
		if step.NewRun {
			run = ""
		}
		step.Request.Run = run
		response, err := p.Control(ctx, step.Request)
		if err != nil {
			return r, err
		}
		run = cmp.Or(run, response.Run)
		wrong, notes, err := compare(step.Expect, &response)
		if err != nil {
			return r, err
		}
		at := fmt.Sprintf("step %d", i+1)
		if step.Name != "" {
			at += " (" + step.Name + ")"
		}
		for _, w := range wrong {
			r.Wrong = append(r.Wrong, at+": "+w)
		}
		for _, n := range notes {
			r.Notes = append(r.Notes, at+": "+n)
		}
	}
	r.Passed = len(r.Wrong) == 0
	return r, nil
}

// compare compares a response with an expectation. Documents differ on whether
// the status of a gate that stops an action is nok or ok: if the route is as
// expected, ok instead of nok is only noted.
func compare(expect map[string]any, response *process.Response) (wrong, notes []string, _ error) {
	raw, err := json.Marshal(response)
	if err != nil {
		return nil, nil, err
	}
	got, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		return nil, nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(expect)) {
		have, there := got[name]
		if _, isBool := expect[name].(bool); !there && isBool {
			have = false
		}
		want := expect[name]
		if canonical.DigestOf(have) == canonical.DigestOf(want) && canonical.DigestOf(want) != "" {
			continue
		}
		a, _ := canonical.Append(nil, have)
		b, _ := canonical.Append(nil, want)
		text := fmt.Sprintf("%s: got %s, expected %s", name, a, b)
		if name == "status" && have == process.StatusNOK && want == process.StatusOK && expect["route"] == string(response.Route) {
			notes = append(notes, text)
			continue
		}
		wrong = append(wrong, text)
	}
	if len(wrong) > 0 && response.Reason != "" {
		wrong = append(wrong, "the reason was: "+response.Reason)
	}
	return wrong, notes, nil
}
