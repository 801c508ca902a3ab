//go:build e2e && unix

package e2e

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/test/e2e/model"
)

// TestTogether: two hosts at work on one project, each with many calls at
// once, get the right answers, and leave one unbroken chain of evidence.
func TestTogether(t *testing.T) {
	t.Parallel()
	const calls = 20 // every other one is denied
	pair := []host{claude{}, codex{}}
	b := newBox(t)
	b.put(t, b.config(), noTouch)
	var models []*model.Server
	var want []string
	for _, h := range pair {
		note(t, h, "")
		if why, missing := ready.Missing[h.name()]; missing {
			skip(t, why)
		}
		if _, spoken := standard.Dialects().Host(h.name()); !spoken {
			skip(t, "trammel-hook does not speak "+h.name()+" yet")
		}
		var all []model.Call
		for i := range calls {
			name := fmt.Sprintf("%s-%d", h.name(), i)
			if i%2 == 0 {
				all = append(all, h.shell("touch "+name))
			} else {
				all = append(all, h.shell("echo kept >"+name))
				want = append(want, name)
			}
		}
		m := model.Start(model.Script{Turns: []model.Turn{model.Use(all...), model.Say("FINAL")}})
		defer m.Close()
		models = append(models, m)
		h.settle(t, b, m)
		wire(t, b, h, ready.Hook, []string{"pre_tool_use"})
	}
	ends := make([]ended, len(pair))
	var running sync.WaitGroup
	for i, h := range pair {
		running.Go(func() { ends[i] = b.run(t, h.command(b, models[i], "go ahead")) })
	}
	running.Wait()

	for i, h := range pair {
		if e := ends[i]; e.late || e.code != 0 || !strings.Contains(e.stdout, "FINAL") {
			t.Errorf("%s ended with %d after %v\nstdout: %s\nstderr: %s", h.name(), e.code, e.took, e.stdout, e.stderr)
		}
		for _, v := range models[i].Violations() {
			t.Errorf("%s, protocol: %s", h.name(), v)
		}
		told := models[i].Results(0)
		if len(told) != calls {
			t.Fatalf("%s told its model %d results, expected %d", h.name(), len(told), calls)
		}
		for n, r := range told {
			if n%2 == 0 {
				checkTold(t, r, true, "Make files with the Write tool.")
			} else {
				checkTold(t, r, false)
			}
		}
	}
	r := &result{box: b, events: []string{"pre_tool_use"}}
	r.ran(t, want...)
	denials := 0
	got := r.records(t)
	for _, rec := range got {
		if rec.Decision == "deny" {
			denials++
		}
	}
	if len(got) != 2*calls || denials != calls {
		t.Errorf("%d records, %d of them denials, expected %d and %d", len(got), denials, 2*calls, calls)
	}
}
