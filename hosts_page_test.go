package trammel_test

import (
	"os"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/conformance"
	"github.com/trammel-dev/trammel/dialects/standard"
)

// holes are what lies outside of hooks, and therefore in no table of powers:
// what a host does not report at all, or lets through whatever we answer.
var holes = map[string][]string{
	"claude-code": {"a hook that Claude Code itself times out lets the call through; Trammel answers before that",
		"`claude --bare` starts without hooks"},
	"codex": {"`write_stdin` into an open shell is not hooked: opening an interactive shell is the last chance to decide " +
		"(`interactive` in rules)", "hooks that its user has not approved are skipped silently, also in `codex exec`",
		"a shell heredoc into `apply_patch` arrives as a shell command"},
	"gemini-cli": {"the payload does not say in which approval mode the session is",
		"a hook that Gemini CLI itself times out lets the call through"},
	"qwen-code": {"the end of a session is never reported", "`--bare`, `--safe-mode` and `disableAllHooks` switch hooks off"},
	"copilot-cli": {"hooks of a repository are ignored silently until its folder is trusted",
		"a hook that Copilot itself times out lets the call through", "nothing in the payload tells a repeated prompt from a new one"},
	"opencode": {"a plugin that fails to load is skipped without a word; doctor looks for its first event",
		"there is no way to keep a headless run from ending", "`--pure` starts without plugins"},
	"pi":     {"rewritten arguments are not validated again by the host"},
	"kiro":   {"not verified by running the program"},
	"cursor": {"not verified by running the program", "cloud machines do not run stop hooks"},
	"vscode": {"not verified by running the program", "matchers are ignored"},
	"flow-agents": {"a payload that is no JSON object is let through, as its contract says; it is on record",
		"what becomes of exit code 2 is up to the adapter that calls"},
	"docker-agent": {"not verified by running the program: payloads are recorded ones, most tool names are from documentation",
		"hooks of the default lane are skipped under `--yolo`; the wiring uses the preempting lane, which ignores rewrites"},
}

// docs/hosts.md says what each host can do, from the dialects' tables and the
// last end-to-end run.
func TestHostsPage(t *testing.T) {
	const page, begin, report = "docs/hosts.md", "<!-- generated -->\n", "docs/e2e.jsonl"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(string(data), begin)
	if !ok {
		t.Fatalf("%s has no place for what is generated", page)
	}
	f, err := os.Open(report)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	outcomes, err := conformance.ReadOutcomes(f)
	if err != nil {
		t.Fatal(err)
	}
	versions := map[string]string{}
	for _, o := range outcomes {
		versions[o.Host] = o.Version
	}
	set := standard.Dialects()
	var list []conformance.Declaration
	for _, name := range set.Hosts() {
		if name == "native" {
			continue
		}
		d, _ := set.Host(name)
		list = append(list, conformance.Declare(d, conformance.Extra{Version: versions[name], Gaps: holes[name]}))
	}
	want := before + begin + "\n" + conformance.Markdown(list, outcomes)
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != string(data) {
		t.Errorf("%s is out of date: go test -run TestHostsPage -update .", page)
	}
}
