package stopgoalfit

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/trammel-dev/trammel/internal/flow"
)

// examiner is one examination of a task.
type examiner struct {
	flow.Session
	rules
	*report

	at        time.Time
	locks     string
	rehearsal bool

	now     flow.State
	stated  bool // state.json is there and can be read
	claimed []string
	proven  bool // trust.bundle or evidence.json is there
}

// examine checks everything that is stored about a task.
func (e *examiner) examine(ctx context.Context) *report {
	e.state()
	e.documents()
	e.acceptance()
	e.evidence()
	e.critique()
	e.bundle()
	e.captured(ctx)
	e.proof()
	return e.report
}

// there reports whether a sidecar could be read. It notes one that exists but
// could not be read.
func (e *examiner) there(name string, err error) bool {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		e.add(soft, "sidecar_invalid", name, "%s of %s cannot be used: %s. Write it again with the workflow's own commands.", name, e.Slug,
			flow.Clean(err.Error()))
	}
	return err == nil
}

func (e *examiner) state() {
	var err error
	e.now, err = e.State()
	e.stated = e.there(flow.StateFile, err)
	if !e.stated {
		if e.requireSidecars && errors.Is(err, fs.ErrNotExist) {
			e.add(hard, "sidecar_missing", flow.StateFile, "required sidecar is missing: %s of %s.", flow.StateFile, e.Slug)
		}
		return
	}
	switch e.now.Phase {
	case "idea", "backlog", "pickup", "planning":
		e.over = true
	}
	if e.over = e.over || e.now.Ended(); e.over {
		return
	}
	w := soft
	if e.now.Next.Status == "needs_user" || e.now.Status == "needs_decision" {
		w = advice // ending is how the agent asks
	}
	e.add(w, "state_open", e.now.Status, "workflow state of %s: status:%s phase:%s; next action: %s", e.Slug, e.now.Status, e.now.Phase,
		orNone(e.now.Next.Summary))
	if step := e.now.FlowStep; step != "" && e.now.FlowStatus == "active" {
		e.add(soft, "flow_active", step, "the flow run of %s remains active at step %s.", e.Slug, step)
	}
}

// documents checks the newest document: its status, and in the published layout
// also its lists.
func (e *examiner) documents() {
	all := flow.Artifacts(e.Dir)
	if len(all) == 0 {
		return
	}
	a := all[0]
	if a.Active() && e.now.Next.Status != "done" {
		e.add(soft, "status_active", a.Name, "%s is still status:%s. Do not say that it is complete unless the next step is explicit.",
			flow.Clean(a.Name), a.Status)
	}
	e.list(a, "definition_of_done", "Definition Of Done", a.Done)
	e.list(a, "goal_fit", "Goal Fit Gate", a.Fit)
}

func (e *examiner) list(a flow.Artifact, code, title string, s flow.Section) {
	switch {
	case !s.There && e.Published && !e.stated:
		e.add(soft, code+"_missing", a.Name, "%s has no section %q.", flow.Clean(a.Name), title)
	case len(s.Open) > 0:
		e.add(soft, code+"_open", a.Name, "%s has %d open in %q, first: %s", flow.Clean(a.Name), len(s.Open), title, s.Open[0])
	}
}

func (e *examiner) acceptance() {
	criteria, err := e.Acceptance()
	if !e.there(flow.AcceptanceFile, err) {
		return
	}
	for _, c := range criteria {
		if c.Status == "pending" || c.Status == "fail" || c.Status == "not_verified" {
			e.add(soft, "acceptance_pending", c.ID, "acceptance criterion %s is %s: %s", c.ID, c.Status, c.Description)
		}
	}
}

func (e *examiner) evidence() {
	ev, err := e.Evidence()
	if !e.there(flow.EvidenceFile, err) {
		return
	}
	e.proven = true
	if ev.Verdict != "pass" {
		e.add(hard, "evidence_verdict", ev.Verdict, "evidence verdict:%s", orNone(ev.Verdict))
	}
	n := 0
	for _, c := range ev.Checks {
		switch c.Status {
		case "pass":
			e.claim(c.Command)
		case "fail", "not_verified":
			if n++; n <= 4 {
				e.add(hard, "evidence_check", c.ID, "evidence check %s status:%s", c.ID, c.Status)
			}
		}
	}
	for _, gap := range ev.Gaps[:min(3, len(ev.Gaps))] {
		e.add(soft, "evidence_gap", gap, "NOT_VERIFIED — %s", gap)
	}
}

func (e *examiner) critique() {
	c, err := e.Critique()
	if !e.there(flow.CritiqueFile, err) {
		if e.requireCritique && errors.Is(err, fs.ErrNotExist) {
			e.add(hard, "critique_missing", flow.CritiqueFile, "required critique is missing: %s of %s.", flow.CritiqueFile, e.Slug)
		}
		return
	}
	if c.Status == "fail" || c.Status == "pending" && (c.Required || e.requireCritique) {
		e.add(hard, "critique_status", c.Status, "critique status:%s", c.Status)
	}
	for _, open := range c.Open[:min(3, len(c.Open))] {
		e.add(hard, "critique_open", open, "open critique: %s", open)
	}
}

func (e *examiner) bundle() {
	claims, err := e.Bundle()
	if !e.there(flow.BundleFile, err) {
		return
	}
	e.proven = true
	for _, c := range claims {
		switch {
		case c.Weighty() && (c.Status == "disputed" || c.Status == "rejected"):
			e.add(hard, "claim_disputed", c.ID, "trust.bundle claim %s: %q (caught false-completion). Fix what it is about and record it again.",
				c.Status, c.Subject)
		case c.Weighty() && c.Passes() && e.recomputed(c):
		case c.Passes():
			for _, command := range c.Commands {
				e.claim(command)
			}
		}
	}
}

// recomputed compares a claim's status with the bundle's evidence for it, and
// reports whether they contradict each other.
func (e *examiner) recomputed(c flow.Claim) bool {
	switch status := c.Derived(e.at); status {
	case "disputed", "rejected":
		e.add(hard, "claim_recomputed", c.ID, "trust.bundle claim tampered: %q says %s, and what the bundle holds about it makes it %s (caught "+
			"false-completion). Record it again with what was really found.", c.Subject, orNone(c.Status), status)
		return true
	case "stale", "superseded", "proposed":
		e.add(soft, "claim_unproven", c.ID, "NOT_VERIFIED — %q says %s, and by the bundle's own rules it is only %s.", c.Subject,
			orNone(c.Status), status)
	}
	return false
}

// claim notes a command that is claimed to have passed.
func (e *examiner) claim(command string) {
	if command != "" && !slices.Contains(e.claimed, command) {
		e.claimed = append(e.claimed, command)
	}
}

// proof checks that there is any evidence at all.
func (e *examiner) proof() {
	if !e.proven && !e.Has(flow.StateFile) {
		e.add(soft, "unverified", e.Slug, "NOT_VERIFIED — no trust.bundle or state.json found for %s: nothing says that it was done.", e.Slug)
	}
	if !e.proven && e.requireSidecars {
		e.add(hard, "sidecar_missing", flow.BundleFile, "required sidecar is missing: %s (or %s) of %s.", flow.BundleFile, flow.EvidenceFile,
			e.Slug)
	}
	if !e.Published && e.stated && (e.now.Status == "delivered" || e.now.Status == "verified") && !e.Has(flow.LearningFile) {
		switch e.now.Phase {
		case "release", "learning", "done":
			e.add(advice, "learning_outstanding", filepath.Base(e.Dir), "learning outstanding — nothing is recorded of what %s has taught.", e.Slug)
		}
	}
}

func orNone(s string) string {
	return cmp.Or(s, "none recorded")
}
