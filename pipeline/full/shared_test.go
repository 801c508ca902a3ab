//go:build unix

package full_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/test/pgtest"
)

// caller names the directory of a machine for the process that plays it.
const caller = "TRAMMEL_TEST_MACHINE"

// calls is how many calls each machine makes.
const calls = 15

// TestMachine is one machine: it makes its calls and prints how many passed.
func TestMachine(t *testing.T) {
	dir := os.Getenv(caller)
	if dir == "" {
		t.Skip("it is started by TestSharedCounts")
	}
	p := full.New(machine(dir))
	passed := 0
	for range calls {
		v, err := p.Dispatch(t.Context(), &trammel.Event{Kind: trammel.PreToolUse, Host: "native",
			Session: trammel.Session{ID: "one", Dir: filepath.Join(dir, "project")}, Tool: &trammel.ToolCall{Name: "jira"}})
		if err == nil && v.Decision < trammel.Deny {
			passed++
		}
	}
	fmt.Printf("passed %d\n", passed)
}

func machine(dir string) trammel.Dirs {
	return trammel.Dirs{State: filepath.Join(dir, "state"), Cache: filepath.Join(dir, "cache"), User: filepath.Join(dir, "user")}
}

// Two machines that share a PostgreSQL share limits and budgets, to the call, if
// a hook says so; files are the default. A store that cannot be reached is no
// consent.
func TestSharedCounts(t *testing.T) {
	address := pgtest.Database(t)
	for _, c := range []struct {
		name, use, store string
		want             int
	}{
		{"a limit", "{use: rate-limit, with: {shared: true, limits: [{max: 20, per: 1h}]}}", address, 20},
		{"a budget", "{use: budget, with: {shared: true, max_tool_calls: 20}}", address, 20},
		{"a limit of each machine", "{use: rate-limit, with: {limits: [{max: 10, per: 1h}]}}", address, 20},
		{"a budget of each machine", "{use: budget, with: {max_tool_calls: 10}}", address, 20},
		{"a limit without its store", "{use: rate-limit, with: {shared: true, limits: [{max: 20, per: 1h}]}}", "postgres:///x?host=/none", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var both sync.WaitGroup
			passed := make([]int, 2)
			for i := range passed {
				dir := t.TempDir()
				text := fmt.Sprintf("version: 1\napprovals: {store: %q}\nhooks:\n  - %s\n", c.store, strings.Replace(c.use, "{", "{id: h, ", 1))
				for _, d := range []string{"state", "user", "project"} {
					if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
						t.Fatal(err)
					}
				}
				if err := os.WriteFile(filepath.Join(dir, "user", "trammel.yaml"), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				both.Go(func() {
					cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestMachine$")
					cmd.Env = append(os.Environ(), caller+"="+dir)
					out, err := cmd.CombinedOutput()
					if _, after, ok := bytes.Cut(out, []byte("passed ")); err != nil || !ok {
						t.Errorf("%v: %s", err, out)
					} else {
						fmt.Sscan(string(after), &passed[i])
					}
				})
			}
			if both.Wait(); passed[0]+passed[1] != c.want {
				t.Errorf("%v calls passed, want %d in all", passed, c.want)
			}
		})
	}
}
