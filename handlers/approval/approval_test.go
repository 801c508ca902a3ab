package approval_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/desk"
	"github.com/trammel-dev/trammel/handlers/approval"
	"github.com/trammel-dev/trammel/test/people"
)

// bank is a machine with a hook that asks about payments, and a person.
type bank struct {
	t      *testing.T
	state  string
	rule   trammel.Answer
	ruleOK error
	config string // what the configuration says now
	broken error  // why it cannot be read
	desks  approval.Desks
}

const asks = `{"rule":{"do":"ask"},"terms":{"mode":"park"},"desk":{}}`

func newBank(t *testing.T) *bank {
	b := &bank{t: t, state: t.TempDir(), rule: trammel.Answer{Decision: trammel.Ask, Reason: "look at it"}, config: asks}
	if _, err := people.SetUp(b.state); err != nil {
		t.Fatal(err)
	}
	b.desks.Open = func(s approvals.Settings) *desk.Desk {
		d := &desk.Desk{StateDir: b.state, Settings: s}
		t.Cleanup(func() { d.Close() })
		return d
	}
	b.desks.Config = func(*trammel.Event, string) ([]byte, error) { return []byte(b.config), b.broken }
	return b
}

func (b *bank) Handle(context.Context, *trammel.Event) (trammel.Answer, error) {
	return b.rule, b.ruleOK
}

// hook is the handler, as the engine makes it.
func (b *bank) hook(config string) (*approval.Handler, error) {
	rules := func(spec trammel.Spec) (trammel.Handler, error) {
		if spec.Kind != "rule" || string(spec.Config) != `{"do":"ask"}` {
			b.t.Errorf("the rule inside is a %s with %s", spec.Kind, spec.Config)
		}
		return b, nil
	}
	h, err := approval.New(rules, &b.desks)(trammel.Spec{Hook: "payments", Kind: "approval", Config: []byte(config)})
	if err != nil {
		return nil, err
	}
	return h.(*approval.Handler), nil
}

func (b *bank) must() *approval.Handler {
	b.t.Helper()
	h, err := b.hook(asks)
	if err != nil {
		b.t.Fatal(err)
	}
	return h
}

func pay(user string) *trammel.Event {
	return &trammel.Event{Kind: trammel.PreToolUse, Host: "bank", Session: trammel.Session{ID: "s", Project: "/src", User: user},
		Tool: &trammel.ToolCall{Name: "pay", Input: map[string]any{"amount": int64(60000)}}}
}

// handle is one go of the agent.
func (b *bank) handle(h *approval.Handler, ev *trammel.Event) trammel.Answer {
	b.t.Helper()
	a, err := h.Handle(b.t.Context(), ev)
	if err != nil {
		b.t.Fatal(err)
	}
	return a
}

func (b *bank) approve() {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.t.Context(), time.Minute)
	defer stop()
	if _, err := people.Decide(ctx, b.state, approvals.Settings{}, people.Decision{Approve: true}); err != nil {
		b.t.Fatal(err)
	}
}

// Declarations that could never work are refused when they are read.
func TestRead(t *testing.T) {
	for config, want := range map[string]string{
		`{`:                           "unexpected",
		`{"terms":{}}`:                "the rule that says when to ask is missing",
		`{"rule":{},"surprise":1}`:    "surprise",
		`{"rule":{},"terms":{"x":1}}`: `"x"`,
		`{"rule":{},"terms":{"approvers":["al"]},"desk":{}}`:                                    "al",
		`{"rule":{},"terms":{"channels":["ops"]}}`:                                              "ops",
		`{"rule":{},"terms":{},"desk":{"terms":{"approvers":["local"],"quorum":2}}}`:            "only 1",
		`{"rule":{},"terms":{"approvers":["al"]},"desk":{"people":{"al":["os:1"]}}}`:            "",
		`{"rule":{},"terms":{},"desk":{"people":{"al":["os:1"]},"terms":{"approvers":["al"]}}}`: "",
	} {
		_, err := approval.Read([]byte(config))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", config, err, want)
		}
	}
}

// FIM-20, FIM-28: people are asked only where the rule asks, and nobody is by a
// rehearsal; no store is opened for it.
func TestAsksOnlyWhereTheRuleDoes(t *testing.T) {
	b := newBank(t)
	h := b.must()
	rehearsal := pay("")
	rehearsal.Rehearsal = true
	if a := b.handle(h, rehearsal); a.Decision != trammel.Ask || len(a.Diagnostics) != 1 || !strings.Contains(a.Diagnostics[0],
		"asks 1 of local") {
		t.Errorf("a rehearsal: %+v", a)
	}
	for _, d := range []trammel.Decision{trammel.None, trammel.Deny} {
		b.rule.Decision = d
		if a := b.handle(h, pay("")); a.Decision != d {
			t.Errorf("%v: %+v", d, a)
		}
	}
	b.ruleOK = errors.New("broken")
	if _, err := h.Handle(t.Context(), pay("")); err == nil {
		t.Error("a rule that fails decides nothing")
	}
	if _, err := os.Stat(filepath.Join(b.state, "approvals", "store.db")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a store was opened: %v", err)
	}
}

// FIM-21, FIM-29: a call is sent away, goes on once after a person has agreed,
// and then not again. Findings of the rule stay with it.
func TestAskApproveUse(t *testing.T) {
	b := newBank(t)
	b.rule.Findings = []trammel.Finding{{Code: "large"}}
	h := b.must()
	a := b.handle(h, pay(""))
	if a.Decision != trammel.Deny || a.Approval == "" || !strings.Contains(a.Reason, a.Approval) ||
		a.Findings[len(a.Findings)-1].Code != "large" {
		t.Fatalf("%+v", a)
	}
	b.approve()
	a = b.handle(h, pay(""))
	if a.Decision != trammel.Allow {
		t.Fatalf("%+v", a)
	}
	if err := h.Commit(t.Context(), pay(""), &a); err != nil {
		t.Fatal(err)
	}
	if err := h.Commit(t.Context(), pay(""), &a); err == nil {
		t.Error("the same approval was used twice")
	}
	if a := b.handle(h, pay("")); a.Decision != trammel.Deny {
		t.Errorf("the next call: %+v", a)
	}
}

// APR-06: up to the moment of use, the policy has to be the one under which
// people were asked.
func TestThePolicyMustBeTheSame(t *testing.T) {
	for name, change := range map[string]struct {
		do  func(b *bank)
		say string
	}{
		"changed":        {func(b *bank) { b.config = strings.Replace(asks, "park", "auto", 1) }, "the policy has changed"},
		"gone":           {func(b *bank) { b.config = "" }, "the policy has changed"},
		"not readable":   {func(b *bank) { b.broken = errors.New("line 3") }, "line 3"},
		"as it was":      {func(*bank) {}, ""},
		"nobody says so": {func(b *bank) { b.desks.Config = nil }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBank(t)
			h := b.must()
			b.handle(h, pay(""))
			b.approve()
			a := b.handle(h, pay(""))
			change.do(b)
			err := h.Commit(t.Context(), pay(""), &a)
			if change.say == "" && err != nil || change.say != "" && (err == nil || !strings.Contains(err.Error(), change.say)) {
				t.Errorf("%v, want %q", err, change.say)
			}
		})
	}
	b := newBank(t)
	b.handle(b.must(), pay(""))
	b.approve()
	other, err := b.hook(strings.Replace(asks, `"mode"`, `"window":1000000000,"mode"`, 1))
	if err != nil {
		t.Fatal(err)
	}
	if a := b.handle(other, pay("")); a.Decision != trammel.Deny {
		t.Errorf("what was approved under other terms passes: %+v", a)
	}
}

// APR-05: who runs the agent has no vote, whether the event says who that is or not.
func TestTheOneWhoAsks(t *testing.T) {
	b := newBank(t)
	key, err := people.SetUp(b.state)
	if err != nil {
		t.Fatal(err)
	}
	mine := `{"rule":{"do":"ask"},"terms":{"mode":"park","approvers":["me","bo"]},"desk":{"people":{"bo":["os:1"],"me":["` + key +
		`","os:` + uid() + `"]}}}`
	h, err := b.hook(mine)
	if err != nil {
		t.Fatal(err)
	}
	b.config = mine
	b.handle(h, pay(""))
	settings := approvals.Settings{People: map[string][]string{"me": {key, "os:" + uid()}, "bo": {"os:1"}}}
	_, err = people.Decide(t.Context(), b.state, settings, people.Decision{Approve: true})
	var refused *approvals.Refusal
	if !errors.As(err, &refused) || refused.Code != approvals.RefusedRequester {
		t.Errorf("%v", err)
	}
}

// Hooks with the same settings share a desk, and so a connection.
func TestDesks(t *testing.T) {
	b := newBank(t)
	one, two := b.desks.For(approvals.Settings{}), b.desks.For(approvals.Settings{Ask: true})
	if one == two || one != b.desks.For(approvals.Settings{}) || two != b.desks.For(approvals.Settings{Ask: true}) {
		t.Error("desks are not one for each settings")
	}
}

func uid() string { return strconv.Itoa(os.Getuid()) }
