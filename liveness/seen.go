package liveness

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/transparency"
)

// allSeen is what the evidence says, by host.
type allSeen map[string]*hostSeen

// hostSeen is what the evidence says of one host.
type hostSeen struct {
	events      int
	last        time.Time
	lastSession string
	sessions    map[string]*sessionSeen
	order       []string // the sessions, in the order in which they appeared
}

// sessionSeen is what the evidence says of one session.
type sessionSeen struct {
	started bool
	calls   int             // tool calls that were judged before they ran
	ids     map[string]bool // of these, as far as the host gives any
}

func (a allSeen) host(name string) hostSeen {
	if h := a[name]; h != nil {
		return *h
	}
	return hostSeen{}
}

// readEvidence goes through a log. One that does not exist holds nothing. pruned
// is the time of the newest record that a person has removed.
func readEvidence(in *Inputs) (all allSeen, pruned time.Time, err error) {
	all = allSeen{}
	dir := in.Evidence
	if evidence.Removed(dir, in.Mark) {
		return all, pruned, fmt.Errorf("the evidence of this project, %s, has been removed; if a person did that, they should remove %s, too",
			dir, in.Mark)
	}
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return all, pruned, nil
	}
	keys, err := approvals.AuthorityKeys(in.Dirs.State, in.Authority...)
	if err != nil {
		return all, pruned, err
	}
	report, err := transparency.Verify(dir, keys)
	switch {
	case err != nil:
		return all, pruned, fmt.Errorf("the evidence cannot be read: %w", err)
	case report.Broken != nil:
		return all, pruned, fmt.Errorf("the evidence is not whole, somebody has changed or removed records: %w", report.Broken)
	}
	err = evidence.Scan(dir, func(e evidence.Entry) error {
		record, err := e.Record()
		if err != nil {
			return err
		}
		row, err := e.Row()
		if err != nil {
			return err
		}
		tool, _ := record["tool"].(map[string]any)
		id, _ := tool["id"].(string)
		all.add(&row, id)
		return nil
	})
	if err != nil {
		return all, pruned, fmt.Errorf("the evidence cannot be read: %w", err)
	}
	return all, report.Newest(), nil
}

func (a allSeen) add(r *evidence.Row, tool string) {
	h := a[r.Host]
	if h == nil {
		h = &hostSeen{sessions: map[string]*sessionSeen{}}
		a[r.Host] = h
	}
	h.events++
	h.last, h.lastSession = r.Time, r.Session
	if r.Session == "" {
		return
	}
	s := h.sessions[r.Session]
	if s == nil {
		s = &sessionSeen{ids: map[string]bool{}}
		h.sessions[r.Session] = s
		h.order = append(h.order, r.Session)
	}
	switch r.Event {
	case trammel.SessionStart.String():
		s.started = true
	case trammel.PreToolUse.String():
		s.calls++
		if tool != "" {
			s.ids[tool] = true
		}
	}
}

// mismatches are the sessions that began and made no tool call, and those that
// made some and never began. The latter count only from the first session that
// did report its start: some hosts, and some wirings, have no such event.
func (h *hostSeen) mismatches() (idle, unannounced []string) {
	first := slices.IndexFunc(h.order, func(id string) bool { return h.sessions[id].started })
	for i, id := range h.order {
		switch s := h.sessions[id]; {
		case s.started && s.calls == 0:
			idle = append(idle, id)
		case !s.started && s.calls > 0 && first >= 0 && i > first:
			unannounced = append(unannounced, id)
		}
	}
	return idle, unannounced
}
