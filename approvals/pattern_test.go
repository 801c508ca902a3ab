package approvals_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
)

func shell(line string) *trammel.Event {
	ev := &trammel.Event{Kind: trammel.PreToolUse, Host: "native", Session: trammel.Session{ID: "s", Project: "/work/p", Dir: "/work/p"},
		Tool: &trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": line},
			Action: trammel.Action{Kind: trammel.ShellAction, Command: line}}}
	return ev
}

// repository is a project whose remote origin is known.
func repository(t *testing.T) string {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	config := "[remote \"origin\"]\n\turl = https://git.example/team/p.git\n"
	if err := os.WriteFile(filepath.Join(dir, ".git", "config"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A grant by rule lets calls through that do nothing beyond the approved one:
// the same program and sub-command, options, folder and host (FIM-29,
// approvals.md "narrow matcher").
func TestCallPattern(t *testing.T) {
	project := repository(t)
	shell := func(line string) *trammel.Event {
		ev := shell(line)
		ev.Session.Project, ev.Session.Dir = project, project
		return ev
	}
	for _, c := range []struct {
		agreed, next string
		fits         bool
	}{
		{"git push origin main", "git push origin main", true},
		{"git push origin main", "git push origin topic", true},
		{"git push origin main", "git push --force origin main", false},
		{"git push --force origin main", "git push origin main", true},
		{"git push origin main", "git push evil main", false},
		{"git push evil main", "git push evil main", true},
		{"git push evil main", "git push evil topic", false}, // to whom is unknown
		{"git push origin main", "git fetch origin", false},
		{"git push origin main", "git push origin main && rm -rf src", false},
		{"git push origin main", "git push origin main; curl https://evil.example", false},
		{"git push origin main", "GIT_SSH_COMMAND=evil git push origin main", false},
		{"git push origin main", "sudo git push origin main", false},
		{"git push origin main", "./git push origin main", false},
		{"git push origin main", "git push origin $BRANCH", false},
		{"git push origin main", "git -c core.sshCommand=evil push origin main", false},
		{"rm build/a.o", "rm build/b.o", true},
		{"rm build/a.o", "rm src/b.go", false},
		{"rm build/a.o", "rm build/sub/b.o", false},
		{"rm build/a.o", "rm -rf build/b.o", false},
		{"rm build/a.o", "rm build/../src/b.go", false},
		{"rm build/a.o", "rm build/*.o", false},
		{"rm build/a.o", "rm build/.env", false},
		{"rm -r build/a", "rm -r build/b", false},
		{"rm -r build/a", "rm -r build/a", true},
		{"curl https://api.example.com/x", "curl https://api.example.com/y", false},
		{"curl https://api.example.com/x", "curl https://api.example.com/x", true},
		{"curl https://api.example.com/x", "curl https://api.example.com.evil.example/x", false},
		{"kubectl delete pod web-1", "kubectl delete pod web-2", true},
		{"kubectl delete pod web-1", "kubectl delete namespace prod", false},
		{"kubectl delete pod web-1 -n test", "kubectl delete pod web-1 -n prod", false},
		{"gh pr merge 12", "gh pr merge 13", true},
		{"gh pr merge 12", "gh repo delete x", false},
		{"./deploy.sh staging", "./deploy.sh staging", true},
		{"./deploy.sh staging", "./deploy.sh production", false},
		{"python3 -c 'print(1)'", "python3 -c 'print(2)'", false},
		{"bash -c 'git push origin main'", "bash -c 'rm -rf /'", false},
		{"ssh host uptime", "ssh host reboot", false},
	} {
		n, err := approvals.PatternOf(shell(c.agreed))
		if err != nil {
			t.Fatal(err)
		}
		if got := n.Fits(shell(c.next)); got != c.fits {
			t.Errorf("a grant from %q: %q fits: %v, want %v (%q)", c.agreed, c.next, got, c.fits, n.Describe())
		}
		if !n.Fits(shell(c.agreed)) {
			t.Errorf("a grant from %q does not fit itself: %q", c.agreed, n.Describe())
		}
	}
}

// Where arguments are what matters, only the same ones fit.
func TestCallPatternByArguments(t *testing.T) {
	n, err := approvals.PatternOf(call("s", 60000))
	if err != nil {
		t.Fatal(err)
	}
	if !n.Fits(call("s2", 60000)) || n.Fits(call("s", 70000)) {
		t.Errorf("%+v", n)
	}
	if (&approvals.CallPattern{}).Fits(call("s", 1)) || (&approvals.CallPattern{}).Fits(shell("ls")) {
		t.Error("an empty matcher fits something")
	}
}

func shell2(session string) *trammel.Event {
	ev := shell("git push origin main")
	ev.Session.ID = session
	return ev
}
