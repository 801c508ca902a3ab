//go:build e2e && unix

package e2e

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json"
)

type object = map[string]any

// wire makes the host start program for the events: as a user would, with
// trammel init, which wires all events, or by hand if that verb is not there
// or the program is not trammel-hook.
func wire(t *testing.T, b *box, h host, program string, events []string) {
	if !ready.Init || filepath.Base(program) != filepath.Base(ready.Hook) {
		h.hook(t, b, program, events)
		return
	}
	dir := filepath.Dir(program)
	trammel := filepath.Join(dir, "trammel")
	if dir != filepath.Dir(ready.Hook) {
		borrow(t, ready.Trammel, trammel)
	}
	info, err := os.Stat(program)
	switch { // it has to be in order while it is wired
	case errors.Is(err, os.ErrNotExist):
		borrow(t, ready.Hook, program)
		defer os.Remove(program)
	case err != nil:
		t.Fatal(err)
	case info.Mode()&0o100 == 0:
		os.Chmod(program, 0o700)
		defer os.Chmod(program, info.Mode())
	}
	cmd := exec.Command(trammel, "init", "--host", h.name(), "--scope", "user", "--yes")
	cmd.Env = b.env()
	if e := b.run(t, cmd); e.code != 0 {
		t.Fatalf("trammel init: exit code %d\n%s%s", e.code, e.stdout, e.stderr)
	}
}

// borrow puts a program at a path, if there is nothing yet: a hard link, as a
// program finds its neighbours by where it really is.
func borrow(t *testing.T, program, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	err := os.Link(program, path)
	if err != nil && !errors.Is(err, os.ErrExist) {
		t.Fatal(err)
	}
}

// hasInit asks whether trammel can wire hosts.
func hasInit() bool { return exec.Command(ready.Trammel, "init", "--help").Run() == nil }

// hookTimeout is how long, in seconds, the hosts wait for a hook.
const hookTimeout = 30

// commandLine is what a host's shell is told to run. Where no answer would
// mean consent, it blocks; on stop that would make the agent go on for ever.
func commandLine(h host, program, event, name string) string {
	line := quote(program) + " " + h.name() + " " + name
	if event != "stop" {
		line += ` || { echo "` + noAnswer + `" >&2; exit 2; }`
	}
	return line
}

// groups are the hooks in the form that most hosts have taken from each other.
func groups(t *testing.T, h host, program string, events []string, names map[string]string, timeout int) object {
	all := object{}
	for _, event := range events {
		name := nameOf(t, names, event)
		all[name] = []object{{"hooks": []object{{
			"type": "command", "command": commandLine(h, program, event, name), "timeout": timeout,
		}}}}
	}
	return all
}

func nameOf(t *testing.T, names map[string]string, event string) string {
	t.Helper()
	name, ok := names[event]
	if !ok {
		t.Fatalf("event %q has no name here", event)
	}
	return name
}

// putJSON writes a file of JSON.
func (b *box) putJSON(t *testing.T, path string, v any) {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	b.put(t, path, string(raw))
}

// addJSON adds a member to a file that holds an object.
func (b *box) addJSON(t *testing.T, path, name string, v any) {
	t.Helper()
	all := object{}
	if err := readJSON(path, &all); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	all[name] = v
	b.putJSON(t, path, all)
}

// text is v as JSON.
func text(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}
