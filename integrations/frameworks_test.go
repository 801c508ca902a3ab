//go:build e2e && unix

package integrations

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/trammel-dev/trammel/test/programs"
)

// A framework is what npm installs for one adapter, in exact versions, and what
// these need as it was on a certain day: a version that came later may need what
// is nowhere, and npm then looks for it without end.
type framework struct {
	name     string
	before   string
	packages []string
}

var frameworks = []framework{
	{"strands", "2026-10-25", []string{"@strands-agents/sdk@1.19.0", "zod@4.6.7"}},
	{"langgraph", "2026-10-25", []string{"langchain@1.5.14", "@langchain/core@1.2.13", "@langchain/langgraph@1.4.18", "zod@4.6.7"}},
	{"openai-agents", "2026-10-25", []string{"@openai/agents@0.20.0", "zod@4.6.7"}},
	{"voltagent", "2026-11-10", []string{"@voltagent/core@2.10.0", "ai@6.0.326", "zod@4.6.7"}},
}

// FLOW-61: real agents of the four frameworks, with a scripted model, a real
// trammel-hook and one trammel.yaml.
func TestFrameworks(t *testing.T) {
	bin := build(t)
	for _, f := range frameworks {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			dir := f.install(t)
			for _, c := range scenarios {
				t.Run(c.name, func(t *testing.T) { c.play(t, dir, f.name, bin) })
			}
			for _, c := range special[f.name] {
				t.Run(c.name, func(t *testing.T) { c.play(t, dir, c.module, bin) })
			}
		})
	}
}

// install puts the framework into the cache, and our package and the scripts
// beside it.
func (f *framework) install(t *testing.T) string {
	t.Helper()
	for _, program := range []string{"npm", "node"} {
		if _, err := exec.LookPath(program); err != nil {
			skip(t, "no "+program+" on this machine")
		}
	}
	cache := os.Getenv("TRAMMEL_E2E_CACHE")
	if cache == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			t.Fatal(err)
		}
		cache = filepath.Join(home, ".cache", "trammel-e2e")
	}
	dir := filepath.Join(cache, "framework-"+f.name)
	stamp, want := filepath.Join(dir, "installed"), strings.Join(append(f.packages, f.before), " ")
	if have, err := os.ReadFile(stamp); err != nil || string(have) != want {
		check(t, os.RemoveAll(dir))
		check(t, os.MkdirAll(dir, 0o755))
		check(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private":true,"type":"module"}`), 0o644))
		npm(t, dir, append(f.packages, "--before="+f.before)...)
		check(t, os.WriteFile(stamp, []byte(want), 0o644))
	}
	// The work happens in a folder of its own: other runs may share the cache.
	work := t.TempDir()
	check(t, os.Mkdir(filepath.Join(work, "node_modules"), 0o755))
	installed, err := os.ReadDir(filepath.Join(dir, "node_modules"))
	check(t, err)
	for _, entry := range installed {
		check(t, os.Symlink(filepath.Join(dir, "node_modules", entry.Name()), filepath.Join(work, "node_modules", entry.Name())))
	}
	check(t, os.CopyFS(filepath.Join(work, "node_modules", "@trammel", "agents"), os.DirFS("js")))
	check(t, os.CopyFS(filepath.Join(work, "scripts"), os.DirFS("testdata")))
	return work
}

var unreachable = []string{"EAI_AGAIN", "ENOTFOUND", "ECONNREFUSED", "ECONNRESET", "ENETUNREACH", "EHOSTUNREACH", "ETIMEDOUT"}

func npm(t *testing.T, dir string, packages ...string) {
	t.Helper()
	args := []string{"install", "--save-exact", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--fetch-retries=1",
		"--fetch-timeout=60000"}
	ctx, stop := context.WithTimeout(t.Context(), 8*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, "npm", append(args, packages...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		for _, code := range unreachable {
			if strings.Contains(string(out), code) {
				skip(t, "npm registry unreachable: "+code)
			}
		}
		t.Fatalf("npm install %q: %v\n%s", packages, err, out)
	}
}

func build(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	if err := programs.Isolated(bin); err != nil {
		t.Fatal(err)
	}
	return bin
}

// happened is what a script reports.
type happened struct {
	Ran      []string `json:"ran"`      // commands that the tool was really called with
	Seen     []string `json:"seen"`     // what the model was sent, per request
	Final    string   `json:"final"`    // the agent's answer
	Error    string   `json:"error"`    // what it threw
	Failures []string `json:"failures"` // events that Trammel could not be asked about
	Events   []string `json:"-"`        // what an observer of Trammel saw
}

// play runs a script in a world of its own and compares what happened with the
// case.
func (c *scenario) play(t *testing.T, dir, script, bin string) {
	t.Helper()
	home := t.TempDir()
	project := filepath.Join(home, "project")
	config := filepath.Join(home, ".config", "trammel")
	check(t, os.Mkdir(project, 0o700))
	check(t, os.MkdirAll(config, 0o700))
	yaml, err := os.ReadFile("testdata/trammel.yaml")
	check(t, err)
	check(t, os.WriteFile(filepath.Join(config, "trammel.yaml"), yaml, 0o600))
	check(t, os.CopyFS(filepath.Join(home, "bin"), os.DirFS(bin))) // a scenario may remove it
	hook := filepath.Join(home, "bin", "trammel-hook")
	if c.missing {
		hook += "-that-is-not-there"
	}
	cmd := exec.Command("node", filepath.Join(dir, "scripts", script+".mjs"))
	cmd.Dir = project
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + t.TempDir(), "TRAMMEL_HOOK=" + hook,
		"TRAMMEL_TEST_SCENARIO=" + c.script}
	cmd.WaitDelay = time.Second
	timer := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		t.Fatalf("%v\n%s", err, exit.Stderr)
	}
	var got happened
	line := string(out[strings.LastIndex(strings.TrimSpace(string(out)), "\n")+1:])
	if err := json.Unmarshal([]byte(line), &got); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got.Events = eventsIn(t, filepath.Join(home, "events.jsonl"))
	c.compare(t, &got)
}

// eventsIn reads what the observer kept.
func eventsIn(t *testing.T, path string) []string {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	check(t, err)
	var names []string
	for line := range strings.Lines(string(data)) {
		var ev struct {
			Event string `json:"event"`
		}
		if err := json.Unmarshal([]byte(line), &ev); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		names = append(names, ev.Event)
	}
	return names
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// skip skips with its reason, or fails where everything has to run.
func skip(t *testing.T, reason string) {
	t.Helper()
	if os.Getenv("TRAMMEL_E2E_REQUIRE") == "1" {
		t.Fatal(reason)
	}
	t.Skip(reason)
}
