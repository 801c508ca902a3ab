package server

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/trammel-dev/trammel/server/auth"
)

// Another user of this machine decides on the socket, as who they are in the
// roster; an unlisted one does not.
func TestOtherUsersOnTheSocket(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can be somebody else")
	}
	w := newWorld(t, strings.Replace(gate, "approvals:\n", "approvals:\n  people: {bo: ['os:54321']}\n", 1)+
		"  - {id: pay, on: PreToolUse, match: {tool: pay}, approve: {approvers: bo}}\n")
	dir, err := os.MkdirTemp("/tmp", "trammel-socket")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	os.Chmod(dir, 0o755)
	socket := filepath.Join(dir, "sock")
	r := w.start(t, Options{Socket: socket})
	reply := r.ask(r.token(auth.Agent), w.event("s", "pay", map[string]any{"amount": 60000}))
	a := r.login().waiting()
	post := func(uid int) int {
		client := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			return dialAs(uid, socket)
		}}}
		body := `{"nonce":"` + a.Nonce + `","digest":"` + a.Digest + `","decision":"approve"}`
		res, err := client.Post("http://trammel/v1/approvals/"+a.ID+"/decision", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.StatusCode
	}
	if status := post(12345); status != http.StatusForbidden {
		t.Errorf("somebody: %d", status)
	}
	if status := post(54321); status != http.StatusOK {
		t.Errorf("bo: %d", status)
	}
	if v := <-reply; v.Decision != "allow" {
		t.Errorf("%+v", v)
	}
}

// A person who runs an agent on the socket does not decide about its calls, whoever
// the agent says runs it.
func TestWhoAsksOnTheSocket(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can be somebody else")
	}
	w := newWorld(t, `version: 1
approvals:
  ask: true
  terms: {approvers: [al, bo], mode: park}
  people: {al: ['os:54320'], bo: ['os:54321']}
hooks:
  - {id: pay, on: PreToolUse, match: {tool: pay}, approve: Payments need a person.}
  - {id: move, on: PreToolUse, match: {program: move}, ask: Sure?}
`)
	dir, err := os.MkdirTemp("/tmp", "trammel-socket")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	os.Chmod(dir, 0o755)
	socket := filepath.Join(dir, "sock")
	r := w.start(t, Options{Socket: socket})
	post := func(uid int, path, body string) (int, string) {
		client := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			return dialAs(uid, socket)
		}}}
		res, err := client.Post("http://trammel"+path, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(text)
	}
	person := r.login()
	for what, event := range map[string]string{
		"a hook that asks people": `{"event":"pre_tool_use","session":{"id":"s","user":"nobody","dir":"` + dir +
			`"},"tool":{"name":"pay","input":{"amount":60000}}}`,
		"an agent that cannot ask": `{"host":"codex","event":"PreToolUse","dir":"` + dir + `","payload":{"session_id":"t","turn_id":"t","cwd":"` +
			dir + `","hook_event_name":"PreToolUse","model":"m","permission_mode":"default","transcript_path":null,"tool_name":"Bash",` +
			`"tool_use_id":"c1","tool_input":{"command":"move 5"}}}`,
	} {
		if status, text := post(54321, "/v1/events", event); status != http.StatusOK || !strings.Contains(text, "is waiting for an answer") {
			t.Fatalf("%s: %d: %s", what, status, text)
		}
		a := person.waiting()
		decision := `{"nonce":"` + a.Nonce + `","digest":"` + a.Digest + `","decision":"approve"}`
		if status, text := post(54321, "/v1/approvals/"+a.ID+"/decision", decision); status != http.StatusForbidden {
			t.Errorf("%s: bo, who asks: %d: %s", what, status, text)
		}
		if status, text := post(54320, "/v1/approvals/"+a.ID+"/decision", decision); status != http.StatusOK {
			t.Errorf("%s: al: %d: %s", what, status, text)
		}
	}
}

// dialAs connects as another user: on Linux a thread can be somebody else.
func dialAs(uid int, socket string) (c net.Conn, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		if _, _, e := syscall.RawSyscall(syscall.SYS_SETRESUID, ^uintptr(0), uintptr(uid), ^uintptr(0)); e != 0 {
			err = e
			return
		}
		c, err = net.Dial("unix", socket)
	}()
	<-done
	return c, err
}
