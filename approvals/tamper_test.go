package approvals_test

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/store"
)

// edit writes to the store as somebody would who has the file open in another
// program: no check is asked.
func (o *office) edit(t *testing.T, id string, change func(a *store.Approval)) {
	t.Helper()
	_, err := o.Store.Change(t.Context(), id, func(a *store.Approval) ([]store.Note, error) { change(a); return nil, nil })
	if err != nil {
		t.Fatal(err)
	}
}

// Issue 10, must show 5: whoever can write to the store cannot decide, change
// what was decided, or use it twice.
func TestStoreEditedByHand(t *testing.T) {
	two := store.Needs{Factors: []store.Factor{{Approvers: []string{"group:finance"}, N: 2}}, DenyAt: 1}
	_, stranger, _ := ed25519.GenerateKey(nil)
	for name, c := range map[string]struct {
		before func(o *office, a *store.Approval) // what people and the agent do
		edit   func(a *store.Approval)
		code   approvals.RefusalCode
	}{
		"state": {nil, func(a *store.Approval) { a.State = store.Approved }, approvals.RefusedNotApprover},
		"a vote with a key of one's own": {nil, func(a *store.Approval) {
			a.State = store.Approved
			a.Votes = []store.Vote{{Approver: "al", Identity: "slack:T/al", Approve: true, Key: approvals.PrivateKey(stranger).KeyID(),
				Proof: ed25519.Sign(stranger, []byte("anything"))}}
		}, approvals.RefusedNotApprover},
		"a rejection made an approval": {func(o *office, a *store.Approval) { o.vote(a, "al", false) }, func(a *store.Approval) {
			a.State, a.Votes[0].Approve = store.Approved, true
		}, approvals.RefusedNotApprover},
		"a vote under another name": {func(o *office, a *store.Approval) { o.vote(a, "al", true) }, func(a *store.Approval) {
			a.State = store.Approved
			v := a.Votes[0]
			v.Approver, v.Identity = "bo", "slack:T/bo"
			a.Votes = append(a.Votes, v)
		}, approvals.RefusedNotApprover},
		"fewer people needed": {func(o *office, a *store.Approval) { o.vote(a, "al", true) }, func(a *store.Approval) {
			a.State, a.Needs.Factors = store.Approved, []store.Factor{{Approvers: []string{"al"}, N: 1}}
		}, approvals.RefusedNotApprover},
		"used again": {func(o *office, a *store.Approval) {
			o.vote(a, "al", true)
			o.vote(a, "bo", true)
			o.Consume(t.Context(), a.ID, call("s", 1), approvals.Policy{Digest: "p1", Needs: &two, Window: time.Minute})
		}, func(a *store.Approval) { a.State, a.Asks[0].Used = store.Approved, store.Time{} }, approvals.RefusedState},
		"one more call that waits": {func(o *office, a *store.Approval) {
			o.vote(a, "al", true)
			o.vote(a, "bo", true)
			o.Consume(t.Context(), a.ID, call("s", 1), approvals.Policy{Digest: "p1", Needs: &two, Window: time.Minute})
		}, func(a *store.Approval) {
			a.State, a.Asks = store.Approved, append(a.Asks, store.Ask{Session: "s", Host: "fim"})
		}, approvals.RefusedChanged},
		"the digest of another call": {func(o *office, a *store.Approval) {
			o.vote(a, "al", true)
			o.vote(a, "bo", true)
		}, func(a *store.Approval) { a.Args = json.RawMessage(`{"amount":2}`) }, approvals.RefusedChanged},
		"more time to use it": {func(o *office, a *store.Approval) {
			o.vote(a, "al", true)
			o.vote(a, "bo", true)
			o.clock = o.clock.Add(2 * time.Minute)
		}, func(a *store.Approval) { a.Until, a.Window = store.At(a.Created.Add(time.Hour)), time.Hour }, approvals.RefusedExpired},
		"nobody asked for it": {func(o *office, a *store.Approval) {
			o.edit(t, a.ID, func(a *store.Approval) { a.User, a.Asks[0].User = "", "" })
			o.vote(a, "cy", true) // who did
			o.vote(a, "al", true)
		}, func(*store.Approval) {}, approvals.RefusedNotApprover},
		"a cancelled one": {func(o *office, a *store.Approval) { o.Cancel(t.Context(), a.ID, "no") },
			func(a *store.Approval) { a.State = store.Approved }, approvals.RefusedNotApprover},
		"a revoked one": {func(o *office, a *store.Approval) {
			o.vote(a, "al", true)
			o.vote(a, "bo", true)
			o.Cancel(t.Context(), a.ID, "on second thoughts")
		}, func(a *store.Approval) { a.State = store.Approved }, approvals.RefusedState},
		"one whose session has ended": {func(o *office, a *store.Approval) {
			o.vote(a, "al", true)
			o.vote(a, "bo", true)
			o.EndSession(t.Context(), "s")
		}, func(a *store.Approval) { a.State = store.Approved }, approvals.RefusedState},
		"without the call that asked": {nil, func(a *store.Approval) { a.State, a.Asks = store.Approved, nil }, approvals.RefusedNotApprover},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.Spent = state.Files{Dir: t.TempDir()}
			a := o.ask(t, call("s", 1), 2)
			if c.before != nil {
				c.before(o, a)
			}
			o.edit(t, a.ID, c.edit)
			_, err := o.Consume(t.Context(), a.ID, call("s", 1), approvals.Policy{Digest: "p1", Needs: &two, Window: time.Minute,
				User: "slack:T/cy"})
			refused(t, err, c.code)
		})
	}
}

// A forged request that no call waits for, left in the store,
// does not keep the server from handling the others.
func TestRequestWithoutCalls(t *testing.T) {
	o := newOffice(t)
	a := o.ask(t, call("s", 1), 1)
	o.edit(t, a.ID, func(a *store.Approval) { a.Asks = nil })
	_, err := o.MayGrant(a, approvals.ScopeSession, approvals.Granter{Identity: "slack:T/al", For: time.Hour})
	if err != nil {
		t.Error(err)
	}
	damaged, _ := o.Store.Approval(t.Context(), a.ID)
	_, err = o.MayGrant(damaged, approvals.ScopeSession, approvals.Granter{Identity: "slack:T/al", For: time.Hour})
	refused(t, err, approvals.RefusedState)
	o.pass(time.Hour)
	if err := o.Sweep(t.Context()); err != nil {
		t.Error(err)
	}
	stands(t, o, a.ID, store.Expired)
}

// What people are shown is what they decide about: arguments that were changed
// in the store, before they look or while they do, are not approved.
func TestArgumentsEditedWhilePending(t *testing.T) {
	o := newOffice(t)
	a := o.ask(t, call("s", 60000), 1)
	o.edit(t, a.ID, func(a *store.Approval) { a.Args = json.RawMessage(`{"amount":1}`) })
	seen, _ := o.Store.Approval(t.Context(), a.ID)
	_, err := o.vote(seen, "al", true)
	refused(t, err, approvals.RefusedChanged)
	o.edit(t, a.ID, func(a *store.Approval) { a.Args = json.RawMessage(`{"amount":60000}`) })
	_, err = o.vote(seen, "al", true) // it is put back before the click arrives
	refused(t, err, approvals.RefusedChanged)
	if _, err := o.vote(a, "al", true); err != nil {
		t.Error(err)
	}
}

// Grants: signed, bound, counted, revocable (APR-18).
func TestGrants(t *testing.T) { onBoth(t, testGrants) }

func testGrants(t *testing.T, o *office) {
	o.Spent = state.Files{Dir: t.TempDir()}
	ask := func(session string, n int) *approvals.Request {
		return &approvals.Request{Event: shell2(session), Hook: "payments", Policy: "p1", User: "slack:T/cy",
			Needs: store.Needs{Factors: []store.Factor{{Approvers: []string{"group:finance"}, N: n}}, DenyAt: 1}}
	}
	a, err := o.Ask(t.Context(), ask("s", 1))
	if err != nil {
		t.Fatal(err)
	}
	match, _ := approvals.PatternOf(shell2("s"))
	grant := func(scope, who string, d time.Duration) (*store.Grant, error) {
		return o.Grant(t.Context(), a, scope, match, approvals.Granter{Identity: "slack:T/" + who, Signer: o.key, For: d})
	}
	used := func(r *approvals.Request) bool {
		t.Helper()
		g, err := o.Granted(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		return g != nil
	}
	_, err = grant(approvals.ScopeRule, "cy", time.Hour) // who asked
	refused(t, err, approvals.RefusedNotApprover)
	_, err = grant(approvals.ScopeRule, "al", 25*time.Hour)
	refused(t, err, approvals.RefusedState)
	_, stranger, _ := ed25519.GenerateKey(nil)
	_, err = o.Grant(t.Context(), a, approvals.ScopeRule, match, approvals.Granter{Identity: "slack:T/al",
		Signer: approvals.PrivateKey(stranger), For: time.Hour})
	refused(t, err, approvals.RefusedNotApprover)
	_, err = grant("everything", "al", time.Hour)
	refused(t, err, approvals.RefusedState)
	if used(ask("s", 1)) {
		t.Error("there is no grant yet")
	}
	if _, err = grant(approvals.ScopeSession, "al", time.Hour); err != nil {
		t.Fatal(err)
	}
	other := ask("s", 1)
	other.Policy = "p2"
	hook := ask("s", 1)
	hook.Hook = "other"
	var elsewhere []*approvals.Request
	for _, change := range []func(ev *trammel.Event){func(ev *trammel.Event) { ev.Host = "other" },
		func(ev *trammel.Event) { ev.Session.Project = "/other" }, func(ev *trammel.Event) { ev.Tool.Name = "other" }} {
		r := ask("s", 1)
		change(r.Event)
		elsewhere = append(elsewhere, r)
	}
	switch {
	case used(ask("s2", 1)):
		t.Error("another session")
	case used(ask("s", 2)):
		t.Error("two people are needed, and one has granted")
	case slices.ContainsFunc(elsewhere, used):
		t.Error("another agent, another project, another tool")
	case used(other) || used(hook):
		t.Error("another policy, another hook")
	case !used(ask("s", 1)):
		t.Error("it does not fit")
	case !used(ask("s", 1)):
		t.Error("it fits only once")
	}
	if err := o.EndSession(t.Context(), "s2"); err != nil || !used(ask("s", 1)) {
		t.Errorf("another session has ended: %v", err)
	}
	if err := o.EndSession(t.Context(), "s"); err != nil || used(ask("s", 1)) {
		t.Errorf("the session has ended, and its grant has not: %v", err)
	}
	g, err := grant(approvals.ScopeSession, "al", time.Hour)
	if err != nil || !used(ask("s", 1)) {
		t.Fatal(err)
	}
	if _, err := o.Revoke(t.Context(), g.ID, "al"); err != nil || used(ask("s", 1)) {
		t.Errorf("revoked, and used: %v", err)
	}
	if _, err := o.Revoke(t.Context(), g.ID, "bo"); err != nil {
		t.Fatal(err)
	}
	var revokers []bool // one for the end of the session, one for al; whoever comes later revokes nothing
	for _, n := range o.notes {
		if n.Kind == "grant.revoked" {
			revokers = append(revokers, n.Subject == g.ID && strings.Contains(string(n.Data), `"revoker":"al"`))
		}
	}
	if !slices.Equal(revokers, []bool{false, true}) {
		t.Errorf("on record: %v %v", revokers, o.kinds())
	}
	unrevoke := func(g *store.Grant) ([]store.Note, error) { g.Revoked = store.Time{}; return nil, nil }
	if _, err := o.Store.ChangeGrant(t.Context(), g.ID, unrevoke); err != nil || used(ask("s", 1)) {
		t.Errorf("revoked, put back in the store, and used: %v", err)
	}
	if g, err = grant(approvals.ScopeRule, "al", time.Hour); err != nil || !used(ask("s9", 1)) {
		t.Fatalf("a rule holds in every session: %v", err)
	}
	for name, edit := range map[string]func(g *store.Grant){
		"longer":      func(g *store.Grant) { g.Expires = store.At(g.Expires.Add(time.Hour)) },
		"wider":       func(g *store.Grant) { g.Match = json.RawMessage(`{"runs":[{"program":"rm"}]}`) },
		"other hook":  func(g *store.Grant) { g.Hooks = []string{"payments", "x"} },
		"someone":     func(g *store.Grant) { g.By = "bo" },
		"by nobody":   func(g *store.Grant) { g.Proof = nil },
		"another key": func(g *store.Grant) { g.Key = "key_x" },
		"revoked":     func(g *store.Grant) { g.Revoked = store.At(o.clock) },
	} {
		forged := *g
		edit(&forged)
		if o.Live(&forged) {
			t.Errorf("%s: a grant changed in the store holds", name)
		}
	}
	if o.clock = o.clock.Add(time.Hour); used(ask("s9", 1)) {
		t.Error("its time is over")
	}
}

// A grant whose note cannot go on record stands, and its maker is not told
// otherwise; but it lets nothing through before that is on record (APR-18).
func TestGrantWithoutARecord(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		record, full := o.Record, errors.New("the disk is full")
		r := request(call("s", 1), 1)
		a := o.put(t, r)
		match, _ := approvals.PatternOf(r.Event)
		o.Record = func(context.Context, store.Note) error { return full }
		g, err := o.Grant(t.Context(), a, approvals.ScopeRule, match, approvals.Granter{Identity: "slack:T/al", Signer: o.key, For: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := o.Granted(t.Context(), r); !errors.Is(err, full) {
			t.Errorf("nothing is on record, and it was used: %v %v", got, err)
		}
		o.Record = record
		if got, err := o.Granted(t.Context(), r); err != nil || got == nil || !slices.Contains(o.kinds(), "grant.made") {
			t.Errorf("%v %v %v", got, err, o.kinds())
		}
		o.Record = func(context.Context, store.Note) error { return full }
		if _, err := o.Revoke(t.Context(), g.ID, "al"); err != nil {
			t.Error(err)
		}
	})
}

// TEAM-25: one denied call passes once, whoever edits the store.
func TestAllowOnce(t *testing.T) { onBoth(t, testAllowOnce) }

func testAllowOnce(t *testing.T, o *office) {
	o.Spent = state.Files{Dir: t.TempDir()}
	key, err := approvals.Digest(call("s", 1), "")
	if err != nil {
		t.Fatal(err)
	}
	d := approvals.Denial{CallKey: key, Project: "/p", Host: "fim", Tool: "pay", Policy: "p1", Hooks: []string{"b", "a"}, Shown: "it"}
	by := approvals.Granter{Identity: "slack:T/al", Signer: o.key, For: approvals.DefaultOnce}
	_, err = o.AllowOnce(t.Context(), d, by)
	refused(t, err, approvals.RefusedComment)
	by.Reason = " \t"
	_, err = o.AllowOnce(t.Context(), d, by)
	refused(t, err, approvals.RefusedComment)
	by.Reason = "it is right"
	if _, err = o.AllowOnce(t.Context(), d, by); err != nil {
		t.Fatal(err)
	}
	for _, vague := range []approvals.Denial{{CallKey: key, Hooks: d.Hooks}, {CallKey: key, Policy: "p1"}, {Policy: "p1", Hooks: d.Hooks}} {
		_, err := o.AllowOnce(t.Context(), vague, by)
		refused(t, err, approvals.RefusedState)
	}
	used := func(amount int, hooks []string, policy, shown string) bool {
		got, err := o.UseOnce(t.Context(), call("s", amount), approvals.Overruled{Hooks: hooks, Policy: policy, Shown: shown})
		if err != nil {
			t.Fatal(err)
		}
		return got != nil
	}
	both := []string{"a", "b"}
	for amount, there := range map[int]bool{1: true, 2: false} {
		found, err := o.FindOnce(t.Context(), call("s", amount), approvals.Overruled{Hooks: both, Policy: "p1", Shown: "it"})
		if err != nil || (found != nil) != there {
			t.Errorf("%d: found %v, %v", amount, found, err)
		}
	}
	if used(2, both, "p1", "it") || used(1, []string{"a"}, "p1", "it") || used(1, []string{"a", "b", "c"}, "p1", "it") ||
		used(1, both, "p2", "it") || used(1, both, "p1", "else") || used(1, both, "p1", "") {
		t.Error("it holds for another call, other hooks, another policy or a call that looks otherwise")
	}
	if !used(1, both, "p1", "it") || used(1, both, "p1", "it") {
		t.Error("it holds once")
	}
	twice := call("s", 1) // a host that is wired twice asks twice about one call
	twice.Tool.ID = "c1"
	g, err := o.AllowOnce(t.Context(), d, by)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"c1", "c1", "c2"} {
		twice.Tool.ID = id
		found, _ := o.FindOnce(t.Context(), twice, approvals.Overruled{Hooks: both, Policy: "p1", Shown: "it"})
		got, err := o.UseOnce(t.Context(), twice, approvals.Overruled{Hooks: both, Policy: "p1", Shown: "it"})
		if err != nil || (got != nil) != (id == "c1") || (found != nil) != (id == "c1") {
			t.Errorf("%s: %v %v %v", id, found, got, err)
		}
	}
	twice.Tool.ID = "c1"
	for _, other := range []approvals.Overruled{{Hooks: []string{"a"}, Policy: "p1", Shown: "it"}, {Hooks: both, Policy: "p2", Shown: "it"},
		{Hooks: both, Policy: "p1", Shown: "else"}} {
		if got, err := o.UseOnce(t.Context(), twice, other); err != nil || got != nil {
			t.Errorf("the same call, denied otherwise: %v %v", got, err)
		}
	}
	for _, d := range []time.Duration{time.Minute, time.Microsecond} { // the second one is a moment too late
		o.pass(d)
		twice.Tool.ID = "c1"
		got, err := o.UseOnce(t.Context(), twice, approvals.Overruled{Hooks: both, Policy: "p1", Shown: "it"})
		if err != nil || (got != nil) != (d == time.Minute) {
			t.Errorf("%v later: %v %v", d, got, err)
		}
	}
	reset := func(g *store.Grant) ([]store.Note, error) { g.Uses = 0; return nil, nil }
	if _, err := o.Store.ChangeGrant(t.Context(), g.ID, reset); err != nil || used(1, both, "p1", "it") {
		t.Errorf("it holds again after the store was edited: %v", err)
	}
}
