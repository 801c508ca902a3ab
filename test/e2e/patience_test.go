//go:build e2e && unix

package e2e

import (
	"os"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/test/people"
)

// TestPatience: an agent that is wired by init waits longer for people than the
// half minute that hooks have, and the call is not parked meanwhile (APR-23).
// TRAMMEL_E2E_PATIENCE=10m25s, with more of -timeout, shows that it waits for as
// long as init tells it to. All agents wait at once, as that costs nothing.
func TestPatience(t *testing.T) {
	wait := 33 * time.Second
	if text := os.Getenv("TRAMMEL_E2E_PATIENCE"); text != "" {
		var err error
		if wait, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	defer all.Wait()
	for _, h := range hosts {
		all.Go(func() {
			t.Run(h.name(), func(t *testing.T) {
				if why, missing := ready.Missing[h.name()]; missing {
					skip(t, why)
				}
				wait := min(wait, standard.Host(h.name()).Patience(trammel.PreToolUse)*4/5)
				s := scenario{config: gate("mode: block, expires: 1h"), script: counted(1), arrange: func(t *testing.T, b *box) {
					b.waits = wait
					signs(people.Decision{Approve: true, Before: func() { time.Sleep(wait) }})(t, b)
				},
					check: func(t *testing.T, r *result) {
						r.ranOnce(t, marker)
						r.told(t, false)
						r.became(t, "requested", "approved", "consumed")
						if r.took < wait {
							t.Errorf("it took %v, expected that the call waits %v", r.took, wait)
						}
					}}
				s.play(t, h)
			})
		})
	}
}
