//go:build e2e && unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sharedFiles are what the repository of TestTwoUsers holds.
var sharedFiles = []string{".claude", ".codex", ".gemini", ".git", ".github", "trammel.yaml"}

// TestTwoUsers: one person wires a repository and commits that. Whoever clones
// it is guarded by the Trammel of their own, under all four agents; and who has
// none gets no call through, and reads how to install it (TEAM-01, TEAM-03).
func TestTwoUsers(t *testing.T) {
	t.Parallel()
	if path, err := exec.LookPath("trammel-hook"); err == nil {
		skip(t, path+" is on the PATH of everybody")
	}
	four := []host{claude{}, codex{}, gemini{}, copilot{}}
	dir := t.TempDir()
	origin := filepath.Join(dir, "origin.git")
	ann, ben, eve := newUser(t, filepath.Join(dir, "opt", "ann")), newUser(t, filepath.Join(dir, "usr", "ben")), newBox(t)

	ann.git(t, "init", "-q", "--bare", origin)
	ann.git(t, "clone", "-q", origin, ann.project)
	ann.put(t, filepath.Join(ann.project, "trammel.yaml"), noTouch)
	ann.init(t, four)
	ann.git(t, "add", ".")
	ann.git(t, "commit", "-qm", "Guard the agents")
	ann.git(t, "push", "-q", "origin", "HEAD")
	for _, b := range []*box{ben, eve} {
		b.git(t, "clone", "-q", origin, b.project)
	}
	ben.init(t, four)
	if changed := ben.git(t, "status", "--porcelain"); changed != "" {
		t.Errorf("init by another user, from another directory, changes the repository:\n%s", changed)
	}

	for _, user := range []struct {
		name  string
		box   *box
		check func(*testing.T, *result)
	}{
		{"who wired it", ann, sharedRuleHolds},
		{"who cloned it", ben, sharedRuleHolds},
		{"without Trammel", eve, func(t *testing.T, r *result) {
			r.ran(t, sharedFiles...)
			r.told(t, true, r.absent)
		}},
	} {
		t.Run(user.name, func(t *testing.T) {
			t.Parallel()
			for _, h := range four {
				t.Run(h.name(), func(t *testing.T) {
					note(t, h, "")
					if why, missing := ready.Missing[h.name()]; missing {
						skip(t, why)
					}
					s := scenario{wire: trustFolder, check: user.check}
					s.playIn(t, h, user.box)
				})
			}
		})
	}
}

// sharedRuleHolds: the rule of the repository holds, and this user's own
// evidence says so.
func sharedRuleHolds(t *testing.T, r *result) {
	const reason = "Make files with the Write tool."
	r.ran(t, sharedFiles...)
	r.told(t, true, reason)
	r.from = r.host
	got := r.records(t)
	if len(got) == 0 {
		t.Errorf("no record of %s", r.host)
	}
	for _, rec := range got { // more than one where an agent reads another's settings, too
		if rec.Decision != "deny" || !strings.HasSuffix(rec.Hook, "no-touch") {
			t.Errorf("the record is %+v, expected that no-touch denied", rec)
		}
	}
}

// newUser is a box with a Trammel of its own.
func newUser(t *testing.T, prefix string) *box {
	b := newBox(t)
	b.bin = filepath.Join(prefix, "bin")
	borrow(t, ready.Hook, filepath.Join(b.bin, "trammel-hook"))
	borrow(t, ready.Trammel, filepath.Join(b.bin, "trammel"))
	return b
}

// init wires the repository.
func (b *box) init(t *testing.T, all []host) {
	t.Helper()
	args := []string{"init", "--scope", "project", "--yes"}
	for _, h := range all {
		args = append(args, h.name())
	}
	b.output(t, filepath.Join(b.bin, "trammel"), args...)
}

func (b *box) git(t *testing.T, args ...string) string {
	t.Helper()
	return b.output(t, "git", append([]string{"-c", "user.name=Ann", "-c", "user.email=ann@example.com"}, args...)...)
}

// output is what a program prints that must succeed.
func (b *box) output(t *testing.T, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = b.env()
	e := b.run(t, cmd)
	if e.code != 0 {
		t.Fatalf("%s %s: exit code %d\n%s%s", program, strings.Join(args, " "), e.code, e.stdout, e.stderr)
	}
	return e.stdout
}

// trustFolder says for a user what their agent would ask once: that they trust
// this folder.
func trustFolder(t *testing.T, b *box, h host) {
	switch h := h.(type) {
	case codex:
		path := h.file(b, "config.toml")
		settings, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b.put(t, path, string(settings)+"\n[projects."+text(b.project)+"]\ntrust_level = \"trusted\"\n")
	case copilot:
		b.putJSON(t, filepath.Join(h.home(b), "config.json"), object{"trusted_folders": []string{b.project}})
	}
}
