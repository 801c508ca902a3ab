//go:build unix

package server

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/test/pgtest"
)

// issue 10, item 4: two replicas on one PostgreSQL. What is asked on one is
// approved on the other; a session counts on both; one that ends loses nothing (APR-22).
func TestReplicas(t *testing.T) {
	one, two := replicas(t)
	first, second := one.start(t, Options{}), two.start(t, Options{})
	me, token := second.login(), first.token(auth.Agent)
	var woken []time.Duration
	for i := range 40 {
		reply := first.ask(token, one.event(fmt.Sprint("s", i), "release", map[string]any{"version": fmt.Sprint(i)}))
		a := me.waiting()
		var after Approval
		if status := me.call("POST", "/v1/approvals/"+a.ID+"/decision", a.approve(), &after); status != 200 {
			t.Fatal(status)
		}
		decided := time.Now()
		if v := <-reply; v.Decision != "allow" {
			t.Fatalf("%+v", v)
		}
		woken = append(woken, time.Since(decided))
	}
	slices.Sort(woken)
	p95 := woken[len(woken)*95/100]
	t.Logf("a call that waits on the other replica goes on after %s, %s at p95, %s at most", woken[len(woken)/2], p95, woken[len(woken)-1])
	if p95 > 30*time.Second { // 200 ms on a quiet machine
		t.Errorf("it took %v to wake up", woken)
	}
	onFirst := *first // the session of the other replica
	onFirst.cookie, onFirst.csrf = me.cookie, me.csrf
	event := one.event("last", "release", map[string]any{"version": "last"})
	reply := first.ask(token, event)
	a := onFirst.waiting()
	if err := first.stop(); err != nil {
		t.Error(err)
	}
	if v := <-reply; v.Decision != "deny" || !strings.Contains(v.Reason, a.ID) {
		t.Errorf("%+v", v)
	}
	if status := me.call("POST", "/v1/approvals/"+a.ID+"/decision", a.approve(), nil); status != 200 {
		t.Fatal(status)
	}
	again := one.start(t, Options{})
	if v := <-again.ask(token, event); v.Decision != "allow" {
		t.Errorf("%+v", v)
	}
}

// replicas are two machines that trust each other and share a PostgreSQL.
func replicas(t *testing.T) (one, two *world) {
	t.Helper()
	address := pgtest.Database(t)
	one, two = newWorld(t, gate), newWorld(t, gate)
	var trust []string
	for _, w := range []*world{one, two} {
		key, err := OpenKey(t.Context(), w.dirs.State)
		if err != nil {
			t.Fatal(err)
		}
		trust = append(trust, (&Server{key: key}).Trust())
	}
	shared := fmt.Sprintf("approvals:\n  store: %q\n  trust: [%q, %q]\n", address, trust[0], trust[1])
	for _, w := range []*world{one, two} {
		text := strings.Replace(gate, "approvals:\n", shared, 1)
		if err := os.WriteFile(filepath.Join(w.dirs.User, "trammel.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return one, two
}
