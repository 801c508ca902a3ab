//go:build unix

package command

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/internal/canonical"
)

// place is a directory with the declaration and its scripts, and another that
// is the project.
type place struct{ dir, project string }

func newPlace(t *testing.T) place { return place{t.TempDir(), t.TempDir()} }

func (p place) script(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func (p place) handler(t *testing.T, c Config) trammel.Handler {
	t.Helper()
	h, err := New(standard.Dialects().Hook)(trammel.Spec{Hook: "h", Kind: "command", Config: c.AppendJSON(nil), Dir: p.dir})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func (p place) event(kind trammel.Kind) *trammel.Event {
	ev := &trammel.Event{Kind: kind, Host: "testhost", Session: trammel.Session{ID: "s1", Dir: p.project, Project: p.project},
		Tool: &trammel.ToolCall{Name: "edit", Input: map[string]any{"command": "ls -l", "file_path": "/a b"}}}
	ev.Prepare()
	return ev
}

func (p place) handle(t *testing.T, c Config) (trammel.Answer, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return p.handler(t, c).Handle(ctx, p.event(trammel.PreToolUse))
}

func failure(t *testing.T, err error, code trammel.Code) *trammel.Failure {
	t.Helper()
	var f *trammel.Failure
	if !errors.As(err, &f) || f.Code != code {
		t.Fatalf("got %v, want a failure with code %s", err, code)
	}
	return f
}

func TestAnswersAndFailures(t *testing.T) {
	p := newPlace(t)
	for name, c := range map[string]struct {
		config   Config
		decision trammel.Decision
		reason   string
		failed   trammel.Code
	}{
		"no opinion":        {Config{Run: "cat >/dev/null"}, trammel.None, "", ""},
		"deny by exit code": {Config{Run: "echo not now >&2; exit 2"}, trammel.Deny, "not now", ""},
		"deny in JSON":      {Config{Run: `echo '{"decision":"deny","reason":"r"}'`}, trammel.Deny, "r", ""},
		"claude's dialect":  {Config{Run: `echo '{"decision":"block","reason":"r"}'`, Dialect: "claude-code"}, trammel.Deny, "r", ""},
		"claude's own payload": {Config{Run: `grep -q '"tool_input":{"command":"ls -l"' && echo seen >&2 && exit 2`, Dialect: "claude-code"},
			trammel.Deny, "seen", ""},
		"exec":                 {Config{Exec: []string{"sh", "-c", `echo "$0" >&2; exit 2`, "$HOME `x` 'y'"}}, trammel.Deny, "$HOME `x` 'y'", ""},
		"crash":                {Config{Run: "exit 7"}, 0, "", trammel.CodeCrash},
		"signal":               {Config{Run: "kill -KILL $$"}, 0, "", trammel.CodeCrash},
		"not found by shell":   {Config{Run: "no-such-program-here"}, 0, "", trammel.CodeCrash},
		"not found":            {Config{Exec: []string{"no-such-program-here"}}, 0, "", trammel.CodeUnavailable},
		"file not found":       {Config{Exec: []string{"./nothing"}}, 0, "", trammel.CodeUnavailable},
		"malformed":            {Config{Run: `echo '{"decision":'`}, 0, "", trammel.CodeMalformed},
		"plain text":           {Config{Run: "echo fine"}, 0, "", trammel.CodeMalformed},
		"unknown field":        {Config{Run: `echo '{"decison":"deny"}'`}, 0, "", trammel.CodeUnknownField},
		"oversized":            {Config{Run: "head -c 2000000 /dev/zero"}, 0, "", trammel.CodeOversized},
		"oversized, own limit": {Config{Run: "echo 0123456789", MaxOutput: 5}, 0, "", trammel.CodeOversized},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := p.handle(t, c.config)
			if c.failed != "" {
				f := failure(t, err, c.failed)
				if f.Trace == nil || f.Trace.Input == "" {
					t.Errorf("trace %+v", f.Trace)
				}
				return
			}
			if err != nil || a.Decision != c.decision || a.Reason != c.reason {
				t.Errorf("got %v %q, %v, want %v %q", a.Decision, a.Reason, err, c.decision, c.reason)
			}
		})
	}
}

func TestTimeout(t *testing.T) {
	p := newPlace(t)
	for limit := time.Second; ; limit *= 2 { // a slow machine takes longer to start it
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		_, err := p.handler(t, Config{Run: "echo started >&2; sleep 1000"}).Handle(ctx, p.event(trammel.PreToolUse))
		if f := failure(t, err, trammel.CodeTimeout); f.Trace.Stderr == "started" {
			return
		} else if f.Trace.Stderr != "" || limit > time.Minute {
			t.Fatalf("trace %+v", f.Trace)
		}
	}
}

// In the engine: a guard that fails blocks, and its trace is on record.
func TestInTheEngine(t *testing.T) {
	p := newPlace(t)
	for limit := time.Second; ; limit *= 2 { // a slow machine takes longer to start it
		engine, err := trammel.New([]trammel.Hook{{ID: "slow", On: []trammel.Kind{trammel.PreToolUse}, May: trammel.Guard, Timeout: limit,
			Handler: p.handler(t, Config{Run: "echo hm >&2; sleep 1000"})}})
		if err != nil {
			t.Fatal(err)
		}
		v := engine.Dispatch(context.Background(), p.event(trammel.PreToolUse))
		r := v.Runs[0]
		if v.Decision != trammel.Deny || r.Code != trammel.CodeTimeout || r.Answer.Trace == nil {
			t.Fatalf("got %v, %+v, %+v", v, r, r.Answer.Trace)
		}
		if r.Answer.Trace.Stderr == "hm" {
			return
		} else if r.Answer.Trace.Stderr != "" || limit > time.Minute {
			t.Fatalf("trace %+v", r.Answer.Trace)
		}
	}
}

// Finding 10 of hosts.md: hosts have their API keys in the environment.
func TestEnvironment(t *testing.T) {
	for name, value := range map[string]string{"ANTHROPIC_API_KEY": "sk-secret", "AWS_SECRET_ACCESS_KEY": "sk-secret",
		"CLAUDE_CODE_MESSAGING_TOKEN": "sk-secret",
		"WANTED":                      "w", "LC_ALL": "C", "TRAMMEL_EVENT": "forged"} {
		t.Setenv(name, value)
	}
	p := newPlace(t)
	out := filepath.Join(p.dir, "env")
	run := func(c Config) []string {
		t.Helper()
		c.Run = "env > " + out
		if _, err := p.handle(t, c); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(string(text), "\n")
	}

	env := run(Config{Env: map[string]string{"MINE": "a${env.WANTED}b$HOME", "TRAMMEL_HOST": "forged"}})
	for _, want := range []string{"LC_ALL=C", "PATH=" + os.Getenv("PATH"), "MINE=awb$HOME", "TRAMMEL_EVENT=pre_tool_use",
		"TRAMMEL_HOST=testhost", "TRAMMEL_SESSION=s1", "TRAMMEL_TOOL=edit", "TRAMMEL_ACTION=shell", "TRAMMEL_PATH=/a b",
		"TRAMMEL_COMMAND=ls -l", "TRAMMEL_PROJECT=" + p.project} {
		if !slices.Contains(env, want) {
			t.Errorf("%q is not in the environment", want)
		}
	}
	if all := strings.Join(env, "\n"); strings.Contains(all, "sk-secret") || strings.Contains(all, "WANTED") ||
		strings.Contains(all, "forged") {
		t.Errorf("something got through:\n%s", all)
	}

	env = run(Config{Pass: []string{"WANTED"}})
	if !slices.Contains(env, "WANTED=w") || strings.Contains(strings.Join(env, "\n"), "sk-secret") {
		t.Errorf("with WANTED passed:\n%s", strings.Join(env, "\n"))
	}
	if env = run(Config{Pass: []string{"*"}}); !slices.Contains(env, "ANTHROPIC_API_KEY=sk-secret") {
		t.Error("not everything is passed")
	}
	if env = run(Config{Dialect: "claude-code"}); !slices.Contains(env, "CLAUDE_PROJECT_DIR="+p.project) {
		t.Error("what the dialect expects is missing")
	}
}

// What runs is the file beside the declaration, not one of the same name in
// the project, which the agent can write. It runs in the project, and its
// digest is on record (FST-60, FST-61).
func TestEntrypoint(t *testing.T) {
	p := newPlace(t)
	mine := p.script(t, "check.sh", `echo "mine in $(pwd)" >&2; exit 2`)
	if err := os.WriteFile(filepath.Join(p.project, "check.sh"), []byte("#!/bin/sh\nexit 0\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(mine)
	if err != nil {
		t.Fatal(err)
	}
	project, err := filepath.EvalSymlinks(p.project)
	if err != nil {
		t.Fatal(err)
	}
	digest := canonical.Digest(text)
	if err := os.Mkdir(filepath.Join(p.dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		config Config
		dir    string
		digest string
	}{
		"shell":                    {Config{Run: "./check.sh"}, project, digest},
		"shell with arguments":     {Config{Run: "./check.sh a b; exit 3"}, project, digest},
		"shell, absolute":          {Config{Run: mine}, project, digest},
		"exec":                     {Config{Exec: []string{"./check.sh", "a"}}, project, digest},
		"in a directory":           {Config{Run: "../check.sh", Dir: "sub"}, "", digest},
		"exec in a directory":      {Config{Exec: []string{"../check.sh"}, Dir: "sub"}, "", digest},
		"exec through interpreter": {Config{Exec: []string{"sh", "check.sh"}, Dir: "."}, "", digest},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := p.handle(t, c.config)
			var trace *trammel.Trace
			if err != nil { // the one that goes on after the script
				trace = failure(t, err, trammel.CodeCrash).Trace
			} else {
				trace = a.Trace
				if a.Decision != trammel.Deny || c.dir != "" && a.Reason != "mine in "+c.dir {
					t.Errorf("got %v %q", a.Decision, a.Reason)
				}
			}
			if trace.Entrypoint != c.digest || !strings.HasPrefix(trace.Stderr, "mine in") {
				t.Errorf("trace %+v, want the entrypoint %s", trace, c.digest)
			}
		})
	}
}

func TestTrace(t *testing.T) {
	p := newPlace(t)
	kept := filepath.Join(p.dir, "input")
	a, err := p.handle(t, Config{Run: "cat > " + kept + "; printf '{\"notice\":\"n\"}\\n'; head -c 9000 /dev/zero | tr '\\0' x >&2; echo " +
		"end " +
		">&2"})
	if err != nil {
		t.Fatal(err)
	}
	sent, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	want := trammel.Trace{Input: canonical.Digest(sent), Output: canonical.Digest([]byte("{\"notice\":\"n\"}\n")), Stderr: a.Trace.Stderr}
	if *a.Trace != want || len(a.Trace.Stderr) != 4<<10 || !strings.HasSuffix(a.Trace.Stderr, "xend") {
		t.Errorf("got  %+v\nwant %+v", *a.Trace, want)
	}
}

func TestPinned(t *testing.T) {
	p := newPlace(t)
	mine := p.script(t, "check.sh", "exit 0\n")
	text, _ := os.ReadFile(mine)
	c := Config{Exec: []string{"./check.sh"}, Pinned: map[string]string{"check.sh": canonical.Digest(text)}}
	if _, err := p.handle(t, c); err != nil {
		t.Fatal(err)
	}
	ran := filepath.Join(p.dir, "ran")
	p.script(t, "check.sh", "touch "+ran)
	_, err := p.handle(t, c)
	failure(t, err, trammel.CodeChanged)
	if _, err := os.Stat(ran); err == nil {
		t.Error("the changed program was run")
	}
	if err := os.Remove(mine); err != nil {
		t.Fatal(err)
	}
	_, err = p.handle(t, c)
	failure(t, err, trammel.CodeChanged)

	c.Pinned["check.sh"] = Absent
	_, err = p.handle(t, c)
	failure(t, err, trammel.CodeUnavailable)
	p.script(t, "check.sh", "touch "+ran)
	_, err = p.handle(t, c)
	failure(t, err, trammel.CodeChanged)
}

func TestWorkingDirectory(t *testing.T) {
	p := newPlace(t)
	sub := filepath.Join(p.dir, "sub")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	h := func(c Config) *handler { return p.handler(t, c).(*handler) }
	for name, c := range map[string]struct {
		h    *handler
		s    trammel.Session
		want string
	}{
		"declared": {h(Config{Run: "x", Dir: "sub"}), trammel.Session{Project: "/p"}, sub},
		"project":  {h(Config{Run: "x"}), trammel.Session{Project: "/p", Dir: "/d"}, "/p"},
		"session":  {h(Config{Run: "x"}), trammel.Session{Dir: "/d"}, "/d"},
		"beside":   {h(Config{Run: "x"}), trammel.Session{}, p.dir},
		"project's own": {&handler{Config: Config{Run: "x"}, dir: "/decl", layer: "project"}, trammel.Session{Project: "/decl/sub", Dir: "/d"},
			"/decl"},
	} {
		if got := c.h.workDir(&trammel.Event{Session: c.s}); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestFactory(t *testing.T) {
	p := newPlace(t)
	for raw, says := range map[string]string{`{"run":"x","dialect":"klingon"}`: "klingon", `{}`: "nothing to run", `[]`: "object"} {
		if _, err := New(standard.Dialects().Hook)(trammel.Spec{Config: []byte(raw)}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", raw, err)
		}
	}
	h := p.handler(t, Config{Exec: []string{"prog", "arg"}})
	if w, ok := h.(trammel.Waiter); !ok || !w.Waits() {
		t.Error("it does not wait")
	}
	if e, ok := h.(trammel.Explainer); !ok || e.Explain() != "runs prog arg (native)" {
		t.Errorf("explained as %q", e.Explain())
	}
}
