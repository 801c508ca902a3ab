package plan

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/internal/version"
)

func sample(n int) []Hook {
	hooks := []Hook{
		{ID: "full", On: []trammel.Kind{trammel.PreToolUse, trammel.Stop, trammel.Other}, Kind: "rule", Config: []byte(`{"do":"deny"}`),
			Match: Match{Tools: []string{"Bash", "mcp__*"}, Actions: []trammel.ActionKind{trammel.ShellAction}, Hosts: []string{"codex"},
				Agents: []string{"x*"}, Programs: []string{"git"}, Paths: []string{"**/*.go"}, To: []string{"*.example.com"},
				Projects: []string{"~/work/**"}, Doubt: true,
				Abilities: []string{"edit_file"}, Slower: time.Second, Changed: []string{"services/**"}},
			Blocking: true,
			Dialect:  "claude-code", May: trammel.Guard, Priority: -7, Timeout: 3 * time.Second, OnError: trammel.WarnOnError, Dir: "/p",
			Source:   trammel.Source{Layer: "project", File: "/p/trammel.yaml", Line: 12},
			Rewrites: true, Prefilter: match.Prefilter{Each: true, Needs: []match.Need{{Field: "args", Op: match.Has,
				Values: []string{"-f"}}}}},
		{ID: "bare", On: []trammel.Kind{trammel.SessionStart}, Kind: "builtin", Config: []byte{}, May: trammel.Observe},
	}
	for i := range n {
		hooks = append(hooks, Hook{ID: fmt.Sprint("h", i), On: []trammel.Kind{trammel.PreToolUse}, Kind: "rule", Config: []byte("{}"),
			May:   trammel.Guard,
			Match: Match{Tools: []string{fmt.Sprint("tool", i)}}})
	}
	return hooks
}

func settings() Settings {
	s := DefaultSettings()
	s.Deadline = 7 * time.Second
	s.Evidence.Fsync = "always"
	s.Flow = FlowSettings{Profile: "strict", Disabled: "a,b"}
	return s
}

func TestRoundTrip(t *testing.T) {
	hooks := sample(20)
	p, err := Decode(Encode(hooks, settings(), "sha256:abc", []string{"a note"}), "sha256:abc")
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.All()
	if err != nil {
		t.Fatal(err)
	}
	hooks[0].Prefilter = match.Prefilter{} // of which only the index knows
	if diff := cmp.Diff(hooks, got); diff != "" {
		t.Error(diff)
	}
	if p.Settings != settings() || p.Notes[0] != "a note" || p.Len() != 22 || !p.Has(trammel.Stop) || p.Has(trammel.Setup) {
		t.Errorf("got %+v", p)
	}
}

// The index may select too much, never too little: whatever matches exactly is
// among what is selected.
func TestSelectMissesNothing(t *testing.T) {
	var hooks []Hook
	add := func(m Match) {
		hooks = append(hooks, Hook{ID: fmt.Sprint(len(hooks)), On: []trammel.Kind{trammel.PreToolUse}, Kind: "rule", Config: []byte("{}"),
			May: trammel.Guard, Match: m})
	}
	lists := func(values ...string) [][]string { return [][]string{nil, values[:1], values} }
	for _, tools := range lists("Bash", "mcp__*") {
		for _, programs := range lists("git", "r?") {
			for _, paths := range lists("*.go", "/etc/**") {
				for _, actions := range [][]trammel.ActionKind{nil, {trammel.ShellAction}, {trammel.WriteAction, trammel.MCPAction}} {
					add(Match{Tools: tools, Programs: programs, Paths: paths, Actions: actions})
					add(Match{Tools: tools, Programs: programs, Paths: paths, Actions: actions, Doubt: true})
					add(Match{Tools: tools, Programs: programs, Paths: paths, Actions: actions, Abilities: []string{"run_command", "edit_*"}})
				}
			}
		}
	}
	p, err := Decode(Encode(hooks, settings(), "d", nil), "d")
	if err != nil {
		t.Fatal(err)
	}
	touched := 0
	for _, call := range []trammel.ToolCall{
		{Name: "Bash", Input: map[string]any{"command": "git push"}},
		{Name: "Bash", Input: map[string]any{"command": "sudo rm -rf x"}},
		{Name: "Bash", Input: map[string]any{"command": "$(echo git) push"}},
		{Name: "Bash", Input: map[string]any{"command": "if then ("}},
		{Name: "mcp__x__y", Input: map[string]any{"path": "/etc/passwd", "command": "git x"}},
		{Name: "Write", Input: map[string]any{"file_path": "a.go"}, Action: trammel.Action{Kind: trammel.WriteAction, Paths: []string{"a.go"}}},
		{Name: "apply_patch", Input: map[string]any{}, Action: trammel.Action{Kind: trammel.EditAction,
			Also: []trammel.ActionKind{trammel.WriteAction}, Paths: []string{"b.go"}}},
		{Name: "other"},
	} {
		ev := &trammel.Event{Kind: trammel.PreToolUse, Session: trammel.Session{Dir: "/p"}, Tool: &call}
		ev.Prepare()
		selected, err := p.Select(ev)
		if err != nil {
			t.Fatal(err)
		}
		ids := map[string]bool{}
		for _, h := range selected {
			ids[h.ID] = true
		}
		for i := range hooks {
			m := hooks[i].Match.Bind()
			if m.Matches(ev) {
				touched++
				if !ids[hooks[i].ID] {
					t.Errorf("%v: %+v matches and was not selected", call, hooks[i].Match)
				}
			}
		}
	}
	if touched < 50 {
		t.Errorf("only %d matches: this test proves little", touched)
	}
}

// A hook that rewrites can turn a call into one that other hooks want: then the
// index must not have left them out.
func TestSelectForeseesRewrites(t *testing.T) {
	on := []trammel.Kind{trammel.PreToolUse}
	hooks := []Hook{
		{ID: "other-program", On: on, May: trammel.Guard, Match: Match{Programs: []string{"rm"}}},
		{ID: "other-literal", On: on, May: trammel.Guard, Prefilter: match.Prefilter{Needs: []match.Need{{Field: "command", Op: match.Contains,
			Values: []string{"rm"}}}}},
		{ID: "other-tool", On: on, May: trammel.Guard, Match: Match{Tools: []string{"Write"}}},
		{ID: "rewriter", On: on, May: trammel.Rewrite, Rewrites: true, Match: Match{Programs: []string{"deploy"}}},
	}
	p, err := Decode(Encode(hooks, settings(), "d", nil), "d")
	if err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{"ls": "", "deploy x": "other-program other-literal rewriter",
		"rm x": "other-program other-literal"} {
		ev := &trammel.Event{Kind: trammel.PreToolUse, Tool: &trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": command}}}
		ev.Prepare()
		selected, err := p.Select(ev)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, h := range selected {
			ids = append(ids, h.ID)
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%s: selected %q, want %q", command, got, want)
		}
	}
}

// Whatever happens to a stored plan, it is found out: no byte can change, none
// can be missing and none can be added without an error or the same hooks.
func TestDamageIsFound(t *testing.T) {
	hooks := sample(3)
	whole := Encode(hooks, settings(), "sha256:abc", nil)
	usable := func(data []byte) ([]Hook, error) {
		p, err := Decode(data, "sha256:abc")
		if err != nil {
			return nil, err
		}
		return p.All()
	}
	for i := range whole {
		for _, flip := range []byte{0x01, 0x80, 0xff} {
			data := append([]byte(nil), whole...)
			data[i] ^= flip
			if got, err := usable(data); err == nil {
				t.Fatalf("byte %d flipped by %#x went unnoticed: %v", i, flip, cmp.Diff(hooks, got))
			}
		}
		if _, err := usable(whole[:i]); err == nil {
			t.Fatalf("cut off at byte %d went unnoticed", i)
		}
	}
	if _, err := usable(append(append([]byte(nil), whole...), 0)); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a byte too many: %v", err)
	}
	if _, err := Decode(whole, "sha256:def"); !errors.Is(err, ErrStale) {
		t.Errorf("another configuration: %v", err)
	}
	if _, err := Decode([]byte(strings.Replace(string(whole), magic, "trammel-plan-0\n", 1)), "sha256:abc"); !errors.Is(err, ErrForeign) {
		t.Errorf("another format: %v", err)
	}
	defer func(was string) { version.Version = was }(version.Version)
	version.Version += "-next" // its presets may be others
	if _, err := Decode(whole, "sha256:abc"); !errors.Is(err, ErrForeign) {
		t.Errorf("another version: %v", err)
	}
}

func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "plans")
	c := Cache{dir}
	if _, err := c.Load("proj", "sha256:a"); !errors.Is(err, ErrMissing) {
		t.Errorf("no directory: %v", err)
	}
	save := func(digest string) {
		t.Helper()
		if err := c.Save("proj", digest, Encode(sample(1), settings(), digest, nil)); err != nil {
			t.Fatal(err)
		}
	}
	save("sha256:a")
	if _, err := c.Load("proj", "sha256:a"); err != nil {
		t.Errorf("just saved: %v", err)
	}
	if _, err := c.Load("proj", "sha256:b"); !errors.Is(err, ErrMissing) {
		t.Errorf("other sources: %v", err)
	}
	save("sha256:b")
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("older plans are kept: %v", files)
	}
	path := c.path("proj", "sha256:b")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, int64(len(data)-1)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Load("proj", "sha256:b"); !errors.Is(err, ErrCorrupt) {
		t.Errorf("cut off: %v", err)
	}
	save("sha256:b")
	if runtime.GOOS == "windows" {
		return // modes and links mean something else there
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Load("proj", "sha256:b"); !errors.Is(err, ErrForeign) {
		t.Errorf("a directory that others can enter: %v", err)
	}
	if err := c.Save("proj", "sha256:c", data); !errors.Is(err, ErrForeign) {
		t.Errorf("saved into a directory that others can enter: %v", err)
	}
	os.Chmod(dir, 0o700)
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	os.Rename(path, elsewhere)
	if err := os.Symlink(elsewhere, path); err != nil {
		t.Skip("no symlinks here")
	}
	if _, err := c.Load("proj", "sha256:b"); err == nil {
		t.Error("a link to a plan elsewhere was followed")
	}
}

func FuzzDecode(f *testing.F) {
	whole := Encode(sample(2), settings(), "d", []string{"n"})
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Decode(data, "d")
		if err != nil {
			return
		}
		if _, err := p.All(); err != nil && !errors.Is(err, ErrCorrupt) {
			t.Errorf("an error without its kind: %v", err)
		}
	})
}

// FuzzRecord goes past the digests, which random bytes never get through.
func FuzzRecord(f *testing.F) {
	var w writer
	h := sample(0)[0]
	w.hook(&h)
	f.Add(w.b)
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &reader{b: data}
		r.hook()
		r = &reader{b: data}
		r.settings()
		q := query{ev: &trammel.Event{Kind: trammel.PreToolUse}, kind: "pre_tool_use"}
		r = &reader{b: data}
		q.wants(r)
		q.touches(r)
	})
}

// A plan on disk is the same as one in memory, whether all of it, its head or
// less than that is read at once, and no part of it is read from elsewhere.
func TestFilesOfAnySize(t *testing.T) {
	for _, n := range []int{1, 10, 40, 100, 400} {
		hooks := sample(n)
		data := Encode(hooks, settings(), "d", nil)
		p, err := Open(bytes.NewReader(data), int64(len(data)), "d")
		if err != nil {
			t.Fatalf("%d hooks, %d bytes: %v", n, len(data), err)
		}
		hooks[0].Prefilter = match.Prefilter{} // of which only the index knows
		if got, err := p.All(); err != nil || !cmp.Equal(hooks, got) {
			t.Errorf("%d hooks, %d bytes: %v", n, len(data), err)
		}
		if _, err := Open(bytes.NewReader(data[:len(data)-1]), int64(len(data)), "d"); err == nil && len(data) <= small {
			t.Errorf("%d hooks: read beyond the end of the file", n)
		}
	}
	data := []byte("0123456789abcdef")
	for kept := range len(data) {
		src := source{file: bytes.NewReader(data), start: bytes.Clone(data[:kept]), size: int64(len(data))}
		for at := int64(-1); at <= src.size+1; at++ {
			for _, n := range []int64{-1, 0, 1, 2, 7, src.size - at, src.size - at + 1, math.MaxInt64} {
				got, err := src.part(at, n)
				inside := at >= 0 && n >= 0 && at <= src.size && n <= src.size-at
				if inside != (err == nil) || inside && !bytes.Equal(got, data[at:at+n]) || !inside && !errors.Is(err, ErrCorrupt) {
					t.Errorf("%d bytes from %d, %d kept: %q, %v", n, at, kept, got, err)
				}
			}
		}
	}
}
