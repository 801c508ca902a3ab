//go:build unix

package server

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/server/auth"
)

// replicaIn names the directory of a replica for the process that is one.
const replicaIn = "TRAMMEL_TEST_REPLICA"

// TestReplicaProcess is a replica until it is killed.
func TestReplicaProcess(t *testing.T) {
	dir := os.Getenv(replicaIn)
	if dir == "" {
		t.Skip("it is started by TestKilledReplica")
	}
	w := &world{dirs: layers.Dirs{Machine: filepath.Join(dir, "m"), User: filepath.Join(dir, "u"), State: filepath.Join(dir, "s"),
		Cache: filepath.Join(dir, "c")}}
	fmt.Println("listening on", w.start(t, Options{}).url)
	time.Sleep(5 * time.Minute)
}

// process starts a replica as a process of its own.
func (w *world) process(t *testing.T) (r *running, kill func()) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestReplicaProcess$")
	cmd.Env = append(os.Environ(), replicaIn+"="+filepath.Dir(w.dirs.State))
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	kill = func() { cmd.Process.Kill(); cmd.Wait() }
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if _, url, ok := strings.Cut(lines.Text(), "listening on "); ok {
			return &running{url: url, t: t, client: w.socketClient()}, kill
		}
	}
	t.Fatal("it did not start")
	return nil, nil
}

// Issue 10, item 4: a replica is killed (kill -9) while calls wait on it. Those
// that came over HTTP end at once, without consent; a hook of that machine, which
// waits at the store, is not concerned; nothing is lost, and what people decide
// on the other replica counts once (APR-22).
func TestKilledReplica(t *testing.T) {
	one, two := replicas(t)
	second := two.start(t, Options{})
	me, token := second.login(), second.token(auth.Agent)
	first, kill := one.process(t)
	first.client = second.client
	var replies []<-chan verdict
	event := func(i int) []byte { return one.event("s", "release", map[string]any{"version": fmt.Sprint(i)}) }
	for i := range 5 {
		replies = append(replies, first.ask(token, event(i)))
	}
	local := make(chan *trammel.Verdict, 1)
	go func() {
		v, _ := full.New(one.dirs).Dispatch(t.Context(), &trammel.Event{Kind: trammel.PreToolUse, Host: "test",
			Session: trammel.Session{ID: "local", Dir: one.project}, Tool: &trammel.ToolCall{Name: "release",
				Input: map[string]any{"version": "local"}}})
		local <- v
	}()
	pending := func() (list ApprovalList) {
		for begin := time.Now(); len(list.Approvals) < 6 && time.Since(begin) < time.Minute; time.Sleep(20 * time.Millisecond) {
			list = ApprovalList{}
			me.call("GET", "/v1/approvals?q=state:pending", nil, &list)
		}
		return list
	}
	if got := len(pending().Approvals); got != 6 {
		t.Fatalf("%d requests wait", got)
	}
	kill()
	killed := time.Now()
	for _, r := range replies {
		if v := <-r; v.Decision != "error" {
			t.Errorf("%+v from a server that is dead", v)
		}
	}
	if took := time.Since(killed); took > 30*time.Second {
		t.Errorf("who waited was told after %s", took)
	}
	for _, a := range pending().Approvals {
		if status := me.call("POST", "/v1/approvals/"+a.ID+"/decision", a.approve(), nil); status != 200 {
			t.Fatal(status)
		}
	}
	if v := <-local; v.Decision != trammel.Allow {
		t.Errorf("the hook of the machine: %s %s", v.Decision, v.Reason)
	}
	again, kill := one.process(t)
	defer kill()
	again.client = second.client
	for i := range 5 {
		if v := <-again.ask(token, event(i)); v.Decision != "allow" {
			t.Errorf("call %d, made again: %+v", i, v)
		}
	}
	waits := again.ask(token, bytes.Replace(event(0), []byte(`"c1"`), []byte(`"c2"`), 1)) // another call
	if status := me.call("POST", "/v1/approvals/"+me.waiting().ID+"/cancel", nil, nil); status != 200 {
		t.Error(status)
	}
	if v := <-waits; v.Decision == "allow" {
		t.Error("an approval was used twice")
	}
}
