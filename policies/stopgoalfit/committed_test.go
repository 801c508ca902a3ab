package stopgoalfit

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
	"github.com/trammel-dev/trammel/test/testfile"
)

// repository is a git repository with one task, whose document says that the
// work goes on.
func repository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git on this machine")
	}
	t.Setenv("HOME", t.TempDir())
	dir := t.TempDir()
	put(t, filepath.Join(dir, ".kontourai", "flow-agents", "t", "t--deliver.md"), "status: executing\n")
	git(t, dir, "init", "-q")
	return dir
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func put(t *testing.T, path, text string) { testfile.Write(t, path, text, 0o600) }

func stop(t *testing.T, dir, options string) trammel.Answer {
	t.Helper()
	h, err := Policy().New(policysuite.Spec(options))
	if err != nil {
		t.Fatal(err)
	}
	a, err := h.Handle(t.Context(), &trammel.Event{Kind: trammel.Stop, Host: "claude-code",
		Session: trammel.Session{ID: "s", Dir: dir}, Stop: &trammel.StopInfo{}})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func committed(mode string, more ...string) string {
	text := `{"schema_version":"1.0","goal_fit":{"mode":"` + mode + `","max_blocks":1,"recheck":false,"backstop":"skip",` +
		`"backstop_timeout_ms":1000,"require_sidecars":false,"require_critique":false}}`
	return strings.NewReplacer(more...).Replace(text)
}

// FLOW-32: what the project has committed decides before the environment, which
// can only be stricter; what lies in the work tree does not count, and what
// cannot be used is as strict as it could be.
func TestCommitted(t *testing.T) {
	const file = ".flow-agents/config/core.config.json"
	for name, c := range map[string]struct {
		file, after string // committed, and then in the work tree
		options     string
		env         string // of FLOW_AGENTS_GOAL_FIT_MODE
		deny        bool
		silent      bool
		code        string
	}{
		"block":                            {file: committed("block"), deny: true},
		"warn":                             {file: committed("warn")},
		"off":                              {file: committed("off"), silent: true},
		"the environment cannot loosen it": {file: committed("block"), env: "off", deny: true},
		"the environment can be stricter":  {file: committed("warn"), env: "block", deny: true},
		"the configuration comes first":    {file: committed("block"), options: `{"mode":"warn"}`},
		"the work tree does not count":     {file: committed("block"), after: committed("off"), deny: true},
		"only in the work tree":            {after: committed("block")},
		"requires": {file: committed("block", `"require_critique":false`, `"require_critique":true`), deny: true,
			code: "critique_missing"},
		"not JSON":                          {file: "{", env: "off", deny: true, code: "config_invalid"},
		"another version":                   {file: committed("off", "1.0", "2.0"), deny: true, code: "config_invalid"},
		"a field is missing":                {file: committed("off", `"recheck":false,`, ""), deny: true, code: "config_invalid"},
		"a field that nobody knows":         {file: committed("off", `"recheck"`, `"x":1,"recheck"`), deny: true, code: "config_invalid"},
		"a mode that is none":               {file: committed("loud"), deny: true, code: "config_invalid"},
		"the configuration, and it is none": {file: "{", options: `{"mode":"warn"}`, code: "config_invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := repository(t)
			t.Setenv("FLOW_AGENTS_GOAL_FIT_MODE", c.env)
			put(t, filepath.Join(dir, "README"), "x")
			if c.file != "" {
				put(t, filepath.Join(dir, filepath.FromSlash(file)), c.file)
			}
			git(t, dir, "add", ".")
			git(t, dir, "commit", "-qm", "first")
			if c.after != "" {
				put(t, filepath.Join(dir, filepath.FromSlash(file)), c.after)
			}
			a := stop(t, dir, c.options)
			if got := a.Decision == trammel.Deny; got != c.deny || (a.Notice == "" && !got) != c.silent {
				t.Errorf("denied: %v; %s%s", got, a.Reason, a.Notice)
			}
			if c.code != "" && !slices.ContainsFunc(a.Findings, func(f trammel.Finding) bool { return f.Code == c.code }) {
				t.Errorf("%+v", a.Findings)
			}
		})
	}
}

// FLOW defect 7: a repository without a commit has committed nothing.
func TestNothingCommittedYet(t *testing.T) {
	dir := repository(t)
	put(t, filepath.Join(dir, ".flow-agents", "config", "core.config.json"), committed("block"))
	if a := stop(t, dir, ""); a.Decision == trammel.Deny || a.Notice == "" {
		t.Errorf("%+v", a)
	}
}
