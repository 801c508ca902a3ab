package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/filter"
)

// Events is the index over the evidence of all projects and machines. The logs
// are the record; this can be rebuilt from them at any time.
type Events interface {
	// Index adds records. It skips records that are indexed already, by
	// machine, log and number.
	Index(ctx context.Context, events ...Event) error
	// Indexed is the last record of a log that is in the index: its number and
	// id, 0 and "" if there is none.
	Indexed(ctx context.Context, machine, log string) (last uint64, id string, err error)
	// Drop removes a log from the index.
	Drop(ctx context.Context, machine, log string) error
	// Prune removes records of a log up to this one from the index.
	Prune(ctx context.Context, machine, log string, last uint64) error
	// Events lists the results of the query, newest first; if After is set, in
	// the order of indexing.
	Events(ctx context.Context, q EventQuery) ([]*Event, error)
	// Histogram counts by decision in steps of time, oldest first. Steps in which
	// nothing happened are left out.
	Histogram(ctx context.Context, f *filter.Query, step time.Duration) ([]Bar, error)
	// Sessions lists sessions with matching events, last active first. The
	// counts are of those events.
	Sessions(ctx context.Context, f *filter.Query, most int) ([]*Session, error)
	// Ran says when each hook last ran, if it ran since then, and the last Row
	// that was read. With a Row, it reads only later rows.
	Ran(ctx context.Context, since time.Time, row int64) (last map[string]Time, upTo int64, err error)
}

// EventQuery selects events. Empty fields match everything.
type EventQuery struct {
	Filter *filter.Query
	Before int64 // only what is older than the event with this Row: for the next page
	After  int64 // only what came into the index after this Row: for what is new
	Most   int   // 0 means 100
}

// Event is the part of a record that is searched and listed.
type Event struct {
	Row     int64  `json:"row,omitempty"` // in the order of indexing; set by the store
	Machine string `json:"machine,omitempty"`
	Log     string `json:"log"`
	Seq     uint64 `json:"seq"` // its number in the log

	ID       string   `json:"id"`
	Time     Time     `json:"time"`
	Host     string   `json:"host,omitempty"`
	Event    string   `json:"event"`
	Session  string   `json:"session,omitempty"`
	Turn     string   `json:"turn,omitempty"`
	Agent    string   `json:"agent,omitempty"`
	AgentID  string   `json:"agent_id,omitempty"`
	Parents  []string `json:"parents,omitempty"` // the agents above it, nearest first
	User     string   `json:"user,omitempty"`
	Project  string   `json:"project,omitempty"`
	Tool     string   `json:"tool,omitempty"`
	Call     string   `json:"call,omitempty"` // the host's id of the call
	Action   string   `json:"action,omitempty"`
	Summary  string   `json:"summary,omitempty"`
	Paths    []string `json:"paths,omitempty"`
	URL      string   `json:"url,omitempty"`
	Server   string   `json:"server,omitempty"`
	Decision string   `json:"decision,omitempty"`
	Reason   string   `json:"reason,omitempty"`
	Runs     []Run    `json:"runs,omitempty"`
	Is       []string `json:"is,omitempty"` // rewritten, degraded, trial, failed, granted, bypass, gap
	Codes    []string `json:"codes,omitempty"`
	Findings []string `json:"findings,omitempty"`
	Config   string   `json:"config,omitempty"`
	Micros   int64    `json:"micros"`
}

// Run is one hook's part in an event.
type Run struct {
	Hook     string `json:"hook"`
	Phase    string `json:"phase,omitempty"`
	Decision string `json:"decision,omitempty"`
	Code     string `json:"code,omitempty"` // why it failed
	Trial    string `json:"trial,omitempty"`
	Micros   int64  `json:"micros,omitempty"`
	Approval string `json:"approval,omitempty"` // the request to people that decided it
	Waits    bool   `json:"waits,omitempty"`    // it denied the call because a person has not decided yet
}

// Bar is how many events had a decision in one step of time.
type Bar struct {
	At       Time   `json:"at"` // where the step begins
	Decision string `json:"decision"`
	N        int    `json:"n"`
}

// Session is what is known of a session from its events.
type Session struct {
	Host    string `json:"host"`
	ID      string `json:"id"`
	Project string `json:"project,omitempty"`
	First   Time   `json:"first"`
	Last    Time   `json:"last"`
	Events  int    `json:"events"`
	Denied  int    `json:"denied"`
	Asked   int    `json:"asked"`
}

// Texts implements filter.Item.
func (e *Event) Texts(key string) []string {
	switch key {
	case filter.Word:
		return []string{strings.ToLower(e.Summary + "\n" + e.Reason)}
	case "path":
		return e.Paths
	case "is":
		return e.Is
	case "code":
		return e.Codes
	case "finding":
		return e.Findings
	case "agent":
		return slices.DeleteFunc([]string{e.Agent, e.AgentID}, func(s string) bool { return s == "" })
	case "hook", "phase":
		out := make([]string, len(e.Runs))
		for i, r := range e.Runs {
			if out[i] = r.Hook; key == "phase" {
				out[i] = r.Phase
			}
		}
		return out
	}
	return []string{e.text(key)}
}

func (e *Event) text(key string) string {
	switch key {
	case "host":
		return e.Host
	case "machine":
		return e.Machine
	case "event":
		return e.Event
	case "session":
		return e.Session
	case "user":
		return e.User
	case "project":
		return e.Project
	case "tool":
		return e.Tool
	case "action":
		return e.Action
	case "url":
		return e.URL
	case "server":
		return e.Server
	case "decision":
		return e.Decision
	case "reason":
		return e.Reason
	case "config":
		return e.Config
	}
	return e.ID
}

// Number implements filter.Item.
func (e *Event) Number(key string) int64 {
	if key == "took" {
		return e.Micros
	}
	return e.Time.Micros()
}

// Tried reports whether the hook is on trial and would have done something.
func (r *Run) Tried() bool { return r.Trial != "" && r.Trial != "nothing" && r.Trial != "fail" }
