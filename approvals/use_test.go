package approvals_test

import (
	"crypto/ed25519"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/store"
)

// FST-74: a process is approved by somebody who has the say, alone, and the
// approval is about everything that it names.
func TestUses(t *testing.T) {
	key := func() (approvals.PrivateKey, string) {
		public, private, err := ed25519.GenerateKey(nil)
		if err != nil {
			t.Fatal(err)
		}
		return approvals.PrivateKey(private), "authority:" + approvals.KeyID(public)
	}
	ann, annID := key()
	bob, bobID := key()
	eve, eveID := key()
	public := func(k approvals.PrivateKey) ed25519.PublicKey {
		return ed25519.PrivateKey(k).Public().(ed25519.PublicKey)
	}
	now := time.Now()
	s := &approvals.Service{Now: func() time.Time { return now },
		Roster: &approvals.Roster{People: map[string][]string{"ann": {annID}, "bob": {bobID}}, Groups: map[string][]string{"admins": {"ann",
			"bob"}}},
		Keys: approvals.Keys{Authority: approvals.Named(public(ann), public(bob))}}
	of := func(n int, who ...string) store.Needs {
		return store.Needs{Factors: []store.Factor{{Approvers: who, N: n}}, DenyAt: 1}
	}
	use := func() *approvals.Use {
		return &approvals.Use{Process: "buy", Version: "1.0.0", Revision: "sha256:a", Connectors: []string{"erp", "bank"}}
	}
	for _, c := range []struct {
		name  string
		by    approvals.Granter
		needs store.Needs
		ok    bool
	}{
		{"one of the group", approvals.Granter{Identity: annID, Signer: ann}, of(1, "group:admins"), true},
		{"somebody else", approvals.Granter{Identity: annID, Signer: ann}, of(1, "bob"), false},
		{"two are needed", approvals.Granter{Identity: annID, Signer: ann}, of(2, "group:admins"), false},
		{"nobody is needed", approvals.Granter{Identity: annID, Signer: ann}, store.Needs{}, false},
		{"a key of nobody", approvals.Granter{Identity: eveID, Signer: eve}, of(1, "group:admins"), false},
		{"for another", approvals.Granter{Identity: bobID, Signer: eve}, of(1, "group:admins"), false},
		{"by another", approvals.Granter{Identity: bobID, Signer: ann}, of(1, "group:admins"), false},
		{"an unknown name", approvals.Granter{Identity: "os:1000", Signer: ann}, of(1, "group:admins"), false},
	} {
		if err := s.ApproveUse(use(), c.needs, c.by); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for name, forge := range map[string]func(u *approvals.Use){
		"process":    func(u *approvals.Use) { u.Process = "sell" },
		"version":    func(u *approvals.Use) { u.Version = "1.0.1" },
		"revision":   func(u *approvals.Use) { u.Revision = "sha256:b" },
		"scope":      func(u *approvals.Use) { u.Scope = "everything" },
		"connectors": func(u *approvals.Use) { u.Connectors = append(u.Connectors, "mail") },
		"approver":   func(u *approvals.Use) { u.By = "bob" },
		"reason":     func(u *approvals.Use) { u.Reason = "a better one" },
		"time":       func(u *approvals.Use) { u.At = store.At(now.Add(time.Hour)) },
		"proof":      func(u *approvals.Use) { u.Proof[3] ^= 1 },
		"key":        func(u *approvals.Use) { u.Key = bob.KeyID() },
	} {
		u := use()
		if err := s.ApproveUse(u, of(1, "group:admins"), approvals.Granter{Identity: annID, Signer: ann}); err != nil {
			t.Fatal(err)
		}
		if forge(u); s.MayUse(u, of(1, "group:admins")) == nil {
			t.Errorf("another %s counts", name)
		}
	}
}

// What has run is told the same again after the rest was revoked; what has not run
// does not run, and without a window there is time.
func TestRevokedBesideWhatHasRun(t *testing.T) {
	o := newOffice(t)
	o.Spent = state.Files{Dir: t.TempDir()}
	of := func(session, id string) *approvals.Request {
		r := request(call(session, 1), 1)
		r.Event.Tool.ID, r.Window = id, 0
		return r
	}
	one, two := of("s", "c1"), of("t", "c2")
	a := o.put(t, one)
	if b := o.put(t, two); b.ID != a.ID {
		t.Fatal("two requests about one call")
	}
	if a, err := o.vote(o.put(t, one), "al", true); err != nil || !a.Until.IsZero() {
		t.Fatal(a, err)
	}
	o.pass(100 * time.Hour)
	if _, err := o.use(a.ID, one); err != nil {
		t.Fatal(err)
	}
	if err := o.Cancel(t.Context(), a.ID, "on second thoughts"); err != nil {
		t.Fatal(err)
	}
	if _, err := o.use(a.ID, one); err != nil {
		t.Errorf("the same call, reported twice: %v", err)
	}
	_, err := o.use(a.ID, two)
	refused(t, err, approvals.RefusedState)
	o.edit(t, a.ID, func(a *store.Approval) { a.State = store.Approved })
	_, err = o.use(a.ID, two)
	refused(t, err, approvals.RefusedState)
}
