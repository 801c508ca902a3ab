package additions

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/test/policysuite"
	"github.com/trammel-dev/trammel/test/testfile"
)

func TestCases(t *testing.T) {
	for _, p := range []trammel.Policy{Date(), Environment(), Files(), Listing()} {
		t.Run(p.Name, func(t *testing.T) { policysuite.Run(t, p, filepath.Join("testdata", p.Name+".yaml")) })
	}
}

func runGit(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main", "-c",
		"commit.gpgsign=false"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

func write(t *testing.T, path, text string) { testfile.Write(t, path, text, 0o755) }

// repository is one with a commit, a change and a file that is not in it.
func repository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv("XDG_CONFIG_HOME", "")
	dir := t.TempDir()
	runGit(t, dir, "init", "-q")
	write(t, filepath.Join(dir, "a.txt"), "one\n")
	runGit(t, dir, "add", ".")
	runGit(t, dir, "commit", "-qm", "first commit")
	write(t, filepath.Join(dir, "a.txt"), "two\n")
	write(t, filepath.Join(dir, "new.txt"), "x\n")
	return dir
}

func say(t *testing.T, p trammel.Policy, ev *trammel.Event, options string) string {
	t.Helper()
	var data []byte
	if options != "" {
		data = []byte(options)
	}
	h, err := p.New(policysuite.Spec(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	a, err := h.Handle(t.Context(), ev)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(a.Context, "|")
}

func start(dir string) *trammel.Event {
	return &trammel.Event{Kind: trammel.SessionStart, Host: "claude-code", Session: trammel.Session{ID: "s", Dir: dir}}
}

func TestRepository(t *testing.T) {
	dir := repository(t)
	for _, c := range []struct {
		policy  trammel.Policy
		options string
		want    []string
	}{
		{Status(), "", []string{"Git status:\n## main", " M a.txt", "?? new.txt"}},
		{Diff(), "", []string{"Git diff:\n", "a.txt | 2 +-"}},
		{Diff(), `{"full":true}`, []string{"-one", "+two"}},
		{Commits(), "", []string{"Recent commits:\n", "first commit"}},
		{Commits(), `{"count":1}`, []string{"first commit"}},
	} {
		got := say(t, c.policy, start(dir), c.options)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s %s: %q has no %q", c.policy.Name, c.options, got, want)
			}
		}
		outside := t.TempDir()
		if got := say(t, c.policy, start(outside), c.options); got != "" {
			t.Errorf("%s outside of a repository: %q", c.policy.Name, got)
		}
		empty := t.TempDir()
		runGit(t, empty, "init", "-q")
		if got := say(t, c.policy, start(empty), c.options); c.policy.Name != "add_git_status" && got != "" {
			t.Errorf("%s without a commit: %q", c.policy.Name, got)
		}
	}
	for i := range 400 {
		write(t, filepath.Join(dir, fmt.Sprintf("file-number-%d.txt", i)), "")
	}
	if got := say(t, Status(), start(dir), ""); len(got) > mostOfGit+100 || !strings.HasSuffix(got, "(cut off)") {
		t.Errorf("%d bytes: %q", len(got), got[len(got)-40:])
	}
}

// Issue 4, point 7: again only when it has changed.
func TestStatusAgainWhenItChanged(t *testing.T) {
	dir := repository(t)
	prompt := func() string {
		ev := start(dir)
		ev.Kind = trammel.UserPromptSubmit
		return say(t, Status(), ev, "")
	}
	if say(t, Status(), start(dir), "") == "" || prompt() != "" {
		t.Error("not once")
	}
	write(t, filepath.Join(dir, "third.txt"), "")
	if got := prompt(); !strings.Contains(got, "third.txt") || prompt() != "" {
		t.Errorf("%q", got)
	}
}

// A repository is the agent's to configure. Whatever its configuration would
// make git run does not run, and what the host's variables say does not count.
func TestNothingOfTheRepositoryRuns(t *testing.T) {
	dir := repository(t)
	trap := filepath.Join(t.TempDir(), "trap.sh")
	sprung := trap + ".sprung"
	write(t, trap, "#!/bin/sh\necho \"$0 $*\" >> "+sprung+"\ncat\n")
	for _, kv := range [][2]string{
		{"core.fsmonitor", trap}, {"core.pager", trap}, {"diff.external", trap}, {"diff.trap.textconv", trap}, {"diff.trap.command", trap},
		{"filter.trap.clean", trap}, {"filter.trap.smudge", trap}, {"filter.trap.process", trap}, {"filter.other.clean", trap},
		{"core.sshCommand", trap},
		{"log.showSignature", "true"}, {"gpg.program", trap}, {"core.hooksPath", filepath.Dir(trap)}, {"pager.status", trap},
		{"pager.log", trap}, {"pager.diff", trap},
		{"alias.status", "!" + trap}, {"credential.helper", trap}, {"core.alternateRefsCommand", trap},
	} {
		runGit(t, dir, "config", kv[0], kv[1])
	}
	write(t, filepath.Join(dir, ".gitattributes"), "*.txt filter=trap diff=trap\n*.md filter=other\n")
	write(t, filepath.Join(dir, "b.md"), "x")
	write(t, filepath.Join(filepath.Dir(trap), "post-index-change"), "#!/bin/sh\ntouch "+sprung+"\n")
	for name, value := range map[string]string{"GIT_DIR": "/nonexistent", "GIT_EXTERNAL_DIFF": trap, "GIT_PAGER": trap,
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor",
		"GIT_CONFIG_VALUE_0": trap, "GIT_TRACE": sprung, "GIT_INDEX_FILE": "/nonexistent"} {
		t.Setenv(name, value)
	}
	now := time.Now().Add(time.Hour) // so that git has to look into the file
	os.Chtimes(filepath.Join(dir, "a.txt"), now, now)
	for _, p := range []trammel.Policy{Status(), Diff(), Commits()} {
		if say(t, p, start(dir), "") == "" {
			t.Errorf("%s is silent", p.Name)
		}
	}
	say(t, Diff(), start(dir), `{"full":true}`)
	if log, err := os.ReadFile(sprung); err == nil {
		t.Errorf("it ran: %s", log)
	}
}

func TestUserInfo(t *testing.T) {
	if got := say(t, User(), start("/"), ""); !strings.Contains(got, "Host: ") {
		t.Errorf("%q", got)
	}
}
