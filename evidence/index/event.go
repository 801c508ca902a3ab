// Package index copies the records of the evidence into a store, for searching.
package index

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/store"
)

// record is the indexed part of a record of the evidence.
type record struct {
	ID      string `json:"id"`
	Time    string `json:"time"`
	Host    string `json:"host"`
	Event   string `json:"event"`
	Project string `json:"project"`
	Config  string `json:"config"`
	Micros  int64  `json:"micros"`
	Session struct {
		ID      string   `json:"id"`
		Agent   string   `json:"agent"`
		AgentID string   `json:"agent_id"`
		Parents []string `json:"parents"`
		Bypass  bool     `json:"bypass"`
		User    string   `json:"user"`
		Turn    string   `json:"turn"`
	} `json:"session"`
	Tool struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"tool"`
	Action struct {
		Kind    string   `json:"kind"`
		Summary string   `json:"summary"`
		Paths   []string `json:"paths"`
		URL     string   `json:"url"`
		Server  string   `json:"server"`
	} `json:"action"`
	Hooks   []run `json:"hooks"`
	Verdict struct {
		Decision string    `json:"decision"`
		Reason   string    `json:"reason"`
		Granted  bool      `json:"granted"`
		Rewrites []string  `json:"rewrites"`
		Output   string    `json:"output"`
		Codes    []string  `json:"codes"`
		Findings []finding `json:"findings"`
	} `json:"verdict"`
	Degraded []struct{} `json:"degraded"`
	Error    *struct {
		Code string `json:"code"`
	} `json:"error"`
}

type run struct {
	ID       string    `json:"id"`
	Phase    string    `json:"phase"`
	Status   string    `json:"status"`
	Decision string    `json:"decision"`
	Code     string    `json:"code"`
	Trial    string    `json:"trial"`
	Micros   int64     `json:"micros"`
	Approval string    `json:"approval"`
	Findings []finding `json:"findings"`
}

type finding struct {
	Code string `json:"code"`
}

// Event reads the indexed part of a record. The caller fills in machine and
// log. Members of an unexpected type are ignored.
func Event(seq uint64, body []byte) (store.Event, error) {
	var r record
	var odd *json.UnmarshalTypeError
	if err := json.Unmarshal(body, &r); err != nil && !errors.As(err, &odd) {
		return store.Event{}, err
	}
	at, _ := time.Parse(time.RFC3339Nano, r.Time) // an invalid time is zero
	e := store.Event{Seq: seq, ID: r.ID, Time: store.At(at), Host: r.Host, Event: r.Event, Session: r.Session.ID, Turn: r.Session.Turn,
		Agent: r.Session.Agent, AgentID: r.Session.AgentID, Parents: r.Session.Parents, User: r.Session.User, Project: r.Project,
		Tool: r.Tool.Name, Call: r.Tool.ID, Action: r.Action.Kind, Summary: r.Action.Summary, Paths: r.Action.Paths, URL: r.Action.URL,
		Server: r.Action.Server, Decision: r.Verdict.Decision, Reason: r.Verdict.Reason, Config: r.Config, Micros: r.Micros,
		Codes: r.Verdict.Codes}
	findings := r.Verdict.Findings
	failed, trial := r.Error != nil || len(r.Verdict.Codes) > 0, false
	for _, h := range r.Hooks {
		run := store.Run{Hook: h.ID, Phase: h.Phase, Decision: h.Decision, Code: h.Code, Trial: h.Trial, Micros: h.Micros,
			Approval: h.Approval}
		run.Waits = slices.ContainsFunc(h.Findings, func(f finding) bool { return f.Code == store.Pending.Finding() })
		e.Runs = append(e.Runs, run)
		failed = failed || h.Status == "failed"
		trial = trial || run.Tried()
		findings = append(findings, h.Findings...)
		if h.Code != "" {
			e.Codes = append(e.Codes, h.Code)
		}
	}
	if r.Error != nil && r.Error.Code != "" {
		e.Codes = append(e.Codes, r.Error.Code)
	}
	for _, f := range findings {
		e.Findings = append(e.Findings, f.Code)
	}
	e.Codes, e.Findings = distinct(e.Codes), distinct(e.Findings)
	for _, flag := range []struct {
		word string
		is   bool
	}{{"rewritten", len(r.Verdict.Rewrites) > 0 || r.Verdict.Output != ""}, {"degraded", len(r.Degraded) > 0}, {"trial", trial},
		{"failed", failed}, {"granted", r.Verdict.Granted}, {"bypass", r.Session.Bypass}, {"gap", r.Event == evidence.LogEvent}} {
		if flag.is {
			e.Is = append(e.Is, flag.word)
		}
	}
	return e, nil
}

func distinct(words []string) []string {
	slices.Sort(words)
	return slices.Compact(words)
}
