package flow

import (
	"path/filepath"
	"slices"
	"strings"
)

// The sidecars of a task.
const (
	StateFile      = "state.json"
	CritiqueFile   = "critique.json"
	EvidenceFile   = "evidence.json"
	AcceptanceFile = "acceptance.json"
	BundleFile     = "trust.bundle"
	HandoffFile    = "handoff.json"
	LearningFile   = "learning.json"
	LogFile        = "command-log.jsonl"
)

// State is where a task stands.
type State struct {
	Status, Phase string
	Next          Next
	FlowStatus    string // of a canonical flow run, "" if there is none
	FlowStep      string
}

// Next is what is to be done next.
type Next struct {
	Status, Summary, TargetPhase, Command string
	Skills, Operations                    []string
}

// State reads state.json. A status that is none is a problem of the file.
func (s Session) State() (State, error) {
	obj, err := s.read(StateFile)
	if err != nil {
		return State{}, err
	}
	st := State{Status: text(obj, "status"), Phase: text(obj, "phase")}
	next, _ := obj["next_action"].(map[string]any)
	st.Next = Next{Status: text(next, "status"), Summary: text(next, "summary"), TargetPhase: text(next, "target_phase"),
		Command: text(next, "command"),
		Skills:  texts(next, "skills"), Operations: texts(next, "operations")}
	if run, ok := obj["flow_run"].(map[string]any); ok {
		st.FlowStatus, st.FlowStep = text(run, "status"), text(run, "current_step")
	}
	if !isStatus(st.Status) {
		return State{}, &Unreadable{filepath.Join(s.Dir, StateFile), "found the status " + quoted(st.Status) + ", which is none"}
	}
	return st, nil
}

// isStatus reports whether a word is a status of a task.
func isStatus(word string) bool {
	return slices.Contains([]string{"new", "planning", "planned", "in_progress", "blocked", "verifying", "verified", "needs_decision",
		"not_verified", "failed", "delivered", "canceled", "accepted", "archived"}, word)
}

// Ended reports whether a task with this state is over.
func (st State) Ended() bool {
	switch st.Status {
	case "delivered", "canceled", "accepted", "archived":
		return true
	}
	return st.Next.Status == "done"
}

// Unresolved reports whether a person, or another attempt, is needed.
func (st State) Unresolved() bool {
	switch st.Status {
	case "blocked", "failed", "needs_decision", "not_verified":
		return true
	}
	return st.Next.Status == "needs_user" || st.Next.Status == "blocked"
}

// Critique is what reviewers found.
type Critique struct {
	Status   string
	Required bool
	Open     []string // what is not resolved
}

// Critique reads critique.json.
func (s Session) Critique() (Critique, error) {
	obj, err := s.read(CritiqueFile)
	if err != nil {
		return Critique{}, err
	}
	c := Critique{Status: text(obj, "status")}
	c.Required, _ = obj["required"].(bool)
	for _, review := range objects(obj, "critiques") {
		for _, f := range objects(review, "findings") {
			if text(f, "status") == "open" {
				c.Open = append(c.Open, text(f, "description"))
			}
		}
	}
	return c, nil
}

// Evidence is what an agent says about its own checks.
type Evidence struct {
	Verdict string
	Checks  []Check
	Gaps    []string
}

// Check is one of them. Command is "" if it was none.
type Check struct{ ID, Status, Command string }

// Evidence reads evidence.json.
func (s Session) Evidence() (Evidence, error) {
	obj, err := s.read(EvidenceFile)
	if err != nil {
		return Evidence{}, err
	}
	e := Evidence{Verdict: text(obj, "verdict"), Gaps: texts(obj, "not_verified_gaps")}
	for _, c := range objects(obj, "checks") {
		command, _ := c["command"].(string)
		e.Checks = append(e.Checks, Check{ID: text(c, "id"), Status: text(c, "status"), Command: Command(command)})
	}
	return e, nil
}

// Criterion is what a task must come to.
type Criterion struct{ ID, Status, Description string }

// Acceptance reads acceptance.json.
func (s Session) Acceptance() ([]Criterion, error) {
	obj, err := s.read(AcceptanceFile)
	if err != nil {
		return nil, err
	}
	var out []Criterion
	for _, c := range objects(obj, "criteria") {
		out = append(out, Criterion{text(c, "id"), text(c, "status"), text(c, "description")})
	}
	return out, nil
}

// Handoff is what was left for whoever goes on.
func (s Session) Handoff() (steps, blockers []string, err error) {
	obj, err := s.read(HandoffFile)
	if err != nil {
		return nil, nil, err
	}
	return texts(obj, "next_steps"), texts(obj, "blockers"), nil
}

// Has reports whether there is a file of this name.
func (s Session) Has(name string) bool { return exists(filepath.Join(s.Dir, name)) }

func (s Session) read(name string) (map[string]any, error) {
	return readObject(filepath.Join(s.Dir, name))
}

// text is a field, cleaned; "" if it is none.
func text(obj map[string]any, key string) string {
	s, _ := obj[key].(string)
	return Clean(s)
}

// value is a claim's value as a word.
func value(v any) string {
	switch v := v.(type) {
	case string:
		return Clean(v)
	case bool:
		if v {
			return "true"
		}
		return "false"
	}
	return ""
}

// maxList bounds what is taken of a list.
const maxList = 1000

func objects(obj map[string]any, key string) []map[string]any {
	list, _ := obj[key].([]any)
	var out []map[string]any
	for _, v := range list[:min(len(list), maxList)] {
		if o, ok := v.(map[string]any); ok {
			out = append(out, o)
		}
	}
	return out
}

// texts is a list of texts. An entry that is an object counts by its summary.
func texts(obj map[string]any, key string) []string {
	list, _ := obj[key].([]any)
	var out []string
	for _, v := range list[:min(len(list), maxList)] {
		s, _ := v.(string)
		if o, ok := v.(map[string]any); ok {
			for _, k := range [...]string{"summary", "description", "id", "name"} {
				if s == "" {
					s = text(o, k)
				}
			}
		}
		if s = Clean(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `'`) + `"` }
