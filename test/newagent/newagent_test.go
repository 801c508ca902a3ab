// Package newagent proves that one folder and one line are all that a new agent
// needs: issue 9, "One place per agent".
package newagent

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/install"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/liveness"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/test/hostspage"
	"github.com/trammel-dev/trammel/test/newagent/acme"
	"github.com/trammel-dev/trammel/test/testfile"
)

// add is the one line, here for the time of a test.
func add(t *testing.T) {
	t.Cleanup(standard.Add(dialects.Entry{Host: &acme.Host, Dialect: &acme.Dialect}))
}

// place is a machine with a project and rules.
type place struct {
	*testing.T
	dirs    layers.Dirs
	project string
}

func newPlace(t *testing.T, rules string) *place {
	add(t)
	root := t.TempDir()
	p := &place{t, layers.Dirs{Machine: filepath.Join(root, "m"), User: filepath.Join(root, "u"), State: filepath.Join(root, "s"),
		Cache: filepath.Join(root, "c")}, filepath.Join(root, "p")}
	testfile.Write(t, filepath.Join(p.dirs.User, "trammel.yaml"), "version: 1\nhooks:\n"+rules, 0o600)
	if err := os.MkdirAll(p.project, 0o755); err != nil {
		t.Fatal(err)
	}
	return p
}

// ask has Acme report that it is about to run a command.
func (p *place) ask(line string) trammel.Reply {
	payload := `{"hook_event_name":"BeforeDeed","session_id":"s1","cwd":"` + p.project + `","tool_name":"sh","tool_input":{"line":"` + line +
		`"},"tool_use_id":"c1"}`
	return full.New(p.dirs).Answer(context.Background(), pipeline.Call{Host: "acme", Event: "BeforeDeed", Stdin: strings.NewReader(payload),
		Getenv: func(string) string { return "" }, Dir: p.project})
}

// Its events are known by its own names, and its tools by what they do; the
// policies protect its files, refuse to start it without its hooks and to kill
// it.
func TestJudged(t *testing.T) {
	p := newPlace(t, "  - {id: r, on: acme/BeforeDeed, match: {program: git}, deny: {when: 'true', reason: no git}}\n"+
		"  - {id: self, use: self-protection}\n  - {id: conf, use: config-protection}\n  - {id: shell, use: shell-guard}\n")
	if kind, ok := trammel.ParseKind("AfterDeed"); !ok || kind != trammel.PostToolUse {
		t.Errorf("AfterDeed is %v, %v", kind, ok)
	}
	for line, want := range map[string]string{
		"git push": "no git", "ls": "",
		"rm ~/.acme/hooks.json": "hooks.json", "echo x > .acme/hooks.json": "hooks.json",
		"acme --no-hooks go": "--no-hooks", "ACME_BARE=1 acme go": "ACME_BARE", "ACME_HOME=/tmp acme go": "ACME_HOME", "acme go": "",
		"pkill acme": "acme",
	} {
		r := p.ask(line)
		if denied := r.Exit == 2; denied != (want != "") || !strings.Contains(string(r.Stderr), want) {
			t.Errorf("%s: exit %d, %s%s", line, r.Exit, r.Stdout, r.Stderr)
		}
	}
}

// Wiring and unwiring it leaves the same bytes, and both scopes are known.
func TestWired(t *testing.T) {
	p := newPlace(t, "  []\n")
	home := filepath.Join(t.TempDir(), "home")
	hook := filepath.Join(home, "bin", "trammel-hook")
	testfile.Write(t, hook, "#!/bin/sh\n", 0o755)
	settings := filepath.Join(home, ".acme", "hooks.json")
	const before = "{\n  // mine\n  \"a\": [1,2]\n}\n"
	testfile.Write(t, settings, before, 0o600)
	env := install.Env{Home: home, State: p.dirs.State, GOOS: "linux", Getenv: func(string) string { return "" },
		LookPath: func(string) (string, error) { return "", os.ErrNotExist }}
	for _, scope := range []install.Scope{install.User, install.Project} {
		opts := install.Options{Scope: scope, Project: p.project, Hook: hook, UserConfig: p.dirs.User}
		c, err := install.Plan(env, "acme", opts)
		if err != nil {
			t.Fatal(err)
		}
		if err := install.Apply(c); err != nil {
			t.Fatal(err)
		}
		if r, err := install.Status(env, "acme", opts); err != nil || r.State != install.Wired {
			t.Errorf("%+v, %v", r, err)
		}
		if text := string(c.Files[0].After); !strings.Contains(text, "acme BeforeDeed ||") || !strings.Contains(text, `"timeout": 600`) {
			t.Error(text)
		}
		if c, err = install.PlanUninstall(env, "acme", opts); err != nil {
			t.Fatal(err)
		}
		if err := install.Apply(c); err != nil {
			t.Fatal(err)
		}
	}
	if now, err := os.ReadFile(settings); err != nil || string(now) != before {
		t.Errorf("%q, %v", now, err)
	}
}

type wired struct{}

func (wired) Status(string) (liveness.WiringStatus, error) {
	return liveness.WiringStatus{Installed: true, Present: true, Parsed: true, Current: true, Executable: true}, nil
}

// Doctor finds its transcripts, and the page of hosts has its gaps.
func TestExamined(t *testing.T) {
	p := newPlace(t, "  - {id: shell, use: shell-guard}\n")
	log := t.TempDir()
	testfile.Write(t, filepath.Join(log, "log", "s1.jsonl"), `{"call":"c1","dir":"`+p.project+`"}`+"\n", 0o600)
	evidence, err := pipeline.EvidenceDir(p.dirs, p.project)
	if err != nil {
		t.Fatal(err)
	}
	p.ask("ls") // this one reaches us, with the id c1
	inspect := func() liveness.HostHealth {
		return liveness.Inspect(context.Background(), liveness.Inputs{Dirs: p.dirs, Project: p.project, Evidence: evidence,
			Hosts:  []string{"acme"},
			Wiring: wired{}, HostDir: func(*dialects.Host) string { return log }, Now: time.Now().Add(2 * time.Minute)})[0]
	}
	if h := inspect(); len(h.Gaps) != 0 {
		t.Errorf("%+v", h)
	}
	testfile.Write(t, filepath.Join(log, "log", "s1.jsonl"), `{"call":"c2","dir":"`+p.project+`"}`+"\n", 0o600)
	if h := inspect(); len(h.Gaps) != 1 {
		t.Errorf("%+v", h)
	}
	d := hostspage.Declare(&acme.Dialect, hostspage.Extra{Gaps: acme.Host.KnownGaps()})
	if page := hostspage.Markdown([]hostspage.Declaration{d}, nil); !strings.Contains(page,
		"it does not exist; started with `--no-hooks`, `ACME_BARE`, it runs no hooks") {
		t.Error(page)
	}
}
