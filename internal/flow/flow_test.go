package flow

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/testfile"
)

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func event(host, session, dir string) *trammel.Event {
	return &trammel.Event{Kind: trammel.Stop, Host: host, Session: trammel.Session{ID: session, Dir: dir}}
}

// The name of the file by which an actor claims a task is part of the format.
func TestPointerName(t *testing.T) {
	if got := pointerName("conformance"); got != "conformance-6c1d6cedf276ea3f.json" {
		t.Error(got)
	}
}

func TestActors(t *testing.T) {
	host, _ := os.Hostname()
	host = orUnknown(segment(host))
	for name, c := range map[string]struct {
		ev   *trammel.Event
		env  func(string) string
		want string
	}{
		"given":               {event("claude-code", "s", ""), env("FLOW_AGENTS_ACTOR", "me & you!", "CLAUDE_CODE_SESSION_ID", "x"), "meyou"},
		"given, but reserved": {event("", "", ""), env("FLOW_AGENTS_ACTOR", "Local"), ""},
		"given, but empty":    {event("", "", ""), env("FLOW_AGENTS_ACTOR", "é"), ""},
		"the host's variable": {event("claude-code", "s", ""), env("CLAUDE_CODE_SESSION_ID", "abc"), "claude-code:abc:" + host +
			" claude-code:s:" + host},
		"the payload":        {event("gemini-cli", "s/1", ""), env(), "gemini-cli:s1:" + host},
		"codex hides its id": {event("codex", "", ""), env("CODEX_THREAD_ID", "t"), "codex:" + codexThread("t") + ":" + host},
		"through an adapter": {event("flow-agents", "s", ""), env("FLOW_AGENTS_HOOK_RUNTIME", "pi"), "pi:s:" + host},
		"a build server": {event("native", "", ""), env("GITHUB_ACTIONS", "true", "GITHUB_RUN_ID", "1", "GITHUB_JOB", "b"),
			"github-actions:1-b:" + host},
		"nobody":                {event("native", "", ""), env(), ""},
		"a name of other signs": {event("native", "../../etc", ""), env(), "native:....etc:" + host},
	} {
		if got := strings.Join(actors(c.ev, c.env), " "); got != c.want {
			t.Errorf("%s: %q, expected %q", name, got, c.want)
		}
	}
}

func TestSessionIsFound(t *testing.T) {
	state := `{"status":"in_progress"}`
	mine, other := pointerName("me"), pointerName("other")
	for name, c := range map[string]struct {
		files map[string]string
		cwd   string
		actor string
		want  string
	}{
		"nothing": {files: map[string]string{"AGENTS.md": ""}},
		"6.3 by pointer": {files: map[string]string{".kontourai/flow-agents/current/" + mine: `{"artifact_dir":"a"}`,
			".kontourai/flow-agents/a/x.md": ""}, actor: "me", want: "a"},
		"6.3 by the older field": {files: map[string]string{".kontourai/flow-agents/current/" + mine: `{"active_slug":"a"}`,
			".kontourai/flow-agents/a/x.md": ""}, actor: "me", want: "a"},
		"another's claim is not mine": {files: map[string]string{".kontourai/flow-agents/current/" + other: `{"artifact_dir":"a"}`,
			".kontourai/flow-agents/a/state.json": state}, actor: "me"},
		"nor is the shared pointer": {files: map[string]string{".kontourai/flow-agents/current/" + other: `{}`,
			".kontourai/flow-agents/current.json": `{"artifact_dir":"a"}`, ".kontourai/flow-agents/a/state.json": state}, actor: "me"},
		"an unknown actor gets the shared": {files: map[string]string{".kontourai/flow-agents/current/" + other: `{}`,
			".kontourai/flow-agents/current.json": `{"artifact_dir":"a"}`, ".kontourai/flow-agents/a/state.json": state}, want: "a"},
		"where nobody claims, the newest": {files: map[string]string{".kontourai/flow-agents/a/state.json": state}, actor: "me", want: "a"},
		"published layout":                {files: map[string]string{".flow-agents/a/state.json": state}, actor: "me", want: "a"},
		"published layout, a document":    {files: map[string]string{".flow-agents/a/a--deliver.md": "status: executing"}, want: "a"},
		"settings are no task": {files: map[string]string{".flow-agents/config/core.config.json": "{}",
			".flow-agents/install.json": "{}"}},
		"the archive is no task": {files: map[string]string{".flow-agents/archive/state.json": state}},
		"from below": {files: map[string]string{".git/HEAD": "", ".flow-agents/a/state.json": state,
			"src/AGENTS.md": ""}, cwd: "src", want: "a"},
		"not beyond the repository": {files: map[string]string{".flow-agents/a/state.json": state, "sub/.git/HEAD": ""}, cwd: "sub"},
		"a pointer that leads out": {files: map[string]string{".kontourai/flow-agents/current/" + mine: `{"artifact_dir":"../../x"}`,
			"x/state.json": state}, actor: "me"},
		"a pointer that leads to the root": {files: map[string]string{".kontourai/flow-agents/current/" + mine: `{"artifact_dir":"/etc"}`},
			actor: "me"},
		"a pointer to nothing": {files: map[string]string{".kontourai/flow-agents/current/" + mine: `{"artifact_dir":"gone"}`},
			actor: "me"},
		"a pointer that is garbage": {files: map[string]string{".kontourai/flow-agents/current/" + mine: `{{`,
			".kontourai/flow-agents/a/state.json": state}, actor: "me"},
		"a worktree, tasks in the main one": {files: map[string]string{"main/.git/worktrees/w/commondir": "../..\n",
			"w/.git": "gitdir: ../main/.git/worktrees/w\n", "main/.flow-agents/a/state.json": state}, cwd: "w", want: "a"},
		"a worktree, tasks in its own folder": {files: map[string]string{"main/.git/worktrees/w/commondir": "../..\n",
			"w/.git": "gitdir: ../main/.git/worktrees/w\n", "w/.flow-agents/b/state.json": state, "main/.flow-agents/a/state.json": state},
			cwd: "w", want: "b"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			testfile.Tree(t, dir, c.files)
			ev := event("native", "", filepath.Join(dir, c.cwd))
			s, ok := Open(ev).Session(ev, env("FLOW_AGENTS_ACTOR", c.actor))
			if ok != (c.want != "") || ok && s.Slug != c.want {
				t.Errorf("found %v, %q", ok, s.Slug)
			}
		})
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"":                        "",
		" a \n\t b ":              "a b",
		"a\x00\x1b[2Jb\u0085c":    "a[2Jb c",
		"\u202eabc\u200b":         "abc",
		"\xff\xfea":               "a",
		strings.Repeat("é", 300):  strings.Repeat("é", 240),
		strings.Repeat("é ", 300): strings.TrimSpace(strings.Repeat("é ", 120)),
	} {
		if got := Clean(in); got != want || utf8.RuneCountInString(got) > maxText {
			t.Errorf("%q: %q", in, got)
		}
	}
}

func TestHead(t *testing.T) {
	hash := strings.Repeat("ab", 20)
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"none":   {nil, ""},
		"unborn": {map[string]string{".git/HEAD": "ref: refs/heads/main\n"}, ""},
		"loose":  {map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": hash + "\n"}, hash},
		"packed": {map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/packed-refs": "# x\n" + hash + " refs/heads/main\n"},
			hash},
		"detached": {map[string]string{".git/HEAD": hash + "\n"}, hash},
		"worktree": {map[string]string{".git": "gitdir: m/.git/worktrees/w\n", "m/.git/worktrees/w/HEAD": "ref: refs/heads/x\n",
			"m/.git/worktrees/w/commondir": "../..", "m/.git/refs/heads/x": hash}, hash},
		"leads out":   {map[string]string{".git/HEAD": "ref: ../../../../etc/passwd\n"}, ""},
		"not a hash":  {map[string]string{".git/HEAD": strings.Repeat("zz", 20)}, ""},
		"very long":   {map[string]string{".git/HEAD": strings.Repeat("a", 1<<20)}, ""},
		"other words": {map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": "nonsense"}, ""},
	} {
		dir := t.TempDir()
		testfile.Tree(t, dir, c.files)
		if got := Head(dir); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// FLOW-34: what was appended is a whole chain; what was changed afterwards is not.
func TestLogChain(t *testing.T) {
	s := Session{Dir: t.TempDir()}
	state := t.TempDir()
	add := func(command string) {
		if err := s.Append(t.Context(), state, map[string]any{"command": command, "observedResult": "pass", "exitCode": int64(0)}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 5 {
		add(fmt.Sprintf("make %d <&> é \u2028", i))
	}
	path := filepath.Join(s.Dir, LogFile)
	whole, _ := os.ReadFile(path)
	lines := strings.SplitAfter(string(whole), "\n")
	for name, c := range map[string]struct {
		text string
		want Chain
	}{
		"as written":          {string(whole), Whole},
		"an older log before": {`{"command":"x"}` + "\n" + string(whole), Whole},
		"only an older log":   {`{"command":"x"}` + "\n", Unchained},
		"empty":               {"", Unchained},
		"the first is gone":   {strings.Join(lines[1:], ""), Broken},
		"one is gone":         {lines[0] + strings.Join(lines[2:], ""), Broken},
		"one was changed":     {strings.Replace(string(whole), "make 2", "make 9", 1), Broken},
		"two were swapped":    {lines[0] + lines[2] + lines[1], Broken},
		"one was put in":      {lines[0] + `{"command":"x"}` + "\n" + lines[1], Broken},
		"garbage was put in":  {lines[0] + "garbage\n" + lines[1], Broken},
		"the end is gone":     {lines[0] + lines[1], Whole},
		"one is there twice":  {lines[0] + lines[1] + lines[1], Forked},
	} {
		testfile.Tree(t, s.Dir, map[string]string{LogFile: c.text})
		if l, err := s.Log(); err != nil || l.Chain != c.want {
			t.Errorf("%s: %v, %v", name, l.Chain, err)
		}
	}
	// A line that was cut off does not swallow the next one.
	testfile.Tree(t, s.Dir, map[string]string{LogFile: lines[0] + lines[1][:20]})
	add("after")
	if l, _ := s.Log(); len(l.Runs) != 2 || l.Runs[1].Command != "after" {
		t.Errorf("%+v", l)
	}
	if entries, _ := os.ReadDir(s.Dir); len(entries) != 1 {
		t.Errorf("there is more than the log: %v", entries)
	}
}

// FLOW-34: who writes at once makes one chain, and no litter.
func TestLogTogether(t *testing.T) {
	s := Session{Dir: t.TempDir()}
	state := t.TempDir()
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			if err := s.Append(context.Background(), state, map[string]any{"command": fmt.Sprint(i), "observedResult": "fail"}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	l, err := s.Log()
	if err != nil || l.Chain != Whole || len(l.Runs) != 32 {
		t.Errorf("%d runs, chain %v, %v", len(l.Runs), l.Chain, err)
	}
}

func TestLogIsNotWrittenThroughLinks(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "target")
	testfile.Tree(t, dir, map[string]string{"target": "keep", "task/state.json": "{}"})
	if err := os.Symlink(target, filepath.Join(dir, "task", LogFile)); err != nil {
		t.Skip("no links here: ", err)
	}
	if err := os.Symlink(filepath.Join(dir, "task"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{"task", "link"} {
		if err := (Session{Dir: filepath.Join(dir, at)}).Append(t.Context(), t.TempDir(), map[string]any{"command": "x"}); err == nil {
			t.Errorf("%s was written through", at)
		}
	}
	if data, _ := os.ReadFile(target); string(data) != "keep" {
		t.Error("the target was changed")
	}
}

// What is too large is a problem of the file and is not read.
func TestBounds(t *testing.T) {
	s := Session{Dir: t.TempDir()}
	testfile.Tree(t, s.Dir, map[string]string{StateFile: `{"status":"new","x":"` + strings.Repeat("x", maxFile) + `"}`})
	var u *Unreadable
	if _, err := s.State(); !errors.As(err, &u) {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(s.Dir, StateFile)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(s.Dir, StateFile), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := s.State(); !errors.As(err, &u) {
		t.Error(err)
	}
	if _, err := s.Critique(); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// FuzzFiles: whatever stands in the files, it is read or refused, and no text
// that goes on is more than one clean line.
func FuzzFiles(f *testing.F) {
	f.Add([]byte(
		`{"status":"new","next_action":{"summary":"a\nb","skills":["x",{"id":"y"}]},"claims":[{"id":"c"}],"evidence":[{"claimId":"c",` +
			`"execution":{"label":"x"}}],"checks":[{"id":"a"}],"critiques":[{"findings":[{"status":"open","description":"\u0007"}]}]}`))
	f.Add([]byte("status: executing\ntype: deliver\n## Definition Of Done\n- [ ] a\n"))
	f.Add([]byte(`{"command":"x","_chain":{"seq":1e9,"prevHash":"","hash":""}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		for _, name := range []string{StateFile, CritiqueFile, EvidenceFile, AcceptanceFile, BundleFile, HandoffFile, LogFile, "a--deliver.md",
			".git"} {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s := Session{Dir: dir, Root: dir}
		st, _ := s.State()
		c, _ := s.Critique()
		e, _ := s.Evidence()
		claims, _ := s.Bundle()
		steps, blockers, _ := s.Handoff()
		s.Acceptance()
		s.Log()
		Head(dir)
		texts := append(append(append([]string{st.Status, st.Phase, st.Next.Summary, st.Next.Command, e.Verdict}, c.Open...), steps...),
			blockers...)
		for _, a := range Artifacts(dir) {
			texts = append(append(texts, a.Status), a.Done.Open...)
		}
		for _, claim := range claims {
			texts = append(texts, claim.Subject, claim.Status)
		}
		for _, text := range texts {
			if Clean(text) != text {
				t.Errorf("not clean: %q", text)
			}
		}
	})
}

// FuzzText: cleaning twice is cleaning once, and a document is read whatever it is.
func FuzzText(f *testing.F) {
	f.Add("status: executing\ntype: deliver\n## Definition Of Done\n- [ ] a\u202e\n```\n- [ ] b\n")
	f.Add(strings.Repeat("é ", 300))
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range []string{Clean(text), Command(text)} {
			if clean(s, 4096) != s || strings.ContainsAny(s, "\n\r\t\x00\x1b") || !utf8.ValidString(s) {
				t.Errorf("not clean: %q", s)
			}
		}
		a, _ := readArtifact(text)
		for _, s := range append(append([]string{a.Status}, a.Done.Open...), a.Fit.Open...) {
			if !strings.EqualFold(Clean(s), s) {
				t.Errorf("not clean: %q", s)
			}
		}
		pointerName(text)
	})
}
