//go:build unix

package integrations

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/test/programs"
)

const ask = `version: 1
approvals: {terms: {hold: 5m}}
hooks:
  - {id: no-force, on: PreToolUse, match: {action: shell}, deny: {when: 'command contains "--force"', reason: No force.}}
  - {id: release, on: PreToolUse, match: {tool: release}, approve: "This publishes a release."}
`

// clients ask a server about one call, and print whether it goes on and why not.
var clients = map[string][]string{
	"js": {"node", "--input-type=module", "-e", `import { Trammel } from "./js/trammel.mjs";
const t = new Trammel({ server: process.env.SERVER, token: process.env.TOKEN, dir: process.env.PROJECT, timeout: 120000, onFailure() {} });
const call = await t.session("s").before({ name: process.env.TOOL, input: { command: process.env.COMMAND } });
console.log(JSON.stringify({ proceed: call.proceed, reason: call.reason ?? "" }));`},
	"python": {"python3", "-B", "-c", `import json, os, sys
sys.path.insert(0, "python")
from trammel import Trammel
e = os.environ
t = Trammel(server=e["SERVER"], token=e["TOKEN"], dir=e["PROJECT"], timeout=120, on_failure=lambda *a: None)
call = t.session("s").before(e["TOOL"], {"command": e["COMMAND"]})
print(json.dumps({"proceed": call.proceed, "reason": call.reason}))`},
}

type said struct {
	Proceed bool
	Reason  string
}

// Both clients can ask a server instead of starting a process, over HTTP and
// the socket. Where there is none, or it is killed while a call waits, what is
// about to happen does not happen.
func TestClientsOfTheServer(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "trammel")
	if err := programs.Shipped(dir); err != nil {
		t.Fatal(err)
	}
	user, state, project := filepath.Join(dir, "u"), filepath.Join(dir, "s"), filepath.Join(dir, "p")
	for _, d := range []string{user, state, project} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(user, "trammel.yaml"), []byte(ask), 0o600); err != nil {
		t.Fatal(err)
	}
	trammel := func(args ...string) *exec.Cmd {
		return exec.Command(program, append([]string{"--user-config=" + user, "--state=" + state}, args...)...)
	}
	out, err := trammel("serve", "token", "create", "test").Output()
	if err != nil {
		t.Fatal(err, string(err.(*exec.ExitError).Stderr))
	}
	token := strings.TrimSpace(string(out))
	server := trammel("serve", "--listen", "127.0.0.1:0")
	lines, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer server.Wait()
	defer server.Process.Kill()
	var address string
	for s := bufio.NewScanner(lines); s.Scan() && address == ""; {
		address = strings.TrimPrefix(s.Text(), "Listening on ")
	}
	call := func(name, at, tool, command string) *exec.Cmd {
		cmd := exec.Command(clients[name][0], clients[name][1:]...)
		cmd.Env = append(os.Environ(), "SERVER="+at, "TOKEN="+token, "PROJECT="+project, "TOOL="+tool, "COMMAND="+command)
		return cmd
	}
	judge := func(name, at, tool, command string) said {
		t.Helper()
		var v said
		out, err := call(name, at, tool, command).Output()
		if err != nil || json.Unmarshal(out, &v) != nil {
			t.Fatalf("%s: %v %s", name, err, out)
		}
		return v
	}
	waiting := map[string]*output{}
	var running []*exec.Cmd
	for name, argv := range clients {
		if _, err := exec.LookPath(argv[0]); err != nil {
			t.Logf("no %s on this machine", argv[0])
			continue
		}
		for _, at := range []string{address, "unix:" + filepath.Join(state, "server.sock")} {
			if v := judge(name, at, "shell", "git push --force"); v.Proceed || !strings.HasPrefix(v.Reason, "No force.") {
				t.Errorf("%s at %s: %+v", name, at, v)
			}
			if v := judge(name, at, "shell", "ls"); !v.Proceed {
				t.Errorf("%s at %s: %+v", name, at, v)
			}
		}
		if v := judge(name, "http://127.0.0.1:1", "shell", "ls"); v.Proceed || !strings.Contains(v.Reason, "could not judge") {
			t.Errorf("%s without a server: %+v", name, v)
		}
		cmd := call(name, address, "release", name)
		waiting[name] = &output{}
		cmd.Stdout = waiting[name]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	time.Sleep(2 * time.Second) // until they wait
	for name, out := range waiting {
		if said := out.text(); said != "" {
			t.Errorf("%s does not wait: %s", name, said)
		}
	}
	server.Process.Kill()
	killed := time.Now()
	for _, cmd := range running {
		cmd.Wait()
	}
	for name, out := range waiting {
		var v said
		if json.Unmarshal([]byte(out.text()), &v) != nil || v.Proceed || !strings.Contains(v.Reason, "could not judge") {
			t.Errorf("%s after kill -9: %s", name, out.text())
		}
	}
	if took := time.Since(killed); took > time.Minute {
		t.Error(fmt.Sprint("it took ", took))
	}
}

// output is what a process has written, also while it runs.
type output struct {
	mu   sync.Mutex
	data []byte
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.data = append(o.data, p...)
	return len(p), nil
}

func (o *output) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(o.data)
}
