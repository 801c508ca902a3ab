package process_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/desk"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/packs/process"
	"github.com/trammel-dev/trammel/test/people"
)

// shop is the purchase process, with people, a clock and a log.
type shop struct {
	*process.Process
	t               *testing.T
	dir, state, log string
	clock           time.Time
	run             string
}

func newShop(t *testing.T) *shop {
	t.Helper()
	s := &shop{t: t, dir: filepath.Join(t.TempDir(), "purchase"), state: t.TempDir(), clock: time.Now()}
	s.log = filepath.Join(s.state, "log")
	if err := os.CopyFS(s.dir, os.DirFS("testdata/purchase")); err != nil {
		t.Fatal(err)
	}
	now := func() time.Time { return s.clock }
	at := &desk.Desk{StateDir: s.state, Now: now}
	p, report := process.Open(s.dir, process.Options{StateDir: s.state, Log: evidence.Open(s.log, evidence.Options{}), Desk: at,
		Project: s.dir, User: "os:1000", Now: now})
	if p == nil || !report.Valid {
		t.Fatalf("%+v", report)
	}
	s.Process = p
	t.Cleanup(func() { p.Close(); at.Close() })
	return s
}

type payload = map[string]any

// control makes a call in the shop's run.
func (s *shop) control(action string, in payload) process.Response {
	s.t.Helper()
	return s.send(process.Request{Action: action, Payload: in, Run: s.run})
}

func (s *shop) send(r process.Request) process.Response {
	s.t.Helper()
	out, err := s.Control(s.t.Context(), r)
	if err != nil {
		s.t.Fatalf("%s: %v (%+v)", r.Action, err, out)
	}
	if s.run == "" {
		s.run = out.Run
	}
	return out
}

func (s *shop) want(got process.Response, status string, route process.Route, code process.Code) {
	s.t.Helper()
	if got.Status != status || got.Route != route || got.Code != code {
		s.t.Fatalf("got %+v, expected %s %s %s", got, status, route, code)
	}
}

// decide lets the person at the machine decide about what waits.
func (s *shop) decide(approve bool) {
	s.t.Helper()
	if _, err := people.SetUp(s.state); err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	if _, err := people.Decide(ctx, s.state, approvals.Settings{}, people.Decision{Approve: approve}); err != nil {
		s.t.Fatal(err)
	}
}

// ready brings the run to where an order can be placed.
func (s *shop) ready() {
	s.t.Helper()
	s.want(s.control("purchase.request", payload{"item": "desk", "amount": 5000}), "ok", process.Continue, "")
	s.want(s.control("purchase.quote", payload{"vendor": "acme", "price": 5000}), "ok", process.Continue, "")
}

// FST-72 FST-73: the routes of the purchase process, from request to completion.
func TestPurchase(t *testing.T) {
	s := newShop(t)
	first := s.control("purchase.request", payload{"item": "desk", "amount": 400})
	s.want(first, "ok", process.Continue, "")
	if len(first.Created) != 1 || first.Created[0].Type != "purchase_request" || !slices.Equal(first.Next, []string{"purchase.quote"}) {
		t.Errorf("%+v", first)
	}
	order := payload{"vendor": "acme", "amount": 400}
	early := s.control("purchase.order", order)
	s.want(early, "nok", process.InstructAgent, process.CodeMissing)
	if early.Gate != "quote_there" || !slices.Equal(early.Missing, []string{"quote"}) {
		t.Errorf("%+v", early)
	}
	bad := s.control("purchase.quote", payload{"vendor": "acme", "price": -1})
	s.want(bad, "nok", process.InstructAgent, process.CodeArtifact)
	if !slices.Equal(bad.Diagnostics, []string{"the price is not above zero"}) {
		t.Errorf("%+v", bad)
	}
	s.want(s.control("purchase.quote", payload{"vendor": "acme", "price": 400}), "ok", process.Continue, "")
	s.want(s.control("purchase.preview", order), "ok", process.MaterializeMock, "")
	done := s.control("purchase.order", order)
	s.want(done, "ok", process.MaterializeAllowed, "")
	if done.Effect == nil || done.Effect.Scope["vendor"] != "acme" || len(done.Evidence) != 2 {
		t.Errorf("%+v", done)
	}
	s.want(s.control("purchase.close", nil), "ok", process.Complete, "")
	s.want(s.control("purchase.close", nil), "nok", process.Blocked, process.CodeRunCompleted)
}

// FST-74: a purchase above the limit waits for a person, and the same request
// goes through once after the person has agreed.
func TestAboveTheLimitAPersonDecides(t *testing.T) {
	s := newShop(t)
	s.ready()
	order := payload{"vendor": "acme", "amount": 5000}
	waits := s.control("purchase.order", order)
	s.want(waits, "nok", process.AwaitApproval, process.CodeApproval)
	if waits.ApprovalID == "" || waits.Decision != "approval_required" || waits.MayProceed || waits.Approval.Scope != "purchase.order" {
		t.Errorf("%+v", waits)
	}
	if again := s.control("purchase.order", order); again.ApprovalID != waits.ApprovalID {
		t.Errorf("the same request opens another question: %+v", again)
	}
	s.decide(true)
	other := s.control("purchase.order", payload{"vendor": "acme", "amount": 5001})
	s.want(other, "nok", process.AwaitApproval, process.CodeApproval)
	s.want(s.control("purchase.order", order), "ok", process.MaterializeAllowed, "")
	s.want(s.control("purchase.order", order), "nok", process.AwaitApproval, process.CodeApproval)
}

// FST-70 FST-72: an action that needs a connector is refused until a person has
// given it to the process, and nobody is asked about it before; a process that is
// not admitted has no routes.
func TestConnectors(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "purchase")
	if err := os.CopyFS(dir, os.DirFS("testdata/purchase")); err != nil {
		t.Fatal(err)
	}
	rewrite(t, filepath.Join(dir, "profile.yaml"), "    required_capabilities: [order.place]\n",
		"    required_capabilities: [order.place]\n    required_connectors: [erp, bank]\n")
	order := process.Request{Action: "purchase.order", Payload: payload{"vendor": "acme", "amount": 5000}}
	for _, c := range []struct {
		given []string
		err   error
		code  process.Code
	}{
		{nil, nil, process.CodeConnector},
		{[]string{"erp"}, nil, process.CodeConnector},
		{[]string{"erp", "bank"}, nil, process.CodeApproval},
		{nil, &process.Refusal{Code: process.CodeNotApproved, Detail: "no"}, process.CodeNotApproved},
	} {
		admit := func(context.Context, *process.Definition) ([]string, error) { return c.given, c.err }
		state := t.TempDir()
		open := func(o process.Options) *process.Process {
			o.StateDir = state
			p, report := process.Open(dir, o)
			if p == nil {
				t.Fatalf("%+v", report)
			}
			t.Cleanup(func() { p.Close() })
			return p
		}
		order.Run = ""
		for _, r := range []process.Request{{Action: "purchase.request", Payload: payload{"item": "desk", "amount": 5000}},
			{Action: "purchase.quote", Payload: payload{"vendor": "acme", "price": 5000}}} {
			r.Run = order.Run
			out, err := open(process.Options{}).Control(t.Context(), r)
			if err != nil || !out.MayProceed {
				t.Fatalf("%+v %v", out, err)
			}
			order.Run = out.Run
		}
		out, err := open(process.Options{Admit: admit}).Control(t.Context(), order)
		if err != nil || out.Code != c.code || out.MayProceed {
			t.Errorf("%v: %+v %v", c.given, out, err)
		}
	}
}
