package approvals_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/store"
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

// APR-18: a grant by rule lets calls through that do nothing beyond the approved
// one: the same program and arguments, folders and hosts (FIM-29, approvals.md
// "narrow matcher").
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
		{"git push origin main", "git push origin topic", false},
		{"git push origin main", "git push origin +main", false},
		{"git push origin main", "git push origin main +prod", false},
		{"git push origin main", "git push --force origin main", false},
		{"git push --force origin main", "git push --force origin main", true},
		{"git push --dry-run origin main", "git push origin main", false}, // one option less can be more
		{"terraform destroy -target=module.test", "terraform destroy", false},
		{"kubectl delete pod web-1 -n test", "kubectl delete pod web-1", false},
		{"gcloud compute instances list", "gcloud compute instances delete", false}, // a third subcommand
		{"gcloud compute instances list", "gcloud compute instances delete Prod", false},
		{"kubectl delete pod/web-1", "kubectl delete namespace/prod", false},
		{"git config user.name Bob", "git config core.hooksPath /tmp", false},
		{"gh repo delete me/scratch", "gh repo delete corp/prod", false},
		{"pip install requests flask", "pip install requests flask evil", false},
		{"npm install left-pad@1.0.0", "npm install evil@1.0.0", false},
		{"aws ec2 terminate-instances --instance-ids i-1", "aws ec2 terminate-instances --instance-ids i-2", false},
		{"make build", "make build TARGET=/", false},
		{"terraform destroy", "cd prod && terraform destroy", false},
		{"cd prod && terraform destroy", "terraform destroy", false},
		{"pg_dump shop && dropdb shop", "dropdb shop", false},
		{"pg_dump shop && dropdb shop", "pg_dump shop || dropdb shop", false},
		{"git push origin main", "PATH=/tmp/evil; git push origin main", false},
		{"git push origin main", "{ PATH=/tmp/evil; git push origin main; }", false},
		{"git push origin main", "(PATH=/tmp/evil; git push origin main)", false},
		{"git push origin main", "while true; do git push origin main; done", false},
		{"git push origin main", "export GIT_SSH_COMMAND=evil; git push origin main", false},
		{"git push origin main", "git() { rm -rf src; }; git push origin main", false},
		{"git push origin main", "alias git=evil; git push origin main", false},
		{"git push origin main", "git push origin main < x", false},
		{"git push origin main", "git push origin main > .git/config", false},
		{"git push origin main", "git push origin main &", true},
		{"psql shop < build/a.sql", "psql shop < build/b.sql", false},
		{"chmod u+r build/a", "chmod a+rwx build/a", false},
		{"chmod u+r build/a", "chmod u+r build/b", true},
		{"cp build/a src/b", "cp build/c src/d", true},
		{"cp build/a src/b", "cp src/b build/a", false},
		{"rm -- -rf", "rm -rf -- -rf", false},
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
		{"rm /srv/a.conf", "rm /srv/a.conf", true},
		{"rm /srv/a.conf", "rm /srv/b.conf", false}, // a folder at the top is no small one
		{"rm /srv/x/a.conf", "rm /srv/x/b.conf", true},
		{"rm /a", "rm /b", false},
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
		{"kubectl delete pod web-1", "kubectl delete pod web-2", false},
		{"kubectl delete pod web-1", "kubectl delete namespace prod", false},
		{"kubectl delete pod web-1 -n test", "kubectl delete pod web-1 -n prod", false},
		{"gh pr merge 12", "gh pr merge 13", false},
		{"gh pr merge 12", "gh repo delete x", false},
		{"./deploy.sh staging", "./deploy.sh staging", true},
		{"./deploy.sh staging", "./deploy.sh production", false},
		{"python3 -c 'print(1)'", "python3 -c 'print(2)'", false},
		{"bash -c 'git push origin main'", "bash -c 'rm -rf /'", false},
		{"ssh host uptime", "ssh host reboot", false},
		{"STAGE=test ./deploy.sh", "STAGE=test ./deploy.sh", true},
		{"STAGE=test ./deploy.sh", "STAGE=prod ./deploy.sh", false},
		{"timeout 60 git push origin main", "git push origin main", false}, // only the call itself, if it starts another program
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

// A program means something else in another directory.
func TestCallPatternElsewhere(t *testing.T) {
	n, err := approvals.PatternOf(shell("make build"))
	if err != nil {
		t.Fatal(err)
	}
	other := shell("make build")
	if other.Session.Dir = "/work/p/prod"; n.Fits(other) || !n.Fits(shell("make build")) {
		t.Errorf("%q", n.Describe())
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

// What a page or a service on another port does is not what was approved.
func TestCallPatternOfFetches(t *testing.T) {
	fetch := func(url string) *trammel.Event {
		ev := shell("")
		ev.Tool = &trammel.ToolCall{Name: "WebFetch", Input: map[string]any{"url": url},
			Action: trammel.Action{Kind: trammel.FetchAction, URL: url}}
		return ev
	}
	n, err := approvals.PatternOf(fetch("http://localhost:3000/a"))
	if err != nil || !n.Fits(fetch("http://localhost:3000/b")) || n.Fits(fetch("http://localhost:2375/b")) {
		t.Errorf("%q %v", n.Describe(), err)
	}
}

// What a tool is told beside its command can change what comes of it, so a grant
// holds for the same only.
func TestCallPatternBeside(t *testing.T) {
	with := func(name string, v any) *trammel.Event {
		ev := shell("rm build/a.o")
		if ev.Tool.Input[name] = v; name == "" {
			delete(ev.Tool.Input, "")
		}
		return ev
	}
	write := func(more map[string]any) *trammel.Event {
		ev := shell("")
		ev.Tool = &trammel.ToolCall{Name: "Write", Input: map[string]any{"file_path": "/work/p/src/a.go", "content": "a"},
			Action: trammel.Action{Kind: trammel.WriteAction, Paths: []string{"/work/p/src/a.go"}, Content: "a"}}
		maps.Copy(ev.Tool.Input, more)
		return ev
	}
	fetch := func(name string, v any) *trammel.Event {
		ev := shell("")
		ev.Tool = &trammel.ToolCall{Name: "fetch", Input: map[string]any{"url": "https://a.example/x", name: v},
			Action: trammel.Action{Kind: trammel.FetchAction, URL: "https://a.example/x"}}
		return ev
	}
	for name, c := range map[string]struct {
		agreed, next *trammel.Event
		fits         bool
	}{
		"out of the sandbox":          {with("", nil), with("dangerouslyDisableSandbox", true), false},
		"out of the sandbox, granted": {with("dangerouslyDisableSandbox", true), with("dangerouslyDisableSandbox", true), true},
		"inside again":                {with("dangerouslyDisableSandbox", true), with("", nil), false},
		"not asked for":               {with("", nil), with("dangerouslyDisableSandbox", false), true},
		"a word for another right":    {with("", nil), with("sandbox_permissions", "require_escalated"), false},
		"a variable":                  {with("", nil), with("env", map[string]any{"LD_PRELOAD": "/tmp/x.so"}), false},
		"another variable":            {with("env", map[string]any{"A": "1"}), with("env", map[string]any{"A": "2"}), false},
		"the same variable":           {with("env", map[string]any{"A": "<1>"}), with("env", map[string]any{"A": "<1>"}), true},
		"what it reads":               {with("", nil), with("stdin", "y"), false},
		"words for people":            {with("", nil), with("description", "clean up"), true},
		"more time":                   {with("timeout", int64(1)), with("timeout_ms", int64(2)), true},
		"another text in a file":      {write(nil), write(map[string]any{"content": "b", "offset": int64(3)}), true},
		"a right to a file":           {write(nil), write(map[string]any{"elevated": true}), false},
		"another method":              {fetch("method", "GET"), fetch("method", "DELETE"), false},
		"the same method":             {fetch("method", "GET"), fetch("method", "GET"), true},
		"another body":                {fetch("body", "a"), fetch("body", "b"), false},
	} {
		n, err := approvals.PatternOf(c.agreed)
		if err != nil || n.Exact != "" {
			t.Fatalf("%s: %+v %v", name, n, err)
		}
		if got := n.Fits(c.next); got != c.fits {
			t.Errorf("%s: fits: %v, want %v (%q)", name, got, c.fits, n.Describe())
		}
		text, _ := json.Marshal(n) // as it is stored
		if got := approvals.PatternIn(&store.Grant{Match: text}).Fits(c.next); got != c.fits {
			t.Errorf("%s, stored: fits: %v, want %v", name, got, c.fits)
		}
	}
}
