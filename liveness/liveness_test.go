package liveness

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/dialects/claudecode"
	"github.com/trammel-dev/trammel/dialects/codex"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/version"
	"github.com/trammel-dev/trammel/test/testfile"
)

// now is after everything in testdata.
var now = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// world is a machine with a project, to be looked at.
type world struct {
	t  *testing.T
	in Inputs
	wirings
}

type wirings map[string]WiringStatus

func (w wirings) Status(host string) (WiringStatus, error) {
	if s, ok := w[host]; ok {
		return s, nil
	}
	return WiringStatus{}, errors.New("the settings are a directory")
}

// well is a wiring with nothing wrong.
var well = WiringStatus{Installed: true, Present: true, Parsed: true, Current: true, Executable: true}

func newWorld(t *testing.T) *world {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, wirings: wirings{"claude-code": well, "codex": well}}
	w.in = Inputs{
		Dirs:    layers.Dirs{User: filepath.Join(dir, "config"), State: filepath.Join(dir, "state"), Cache: filepath.Join(dir, "cache")},
		Project: filepath.Join(dir, "project"), Evidence: filepath.Join(dir, "log"), Wiring: w.wirings, Hosts: []string{"claude-code"},
		HostDir: func(h *dialects.Host) string { return filepath.Join(dir, "."+h.System) }, Now: now,
	}
	w.put(filepath.Join(w.in.Dirs.User, "trammel.yaml"), "version: 1\npreset: careful\n")
	w.put(filepath.Join(w.in.Dirs.State, "x"), "")
	w.put(filepath.Join(w.in.Project, "main.go"), "")
	return w
}

func (w *world) put(path, text string) { testfile.Write(w.t, path, text, 0o600) }

// transcript puts a real one where the host keeps it, with this project's directory in it.
func (w *world) transcript(file, to string) {
	w.t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		w.t.Fatal(err)
	}
	w.put(to, strings.ReplaceAll(string(raw), "/home/dev/project", filepath.ToSlash(w.in.Project)))
	if err := os.Chtimes(to, now, now); err != nil { // it has just been written to
		w.t.Fatal(err)
	}
}

// see records an event.
func (w *world) see(host, session, event, tool string) {
	w.t.Helper()
	r := &evidence.Record{ID: "ev_x", Time: now.Add(-time.Hour), Host: host, Event: event, Session: evidence.SessionRecord{ID: session},
		Tool: evidence.ToolRecord{ID: tool, Name: "Bash"}}
	if _, err := evidence.Open(w.in.Evidence, evidence.Options{}).Append(w.t.Context(), r.AppendJSON(nil)); err != nil {
		w.t.Fatal(err)
	}
}

// programs are what the wiring of Claude Code starts.
func (w *world) programs(path string) string {
	w.see("claude-code", "s1", "session_start", "")
	s := well
	s.Programs = []string{path}
	w.wirings["claude-code"] = s
	return path
}

const (
	claudeSession = "02417823-de18-4d42-af90-1650888a1a62"
	codexSession  = "01a1dd4b-4603-71f3-96ce-561c000a2cbf"
)

func (w *world) claude() {
	w.transcript("claude-code.jsonl", filepath.Join(w.in.HostDir(&claudecode.Host), "projects", "-home-dev-project", claudeSession+".jsonl"))
}

func (w *world) codex() {
	w.transcript("codex.jsonl", filepath.Join(w.in.HostDir(&codex.Host), "sessions", "2026", "11", "15", "rollout-2026-11-15T03-41-00-"+
		codexSession+
		".jsonl"))
}

func configured(text string) func(*world) {
	return func(w *world) {
		w.put(filepath.Join(w.in.Dirs.User, "trammel.yaml"), text)
		w.see("claude-code", "s1", "session_start", "")
	}
}

// TestInspect: each way to be unwell is seen, and named.
func TestInspect(t *testing.T) {
	wire := func(change func(*WiringStatus)) func(*world) {
		return func(w *world) {
			s := well
			change(&s)
			w.wirings["claude-code"] = s
			w.see("claude-code", "s1", "session_start", "")
		}
	}
	for _, c := range []struct {
		name  string
		make  func(*world)
		state State
		why   string // in the first reason
		exit  int
	}{
		{"all is well", func(w *world) {
			w.claude()
			w.see("claude-code", claudeSession, "session_start", "")
			w.see("claude-code", claudeSession, "pre_tool_use", "toolu_0_0_0")
			w.see("claude-code", claudeSession, "pre_tool_use", "toolu_0_0_1")
		}, Protected, "", 0},
		{"nothing seen yet", func(*world) {}, Unknown, "no event has been seen", 1},
		{"another host is seen", func(w *world) { w.see("codex", "s", "pre_tool_use", "x") }, Unknown, "no event has been seen", 1},
		{"not wired", wire(func(s *WiringStatus) { s.Present = false }), Unprotected, "not wired", 1},
		{"not there", wire(func(s *WiringStatus) { *s = WiringStatus{} }), Unknown, "not installed", 1},
		{"settings broken", wire(func(s *WiringStatus) { s.Parsed = false }), Unprotected, "cannot be read", 1},
		{"old wiring", wire(func(s *WiringStatus) { s.Current = false }), Degraded, "not what this version writes", 1},
		{"program gone", wire(func(s *WiringStatus) { s.Executable = false }), Degraded, "cannot be run", 1},
		{"no consent", wire(func(s *WiringStatus) { s.ConsentNeeded, s.Since = true, now }), Unprotected, "have not approved", 1},
		{"events since the wiring are consent", wire(func(s *WiringStatus) { s.ConsentNeeded, s.Since = true, now.Add(-24*time.Hour) }),
			Protected, "", 0},
		{"consent", wire(func(s *WiringStatus) { s.ConsentNeeded, s.ConsentGiven = true, true }), Protected, "", 0},
		{"old, and no consent: the worst first", wire(func(s *WiringStatus) { s.Current, s.ConsentNeeded, s.Since = false, true, now }),
			Unprotected, "have not approved", 1},
		{"settings unreadable", func(w *world) { delete(w.wirings, "claude-code") }, Unknown, "the settings are a directory", 1},
		{"evidence damaged", func(w *world) { w.put(filepath.Join(w.in.Evidence, "current.jsonl"), "not a record\n") }, Degraded,
			"the evidence is not whole", 1},
		// enforcement 11, and what follows
		{"a record was removed", func(w *world) {
			for range 3 {
				w.see("claude-code", "s1", "pre_tool_use", "x")
			}
			path := filepath.Join(w.in.Evidence, "current.jsonl")
			raw, _ := os.ReadFile(path)
			lines := strings.SplitAfter(string(raw), "\n")
			w.put(path, lines[0]+lines[2])
		}, Degraded, "the evidence is not whole", 1},
		{"the log was removed", func(w *world) { // enforcement 23
			w.in.Mark = filepath.Join(w.in.Dirs.State, "mark")
			w.put(w.in.Mark, w.in.Evidence)
		}, Degraded, "has been removed", 1},
		{"the configuration does not compile", configured("version: 1\nhooks: [{id: x}]\n"), Degraded, "every tool call is blocked", 1},
		{"nothing is in force", configured("version: 1\n"), Degraded, "no hook is in force", 1},
		{"a hook whose event does not exist here", configured("version: 1\nhooks: [{id: x, on: tool_guard, deny: y}]\n"), Degraded,
			"x (none of its events reaches us)", 1},
		{"a pack that is not there", configured("version: 1\nhooks: [{id: x, on: pre_tool_use, pack: {dir: gone, hook: h}}]\n"), Degraded,
			"gone is missing", 1},
		{"no state directory", func(w *world) {
			w.see("claude-code", "s1", "session_start", "")
			os.RemoveAll(w.in.Dirs.State)
			w.in.Dirs.Cache = filepath.Join(w.in.Dirs.State, "cache") // as on a real machine: to compile must not create it
		}, Degraded, "is not there", 1},
		{"a program that does not run", func(w *world) {
			w.programs("/bin/false")
		}, Degraded, "cannot be run", 1},
		{"a program of another version", func(w *world) {
			testfile.Write(w.t, w.programs(filepath.Join(w.in.Project, "trammel-hook")), "#!/bin/sh\necho trammel-hook 0.0.1\n", 0o700)
		}, Degraded, `says "trammel-hook 0.0.1", expected "trammel-hook `, 1},
		{"a program of this version", func(w *world) {
			path := w.programs(filepath.Join(w.in.Project, "trammel-hook"))
			testfile.Write(w.t, path, "#!/bin/sh\necho trammel-hook "+version.Number()+"\n", 0o700)
		}, Protected, "", 0},
		{"no configuration", func(w *world) {
			os.Remove(filepath.Join(w.in.Dirs.User, "trammel.yaml"))
			w.see("claude-code", "s1", "session_start", "")
		}, Degraded, "there is no trammel.yaml", 1},
		{"untrusted configuration", func(w *world) {
			w.put(filepath.Join(w.in.Project, "trammel.yaml"), "version: 1\n")
			w.see("claude-code", "s1", "session_start", "")
		}, Degraded, "trammel.yaml", 1},
		{"not installed, untrusted configuration (TEAM-07)", func(w *world) {
			w.put(filepath.Join(w.in.Project, "trammel.yaml"), "version: 1\n")
			w.wirings["claude-code"] = WiringStatus{}
		}, Degraded, "not trusted", 1},
		{"tool calls without a start", func(w *world) {
			w.see("claude-code", "s1", "session_start", "")
			w.see("claude-code", "s2", "pre_tool_use", "x")
		}, Degraded, "never reported their start", 1},
		{"a host that reports no starts", func(w *world) { w.see("claude-code", "s2", "pre_tool_use", "x") }, Protected, "", 0},
		{"none of the calls reached us", func(w *world) {
			w.claude()
			w.see("claude-code", claudeSession, "session_start", "")
		}, Unprotected, "session " + claudeSession + ": none of 2 tool calls reached us", 1},
		{"some of the calls reached us", func(w *world) {
			w.claude()
			w.see("claude-code", claudeSession, "session_start", "")
			w.see("claude-code", claudeSession, "pre_tool_use", "toolu_0_0_1")
		}, Degraded, "1 of 2 tool calls did not reach us", 1},
		{"calls from before the wiring", func(w *world) {
			w.claude()
			s := well
			s.Since = now.Add(-time.Minute)
			w.wirings["claude-code"] = s
			w.see("claude-code", "s1", "session_start", "")
		}, Protected, "", 0},
		{"calls that are on their way", func(w *world) {
			w.claude()
			w.in.Now = time.Date(2026, 11, 15, 3, 40, 50, 0, time.UTC)
			w.see("claude-code", "s1", "session_start", "")
		}, Protected, "", 0},
		{"another project's transcript", func(w *world) {
			w.claude()
			w.in.Project = filepath.Join(w.in.Project, "below")
			w.put(filepath.Join(w.in.Project, "x"), "")
			w.see("claude-code", "s1", "session_start", "")
		}, Protected, "", 0},
		{"codex, none of the calls reached us", func(w *world) {
			w.in.Hosts = []string{"codex"}
			w.codex()
			w.see("codex", "other", "session_start", "")
		}, Unprotected, "session " + codexSession + ": none of 1 tool calls", 1},
		{"codex, all is well", func(w *world) {
			w.in.Hosts = []string{"codex"}
			w.codex()
			w.see("codex", codexSession, "session_start", "")
			w.see("codex", codexSession, "pre_tool_use", "call_0_0_0")
		}, Protected, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			c.make(w)
			list := Inspect(t.Context(), w.in)
			if len(list) != 1 {
				t.Fatalf("%d hosts", len(list))
			}
			h := list[0]
			why := strings.Join(append(h.Why, ""), "\n")
			first, _, _ := strings.Cut(why, "\n")
			if h.State != c.state || !strings.Contains(first, c.why) || (c.why == "") != (len(h.Why) == 0) {
				t.Errorf("%s because of %q\nexpected %s because of %q", h.State, h.Why, c.state, c.why)
			}
			if got := ExitCode(list); got != c.exit {
				t.Errorf("exit code %d, expected %d", got, c.exit)
			}
			for _, check := range h.Checks {
				if check.OK == (check.Fix != "") && check.Name != "installed" {
					t.Errorf("a check says what to do if and only if it failed: %+v", check)
				}
			}
		})
	}
}

// TEAM-07: where no agent is wired, or the project does not wire the one that is,
// doctor says so, and how the project's own rules stand.
func TestUnwiredProject(t *testing.T) {
	w := newWorld(t)
	said := func() string {
		var b bytes.Buffer
		if err := WriteDoctor(&b, Inspect(t.Context(), w.in)); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	const note = "this project has rules, but does not wire claude-code"
	if out := said(); strings.Contains(out, note) {
		t.Error("without rules of the project:", out)
	}
	w.put(filepath.Join(w.in.Project, "trammel.yaml"), "version: 1\n")
	if out := said(); !strings.Contains(out, note) {
		t.Error(out)
	}
	w.put(filepath.Join(w.in.Project, ".claude", "settings.json"), `{"hooks": {"PreToolUse": [{"command": "trammel-hook"}]}}`)
	if out := said(); strings.Contains(out, note) {
		t.Error("wired by the project:", out)
	}
	w.in.Hosts = nil
	out := said()
	for _, want := range []string{"no agent: unprotected\n", "FAIL  wired ", "→ install an agent, then run trammel init", "is not trusted"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %s", want, out)
		}
	}
	if list := Inspect(t.Context(), w.in); ExitCode(list) != 1 || len(list) != 1 || len(list[0].Checks) < 2 {
		t.Errorf("%+v", list)
	}
}

// TestGap: what a gap says.
func TestGap(t *testing.T) {
	w := newWorld(t)
	w.claude()
	w.see("claude-code", claudeSession, "session_start", "")
	w.see("claude-code", claudeSession, "pre_tool_use", "toolu_0_0_0")
	h := Inspect(t.Context(), w.in)[0]
	if len(h.Gaps) != 1 {
		t.Fatalf("%+v", h.Gaps)
	}
	g := h.Gaps[0]
	if g.Session != claudeSession || g.Calls != 2 || g.Recorded != 1 || len(g.Missing) != 1 || g.Missing[0] != "toolu_0_0_1" ||
		g.First.IsZero() || g.Last.Before(g.First) {
		t.Errorf("%+v", g)
	}
	if h.Version != "2.1.325" || h.LastSession != claudeSession || !h.LastEvent.Equal(now.Add(-time.Hour)) {
		t.Errorf("version %q, session %q, last event %s", h.Version, h.LastSession, h.LastEvent)
	}
}

func TestExitCode(t *testing.T) {
	good, absent := HostHealth{State: Protected, Wired: true}, HostHealth{State: Unknown}
	for _, c := range []struct {
		name string
		list []HostHealth
		want int
	}{
		{"nothing at all", nil, 1},
		{"nothing wired", []HostHealth{absent}, 1},
		{"what is not installed does not count", []HostHealth{good, absent}, 0},
		{"installed and not wired", []HostHealth{good, {State: Unprotected, Installed: true}}, 1},
		{"one degraded", []HostHealth{good, {State: Degraded, Wired: true}}, 1},
		{"one limited", []HostHealth{good, {State: Limited, Wired: true}}, 3},
		{"one limited, one unknown", []HostHealth{{State: Limited, Wired: true}, {State: Unknown, Wired: true}}, 1},
	} {
		if got := ExitCode(c.list); got != c.want {
			t.Errorf("%s: %d, expected %d", c.name, got, c.want)
		}
	}
}

func TestText(t *testing.T) {
	w := newWorld(t)
	w.in.Hosts = []string{"claude-code", "codex", "pi"}
	w.wirings["pi"] = WiringStatus{}
	s := well
	s.Current, s.ConsentNeeded, s.Version, s.Notes = false, true, "0.166.0", []string{"open /hooks in Codex and review them"}
	w.wirings["codex"] = s
	w.see("claude-code", "s1", "session_start", "")
	list := Inspect(t.Context(), w.in)
	var status, doctor, asJSON bytes.Buffer
	for _, err := range []error{WriteStatus(&status, list, now), WriteDoctor(&doctor, list), WriteJSON(&asJSON, list)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := "claude-code    protected    last event 1 h ago\n" +
		"codex          unprotected  you have not approved the hooks yet, so it skips them silently (and 2 more: trammel doctor)\n"
	if status.String() != want {
		t.Errorf("got\n%swant\n%s", &status, want)
	}
	for _, want := range []string{
		"codex 0.166.0: unprotected\n",
		"  FAIL  consent       you have not approved",
		"  todo  events        no event has been seen yet\n", // whatever else is wrong
		"  note                open /hooks in Codex and review them\n",
		"→ approve the hooks in codex itself; open /hooks in Codex and review them (trammel docs codes#doctor-consent)\n",
		"  ok    events        1 event in 1 session, the last 1 h ago in session s1\n",
	} {
		if !strings.Contains(doctor.String(), want) {
			t.Errorf("no %q in\n%s", want, &doctor)
		}
	}
	if !strings.Contains(asJSON.String(), `"state": "unprotected"`) || strings.Contains(asJSON.String(), `"last_event": "0001`) {
		t.Errorf("%s", &asJSON)
	}
}

// A log that cannot be written to blocks every call: that is not well.
func TestUnwritableEvidence(t *testing.T) {
	w := newWorld(t)
	if err := writable(w.in.Project); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(w.in.Project, ".doctor-*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	if err := writable(filepath.Join(w.in.Project, "main.go")); err == nil {
		t.Error("a file is no directory")
	}
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has a directory that nobody can write to")
	}
	w.in.Evidence = "/sys"
	h := Inspect(t.Context(), w.in)[0]
	if h.State != Degraded || !strings.HasPrefix(h.Why[0], "nothing can be recorded, so every tool call is blocked: ") {
		t.Errorf("%s because of %q", h.State, h.Why)
	}
}
