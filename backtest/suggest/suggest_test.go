package suggest

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/test/testfile"
)

// desk is a person with an agent, who is asked and answers.
type desk struct {
	t       *testing.T
	dirs    layers.Dirs
	project string
	calls   int
}

const rules = `version: 1
hooks:
  - {id: ask-rm, on: pre_tool_use, match: {program: rm}, ask: sure?}
  - {id: ask-git, on: pre_tool_use, match: {program: git}, ask: {when: 'args.has("push")', reason: sure?}}
  - {id: ask-docs, on: pre_tool_use, match: {action: write, path: "docs/**"}, ask: sure?}
  - {id: ask-words, on: pre_tool_use, match: {action: write, path: "notes/**"}, ask: {when: 'input.content contains "a"', reason: sure?}}
  - {id: ask-hub, on: pre_tool_use, match: {tool: mcp__hub__*}, ask: sure?}
  - {id: ask-fetch, on: pre_tool_use, match: {tool: WebFetch}, ask: sure?}
  - {id: no-mkfs, on: pre_tool_use, match: {program: mkfs}, deny: no}
`

func newDesk(t *testing.T) *desk {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	d := &desk{t: t, dirs: layers.Dirs{User: in("user"), State: in("state"), Cache: in("cache")}}
	d.write(filepath.Join(d.dirs.User, layers.FileName), rules)
	d.project = d.newProject("p")
	return d
}

func (d *desk) newProject(name string) string {
	project := filepath.Join(filepath.Dir(d.dirs.User), name)
	d.write(filepath.Join(project, ".git", "config"), "[remote \"origin\"]\n\turl = https://git.example/p.git\n")
	return project
}

func (d *desk) write(path, text string) { testfile.Write(d.t, path, text, 0o600) }

// send has the agent report an event of the last call, and returns the reply.
func (d *desk) send(event, tool string, input, more map[string]any) string {
	d.t.Helper()
	fields := map[string]any{"hook_event_name": event, "session_id": fmt.Sprint("s", d.calls%2), "cwd": d.project, "tool_name": tool,
		"tool_input": input, "tool_use_id": fmt.Sprint("t", d.calls)}
	for key, value := range more {
		fields[key] = value
	}
	payload, err := json.Marshal(fields)
	if err != nil {
		d.t.Fatal(err)
	}
	p := full.New(d.dirs)
	reply := p.Answer(context.Background(), pipeline.Call{Host: "claude-code", Event: event, Payload: payload, Dir: d.project})
	return string(reply.Stdout)
}

// call has the agent call a tool, and the person answer.
func (d *desk) call(tool string, input map[string]any, approved bool) {
	d.calls++
	d.send("PreToolUse", tool, input, nil)
	if approved {
		d.send("PostToolUse", tool, input, map[string]any{"tool_response": map[string]any{}})
	}
}

func shell(line string) map[string]any { return map[string]any{"command": line} }

// times has the same line approved some times.
func (d *desk) times(n int, line string) {
	for i := range n {
		d.call("Bash", map[string]any{"command": line, "description": fmt.Sprint("for the ", i, "th time")}, true)
	}
}

func (d *desk) suggest(least int) *Report {
	d.t.Helper()
	log, err := pipeline.EvidenceDir(d.dirs, d.project)
	if err != nil {
		d.t.Fatal(err)
	}
	set, err := layers.Find(d.dirs, d.project)
	if err != nil {
		d.t.Fatal(err)
	}
	now := time.Now()
	r, err := Run(context.Background(), Options{Dirs: d.dirs, Log: log, Set: set, Since: now.Add(-time.Hour), Min: least, Now: now})
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

// said are the suggestions, and what is held back with its code.
func said(r *Report) (out []string) {
	for _, s := range r.Suggestions {
		out = append(out, s.Hook+": "+s.Call)
	}
	for _, h := range r.HeldBack {
		out = append(out, string(h.Code)+": "+h.Call)
	}
	slices.Sort(out)
	return out
}

// TEAM-24: what is suggested, and what is not.
func TestSuggest(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(d *desk)
		want []string
	}{
		{"five times", func(d *desk) { d.times(5, "rm -rf build") }, []string{"ask-rm: rm -rf build"}},
		{"an MCP tool", func(d *desk) {
			for i := range 5 {
				d.call("mcp__hub__list", map[string]any{"repo": "site", "state": "open"}, true)
				d.call("mcp__hub__close", map[string]any{"issue": float64(i)}, true)
			}
		}, []string{`ask-hub: mcp__hub__list {"repo":"site","state":"open"}`}},
		{"a fetch", func(d *desk) {
			for i := range 5 {
				d.call("WebFetch", map[string]any{"url": "https://docs.example.com/a", "prompt": "Summarize it."}, true)
				d.call("WebFetch", map[string]any{"url": fmt.Sprint("https://docs.example.com/", i), "prompt": "Summarize it."}, true)
			}
		}, []string{`ask-fetch: WebFetch {"prompt":"Summarize it.","url":"https://docs.example.com/a"}`}},
		{"four times", func(d *desk) { d.times(4, "rm -rf build") }, nil},
		{"with other blanks", func(d *desk) { d.times(3, "rm -rf build"); d.times(2, "rm  -rf  build ") }, []string{"ask-rm: rm -rf build"}},
		{"with other arguments", func(d *desk) { d.times(3, "rm -rf build"); d.times(3, "rm -rf dist") }, nil},
		{"one refusal among ten", func(d *desk) {
			d.times(6, "rm -rf build")
			d.call("Bash", shell("rm -rf build"), false)
			d.times(4, "rm -rf build")
		}, []string{"refused: rm -rf build"}},
		{"a refusal of another call", func(d *desk) { d.times(5, "rm -rf build"); d.call("Bash", shell("rm -rf src"), false) },
			[]string{"ask-rm: rm -rf build"}},
		{"a failure says nothing", func(d *desk) {
			d.times(5, "rm -rf build")
			d.call("Bash", shell("rm -rf build"), false)
			d.send("PostToolUseFailure", "Bash", shell("rm -rf build"), map[string]any{"error": "x"})
		}, []string{"ask-rm: rm -rf build"}},
		{"two projects", func(d *desk) {
			d.times(3, "rm -rf build")
			first := d.project
			d.project = d.newProject("other")
			d.times(3, "rm -rf build")
			d.project = first
		}, nil},
		{"in a folder", func(d *desk) {
			for range 5 {
				d.calls++
				in := map[string]any{"cwd": d.project + "/sub"}
				d.send("PreToolUse", "Bash", shell("rm -rf build"), in)
				d.send("PostToolUse", "Bash", shell("rm -rf build"), in)
			}
		}, []string{"not_exact: Bash rm -rf build"}},
		{"nobody was asked", func(d *desk) {
			for range 5 {
				d.calls++
				in := map[string]any{"permission_mode": "bypassPermissions"}
				d.send("PreToolUse", "Bash", shell("rm -rf build"), in)
				d.send("PostToolUse", "Bash", shell("rm -rf build"), in)
			}
		}, nil},
		{"one call, reported twice", func(d *desk) {
			for range 4 {
				d.calls++
				for range 2 {
					d.send("PreToolUse", "Bash", shell("rm -rf build"), nil)
				}
				for range 2 {
					d.send("PostToolUse", "Bash", shell("rm -rf build"), nil)
				}
			}
		}, nil},
		{"what is unknown", func(d *desk) { d.times(5, "rm -rf $X") }, []string{"not_exact: Bash rm -rf $X"}},
		{"a script", func(d *desk) {
			d.write(d.project+"/clean.sh", "rm -rf build\n")
			d.times(5, "sh clean.sh")
		}, []string{"not_exact: Bash sh clean.sh"}},
		{"a host", func(d *desk) { d.times(5, "git push origin main") }, []string{"ask-git: git push origin main"}},
		{"a secret", func(d *desk) { d.times(5, "rm .env") }, []string{"protected: Bash rm .env"}},
		{"a file, whatever is written", func(d *desk) {
			for i := range 5 {
				d.call("Write", map[string]any{"file_path": d.project + "/docs/a.md", "content": fmt.Sprint(i)}, true)
			}
		}, []string{"ask-docs: Write P/docs/a.md"}},
		{"other files", func(d *desk) {
			for i := range 5 {
				d.call("Write", map[string]any{"file_path": fmt.Sprint(d.project, "/docs/", i), "content": "x"}, true)
			}
		}, nil},
		{"a rule about what is written", func(d *desk) {
			for i := range 5 {
				d.call("Write", map[string]any{"file_path": d.project + "/notes/a.md", "content": fmt.Sprint("a", i)}, true)
			}
		}, []string{"not_exact: Write P/notes/a.md"}},
		{"a hook that is gone", func(d *desk) {
			d.times(5, "rm -rf build")
			d.write(filepath.Join(d.dirs.User, layers.FileName), strings.Replace(rules, "id: ask-rm", "id: ask-remove", 1))
		}, []string{"not_in_force: Bash rm -rf build"}},
		{"a hook that denies by now", func(d *desk) {
			d.times(5, "rm -rf build")
			d.write(filepath.Join(d.dirs.User, layers.FileName), strings.Replace(rules, "ask: sure?", "deny: no", 1))
		}, []string{"not_exact: rm -rf build"}},
		{"a hook of the machine", func(d *desk) {
			d.dirs.Machine = filepath.Join(filepath.Dir(d.dirs.User), "machine")
			d.write(filepath.Join(d.dirs.Machine, layers.FileName), rules)
			d.write(filepath.Join(d.dirs.User, layers.FileName), "version: 1\n")
			d.times(5, "rm -rf build")
		}, []string{"not_excepted: rm -rf build"}},
		{"self-protection", func(d *desk) {
			d.write(filepath.Join(d.dirs.User, layers.FileName), "version: 1\nhooks: [{id: own, use: self-protection}]\n")
			d.times(5, "trammel frobnicate")
		}, []string{"protected: Bash trammel frobnicate"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t)
			c.do(d)
			got := said(d.suggest(5))
			for i := range got {
				got[i] = strings.Replace(got[i], d.project, "P", 1)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("found %q, expected %q", got, c.want)
			}
		})
	}
}

// TEAM-24: a suggested exception lets the calls pass that were approved, and no
// others; nothing is written before a person does.
func TestSuggestedException(t *testing.T) {
	d := newDesk(t)
	d.times(5, "rm -rf build")
	d.times(6, "git push origin main")
	r := d.suggest(5)
	if files, _ := filepath.Glob(filepath.Join(d.dirs.User, "*")); len(files) != 1 {
		t.Fatalf("something was written: %v", files)
	}
	if b := r.Backtest; len(r.Suggestions) != 2 || b.Loosened != 11 || b.Tightened != 0 || b.Replayed != 22 || len(b.Errors) != 0 {
		t.Fatalf("%+v, backtest %+v", r, r.Backtest)
	}
	if s := r.Suggestions[0]; s.Approved != 6 || s.Sessions != 2 || len(s.Records) != 5 ||
		!strings.Contains(r.Exceptions, `to: ["git.example"]`) {
		t.Errorf("%+v\n%s", s, r.Exceptions)
	}
	d.write(filepath.Join(d.dirs.User, layers.DropIn, "exceptions.yaml"), r.Exceptions)
	asked := func(input map[string]any, more map[string]any) bool {
		d.calls++
		return strings.Contains(d.send("PreToolUse", "Bash", input, more), `"ask"`)
	}
	for line, want := range map[string]bool{"rm -rf build": false, "rm  -rf build": false, "git push origin main": false,
		"rm -rf build src": true, "rm -rf 'build'": true, "rm -rf ./build": true, "rm -r build": true, "rm -rf build; rm -rf build": true,
		"git push --force origin main": true, "git push origin topic": true, "cd sub && rm -rf build": true, "sudo rm -rf build": true,
		"rm -rf build && git push origin main": true} {
		if got := asked(shell(line), nil); got != want {
			t.Errorf("%s: asked is %v", line, got)
		}
	}
	if !asked(shell("rm -rf build"), map[string]any{"cwd": d.project + "/sub"}) {
		t.Error("another directory is let pass")
	}
	if !asked(map[string]any{"command": "rm -rf build", "dangerouslyDisableSandbox": true}, nil) {
		t.Error("another right is let pass")
	}
	d.write(filepath.Join(d.project, ".git", "config"), "[remote \"origin\"]\n\turl = https://evil.example/p.git\n")
	if !asked(shell("git push origin main"), nil) {
		t.Error("another host is let pass")
	}
	d.project = filepath.Join(d.project, "sub")
	d.write(filepath.Join(d.project, ".git", "config"), "[remote \"origin\"]\n\turl = https://git.example/p.git\n")
	if !asked(shell("rm -rf build"), nil) || !asked(shell("git push origin main"), nil) {
		t.Error("a project inside of the project is let pass")
	}
}
