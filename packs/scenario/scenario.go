// Package scenario runs the scenarios of a process: a list of requests, with
// the expected response of each. Every scenario has its own run and state, asks
// nobody and leaves nothing behind.
package scenario

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/packs/process"
)

// Scenario is one story about a process.
type Scenario struct {
	ID             string
	Class          string // the class; the id by default
	Profile        string // the profile that it was written for; "" means any
	ProfileVersion string
	Steps          []Step
	File           string
}

// Step is a request and its expected response.
type Step struct {
	Name    string
	Request process.Request
	NewRun  bool           // it starts a new run
	Expect  map[string]any // fields of the response
}

// expectable are the fields of a response that a step can expect.
var expectable = []string{"status", "code", "route", "decision", "may_proceed", "reason", "instruction", "gate_id", "gate_type",
	"missing_artifacts", "diagnostics", "next_allowed_actions", "completion_report_exists", "idempotent_replay"}

// Read reads all scenarios of the process in a directory, by file and place.
func Read(dir string) ([]Scenario, error) {
	entries, err := os.ReadDir(filepath.Join(dir, "scenarios"))
	if err != nil {
		return nil, err
	}
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	var out []Scenario
	for _, e := range entries {
		if !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(e.Name())) {
			continue
		}
		file := "scenarios/" + e.Name()
		doc, err := process.Document(root, file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		list, err := readFile(doc)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for i := range list {
			list[i].File = file
		}
		out = append(out, list...)
	}
	seen := map[string]bool{}
	for _, s := range out {
		if seen[s.ID] {
			return nil, fmt.Errorf("%s: there are two scenarios with the id %s", s.File, s.ID)
		}
		seen[s.ID] = true
	}
	return out, nil
}

func readFile(doc any) (out []Scenario, err error) {
	m, _ := doc.(map[string]any)
	list, many := m["scenarios"].([]any)
	if !many {
		list = []any{doc}
	}
	for i, v := range list {
		obj, ok := v.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("scenario %d is not a mapping", i+1)
		}
		s, err := read(obj)
		if err != nil {
			return nil, fmt.Errorf("scenario %d: %w", i+1, err)
		}
		out = append(out, s)
	}
	return out, nil
}

func read(obj map[string]any) (Scenario, error) {
	if err := only(obj, "id", "class", "description", "profile_id", "profile_version", "steps"); err != nil {
		return Scenario{}, err
	}
	text := func(key string) string { s, _ := obj[key].(string); return s }
	s := Scenario{ID: text("id"), Class: text("class"), Profile: text("profile_id"), ProfileVersion: text("profile_version")}
	steps, _ := obj["steps"].([]any)
	switch {
	case s.ID == "":
		return s, fmt.Errorf("there is no id")
	case len(steps) == 0:
		return s, fmt.Errorf("%s has no steps", s.ID)
	}
	s.Class = cmp.Or(s.Class, s.ID)
	for i, v := range steps {
		obj, _ := v.(map[string]any)
		step, err := readStep(obj)
		if err != nil {
			return s, fmt.Errorf("%s, step %d: %w", s.ID, i+1, err)
		}
		s.Steps = append(s.Steps, step)
	}
	return s, nil
}

func readStep(obj map[string]any) (Step, error) {
	if err := only(obj, "name", "action", "actor", "payload", "idempotency_key", "new_run", "expectation"); err != nil {
		return Step{}, err
	}
	request := map[string]any{}
	for _, key := range []string{"action", "actor", "payload", "idempotency_key"} {
		if v, there := obj[key]; there {
			request[key] = v
		}
	}
	raw, err := canonical.Append(nil, request)
	if err != nil {
		return Step{}, err
	}
	step := Step{}
	if step.Request, err = process.DecodeRequest(raw); err != nil {
		return step, err
	}
	step.Name, _ = obj["name"].(string)
	step.NewRun, _ = obj["new_run"].(bool)
	if step.Expect, _ = obj["expectation"].(map[string]any); len(step.Expect) == 0 {
		return step, fmt.Errorf("the expectation is missing")
	}
	return step, only(step.Expect, expectable...)
}

// only refuses unknown keys: otherwise a misspelled expectation would always pass.
func only(obj map[string]any, known ...string) error {
	for key := range obj {
		if !slices.Contains(known, key) {
			return fmt.Errorf("found %.40q, expected one of %s", key, strings.Join(known, ", "))
		}
	}
	return nil
}
