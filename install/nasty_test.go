package install

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/trammel-dev/trammel/test/testfile"
)

// jsonHosts are the hosts whose JSON may be the user's own, with how an entry
// looks there.
var jsonHosts = []struct{ name, file, pre, post, entry string }{
	{"claude-code", ".claude/settings.json", "PreToolUse", "PostToolUse",
		`{"matcher": "Bash", "hooks": [{"type": "command", "command": "%s"}]}`},
	{"codex", ".codex/hooks.json", "PreToolUse", "PostToolUse", `{"hooks": [{"type": "command", "command": "%s"}]}`},
	{"gemini-cli", ".gemini/settings.json", "BeforeTool", "AfterTool", `{"hooks": [{"type": "command", "command": "%s"}]}`},
	{"qwen-code", ".qwen/settings.json", "PreToolUse", "PostToolUse", `{"hooks": [{"type": "command", "command": "%s"}]}`},
	{"copilot-cli", ".copilot/hooks/trammel.json", "preToolUse", "postToolUse", `{"type": "command", "bash": "%s", "timeoutSec": 5}`},
	{"cursor", ".cursor/hooks.json", "preToolUse", "postToolUse", `{"command": "%s"}`},
	{"kiro", ".kiro/agents/mine.json", "preToolUse", "postToolUse", `{"matcher": "fs_*", "command": "%s"}`},
}

// FLOW-62: 12 nasty configurations and some more, on every host with JSON:
// wired, wired again, unwired, with every byte of the user's where it was.
func TestNastyConfigurations(t *testing.T) {
	cases, err := filepath.Glob("testdata/nasty/*.txtar")
	if err != nil || len(cases) < 12 {
		t.Fatal(cases, err)
	}
	for _, file := range cases {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		hosts := jsonHosts
		if strings.Contains(string(archive.Comment), "one host") { // the size matters, not whose file it is
			hosts = hosts[:1]
		}
		for _, h := range hosts {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+h.name, func(t *testing.T) {
				env, opts := machine(t)
				c := nasty{Env: env, Options: opts, host: h.name, path: filepath.Join(env.Home, h.file)}
				fill := strings.NewReplacer("{{PRE}}", h.pre, "{{POST}}", h.post,
					"{{THEIRS}}", fmt.Sprintf(h.entry, "echo mine"), "{{OURS}}", fmt.Sprintf(h.entry, "/old/trammel-hook x y # trammel:owned"))
				c.before = fill.Replace(string(archive.Files[0].Data))
				if len(archive.Files) > 1 {
					c.without = fill.Replace(string(archive.Files[1].Data))
				}
				c.run(t, string(archive.Comment))
			})
		}
	}
}

type nasty struct {
	Env
	Options
	host, path, before, without, refuse string
}

func (c *nasty) run(t *testing.T, directives string) {
	mode, link := os.FileMode(0o640), false
	for line := range strings.Lines(directives) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "refuse":
			c.refuse = rest
		case "mode":
			n, _ := strconv.ParseUint(rest, 8, 32)
			mode = os.FileMode(n)
		case "crlf":
			c.before = strings.ReplaceAll(c.before, "\n", "\r\n")
		case "bom":
			c.before = "\uFEFF" + c.before
		case "truncate":
			c.before = ""
		case "pad":
			n, _ := strconv.Atoi(rest)
			item := `{"display": "a [ in a \"string\" // no comment", "n": 1},` + "\n    "
			c.before = strings.Replace(c.before, "PAD", strings.Repeat(item, n/len(item))+"0", 1)
		case "symlink":
			link = true
		}
	}
	if c.without == "" {
		c.without = c.before
	}
	testfile.Write(t, c.path, c.before, mode)
	os.Chmod(c.path, mode)
	if link {
		target := filepath.Join(c.Home, "dotfiles", "file")
		testfile.Write(t, target, "", 0o600)
		os.Rename(c.path, target)
		if err := os.Symlink(target, c.path); err != nil {
			t.Skip(err)
		}
	}
	start := tree(t, c.Home)

	plan, err := Plan(c.Env, c.host, c.Options)
	if c.refuse != "" {
		if err == nil || !strings.Contains(err.Error(), c.refuse) || !strings.Contains(err.Error(), c.path) {
			t.Fatalf("not refused as expected: %v", err)
		}
		if !maps.Equal(start, tree(t, c.Home)) {
			t.Error("something was changed")
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(start, tree(t, c.Home)) {
		t.Error("the plan changed something")
	}
	if err := Apply(plan); err != nil {
		t.Fatal(err)
	}
	wired := tree(t, c.Home)
	c.survives(t)
	if info, _ := os.Stat(c.path); info.Mode().Perm() != mode {
		t.Errorf("the mode is %s", info.Mode())
	}
	if r, err := Status(c.Env, c.host, c.Options); err != nil || r.State != Wired {
		t.Errorf("after wiring: %+v, %v", r, err)
	}
	again, err := Plan(c.Env, c.host, c.Options)
	if err != nil || len(again.Files) > 0 {
		t.Fatalf("not idempotent: %+v, %v", again, err)
	}
	if err := Apply(again); err != nil || !maps.Equal(wired, tree(t, c.Home)) {
		t.Errorf("the second time changes something (%v)", err)
	}
	if err := uninstall(c.Env, c.host, c.Options); err != nil {
		t.Fatal(err)
	}
	if got := get(t, c.path); got != c.without {
		t.Errorf("uninstall left\n%.2000q\nexpected\n%.2000q", got, c.without)
	}
	if c.without == c.before {
		if end := tree(t, c.Home); !maps.Equal(start, end) {
			t.Errorf("files differ after uninstall: %v", slices.Sorted(maps.Keys(end)))
		}
	}
	if left := tree(t, filepath.Join(c.State, "install")); len(left) > 3 { // the directories and the lock
		t.Errorf("left in the state directory: %v", slices.Sorted(maps.Keys(left)))
	}
}

// survives checks that the user's content is all there: taking our entries out
// again, by structure and not by record, gives the same bytes, but for an
// object or list that was empty before.
func (c *nasty) survives(t *testing.T) {
	t.Helper()
	after := []byte(get(t, c.path))
	d, err := parse(after)
	if err != nil {
		t.Fatalf("%v:\n%.2000s", err, after)
	}
	if strings.Contains(c.before, "\r\n") && bytes.Count(after, []byte("\n")) != bytes.Count(after, []byte("\r\n")) {
		t.Error("line endings are mixed")
	}
	if blank([]byte(c.before)) {
		return
	}
	clean, err := strip(d, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parse(clean); err != nil {
		t.Errorf("without our entries: %v", err)
	}
	got, want := squeeze(string(clean)), squeeze(c.without)
	if got != want {
		t.Errorf("without our entries:\n%.1500s\nbefore:\n%.1500s", got, want)
	}
}

// squeeze takes out what cannot be distinguished from our own: empty lists, the version
// that some hosts need, blanks, and commas (whether these are right, the parser says).
func squeeze(s string) string {
	s = strings.Join(strings.Fields(s), "")
	for _, cut := range []string{`,"version":1`, `"version":1`, `,"hooks":{}`, `"hooks":{}`} {
		s = strings.Replace(s, cut, "", 1)
	}
	for _, h := range jsonHosts {
		s = strings.Replace(s, `,"hooks":{"`+h.pre+`":[]}`, "", 1)
		s = strings.Replace(s, `"hooks":{"`+h.pre+`":[]}`, "", 1)
	}
	return strings.ReplaceAll(s, ",", "")
}
