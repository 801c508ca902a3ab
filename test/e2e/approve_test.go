//go:build e2e && unix

package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/test/e2e/model"
	"github.com/trammel-dev/trammel/test/people"
)

// gate has a person decide about touch, with more terms.
func gate(terms string) string {
	return `version: 1
hooks:
  - id: people
    on: pre_tool_use
    match: { action: shell, program: touch }
    approve: { reason: Somebody looks at this first., ` + terms + ` }
`
}

// TestApprove: every agent sees every outcome. The call waits for a person, runs
// exactly once with exactly the arguments that were approved, and the evidence
// says who decided (FIM-20, FIM-21, FIM-22, FIM-23, APR-23, UI-11, UI-12).
//
// Where a browser is there, all agents have their call approved by clicks, and
// each other outcome comes about by clicks under every second agent; the server
// is restarted while the call waits. Under the rest a vote is signed without it.
func TestApprove(t *testing.T) {
	all := func(string) bool { return true }
	play(t, []scenario{
		{
			name: "approved while it waits", config: gate("mode: block"), script: counted(1),
			arrange: answers(all, people.Decision{Approve: true}),
			check: func(t *testing.T, r *result) {
				r.ranOnce(t, marker)
				r.told(t, false)
				r.recorded(t, record{Event: "pre_tool_use", Decision: "allow", Hook: "people"})
				r.became(t, "requested", "approved", "consumed")
				r.said(t, "approval.consumed", "approved by local")
			},
		},
		{
			name: "rejected", config: gate("mode: block"), script: counted(1),
			arrange: answers(everySecond(1), people.Decision{Comment: "not on a Sunday"}),
			check: func(t *testing.T, r *result) {
				r.ran(t)
				r.told(t, true, "Rejected by local: not on a Sunday. A person has decided this.")
				r.became(t, "requested", "rejected")
				r.said(t, "approval.rejected", "rejected by local: not on a Sunday")
			},
		},
		{
			name: "nobody answers", config: gate("mode: block, expires: 5s"), script: counted(1), arrange: looksOn(everySecond(1)),
			check: func(t *testing.T, r *result) {
				r.ran(t)
				r.told(t, true, "Nobody answered within 5s, so the call did not run. This is not a rejection.")
				r.became(t, "requested", "expired")
			},
		},
		{
			name: "edited", needs: canRewrite, config: gate("mode: block"), script: counted(1),
			arrange: answers(everySecond(0), people.Decision{Approve: true}, `>>`+marker, `>>EDITED`, `touch `+marker, `touch EDITED`),
			check: func(t *testing.T, r *result) {
				r.ranOnce(t, "EDITED")
				r.said(t, "approval.consumed", "approved by local, with other arguments")
			},
		},
		{
			name: "parked, and approved until it comes again", config: gate("mode: park"), script: patient,
			arrange: signs(people.Decision{Approve: true, Parked: true}),
			check: func(t *testing.T, r *result) {
				r.ranOnce(t, marker)
				told := r.model.Results(0)
				checkTold(t, told[0], true, "A person has to decide this.", "make exactly the same call again later")
				r.said(t, "approval.consumed", "approved by local")
			},
		},
	})
}

// everySecond is every second host, from the first or the second one on.
func everySecond(from int) func(host string) bool {
	return func(name string) bool {
		return slices.IndexFunc(hosts, func(h host) bool { return h.name() == name })%2 == from
	}
}

// answers has a person decide about the first request there is: by clicks under
// some hosts, and with a signed vote under the others. Edits are pairs of what is
// replaced in the arguments.
func answers(clicked func(host string) bool, d people.Decision, edits ...string) func(t *testing.T, b *box) {
	return func(t *testing.T, b *box) {
		if clicked(b.host) && hasBrowser() {
			b.atThePage(t, clicks(d, edits...))
			return
		}
		signs(d, edits...)(t, b)
	}
}

// looksOn has a person see in the page, under some hosts, that nobody answers.
func looksOn(clicked func(host string) bool) func(t *testing.T, b *box) {
	return func(t *testing.T, b *box) {
		if clicked(b.host) && hasBrowser() {
			b.atThePage(t, func(p page, _ *store.Approval) error { return p.says("Expired: nobody answered") })
		}
	}
}

// counted is a model that makes one call n times, one after the other. Each
// time that it runs, it adds a line to the marker.
func counted(n int) func(h host, _ *box) model.Script {
	return func(h host, _ *box) model.Script {
		var turns []model.Turn
		for range n {
			turns = append(turns, model.Use(h.shell("touch "+marker+" && echo ran >>"+marker)))
		}
		return model.Script{Turns: append(turns, model.Say("FINAL"))}
	}
}

// patient is a model that makes a call four times, and looks at something else between.
func patient(h host, _ *box) model.Script {
	var turns []model.Turn
	for range 4 {
		turns = append(turns, model.Use(h.shell("touch "+marker+" && echo ran >>"+marker)), model.Use(h.shell("sleep 0.3")))
	}
	return model.Script{Turns: append(turns, model.Say("FINAL"))}
}

// signs has a person decide with a vote that is signed with their secret.
func signs(d people.Decision, edits ...string) func(t *testing.T, b *box) {
	return func(t *testing.T, b *box) {
		state := b.setUp(t)
		if edits != nil {
			p := full.New(trammel.Dirs{State: state, Cache: filepath.Join(state, "cache"), User: filepath.Dir(b.config())})
			d.Edit = func(a *store.Approval) (*store.Edit, error) {
				args, err := edited(a.Args, strings.NewReplacer(edits...))
				if err != nil {
					return nil, err
				}
				return p.Edit(context.Background(), a, args)
			}
		}
		aside(t, b.waits+timeLimit, func(ctx context.Context) error {
			_, err := people.Decide(ctx, state, approvals.Settings{}, d)
			return err
		})
	}
}

// setUp sets the secret of the person, and returns the state directory.
func (b *box) setUp(t *testing.T) (state string) {
	t.Helper()
	state = filepath.Join(b.state, "trammel")
	if _, err := people.SetUp(state); err != nil {
		t.Fatal(err)
	}
	return state
}

// aside has a person act while the agent works, and sees that they could.
func aside(t *testing.T, limit time.Duration, act func(ctx context.Context) error) {
	ctx, stop := context.WithTimeout(context.Background(), limit)
	done := make(chan error, 1)
	go func() { done <- act(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("the person could not decide: %v", err)
		}
	})
}

// edited replaces texts in arguments.
func edited(args []byte, r *strings.Replacer) ([]byte, error) {
	input, err := strict.Object(args, strict.Limits{})
	if err != nil {
		return nil, err
	}
	for name, value := range input {
		switch v := value.(type) {
		case string:
			input[name] = r.Replace(v)
		case []any:
			for i := range v {
				v[i] = r.Replace(fmt.Sprint(v[i]))
			}
		}
	}
	return json.Marshal(input)
}

// ranOnce checks that the call ran, and not twice.
func (r *result) ranOnce(t *testing.T, name string) {
	t.Helper()
	r.ran(t, name)
	if data, _ := os.ReadFile(filepath.Join(r.project, name)); string(data) != "ran\n" {
		t.Errorf("%s holds %q, expected that the call ran once", name, data)
	}
}

// became checks through which states the only approval went.
func (r *result) became(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	for _, rec := range r.about(t) {
		got = append(got, strings.TrimPrefix(rec.Event, "approval."))
	}
	got = slices.Compact(got) // a change is on record at least once: the server and the hook may both put it there
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the approval was %q, expected %q", got, want)
	}
}

// said checks what the evidence says about the last of these events.
func (r *result) said(t *testing.T, event, text string) {
	t.Helper()
	last := ""
	for _, rec := range r.about(t) {
		if rec.Event == event {
			last = rec.Reason
		}
	}
	if !strings.Contains(last, text) {
		t.Errorf("the evidence says %q of %s, expected %q", last, event, text)
	}
}

// about are the records about approvals.
func (r *result) about(t *testing.T) []record {
	t.Helper()
	all := *r
	all.events = nil
	for _, kind := range []string{"requested", "joined", "voted", "approved", "rejected", "expired", "cancelled", "consumed", "revoked"} {
		all.events = append(all.events, "approval."+kind)
	}
	return all.records(t)
}
