//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// poison is what a text of a model or a project can have in it: commands of a terminal, letters that change the
// order of others, letters that nobody sees.
const poison = "\x1b[2K\x1b[8m\u009b2J\u202e\u2066\u200b\ufeff\u00ad\U000e0041\b\r" + "e\u0301\u0301\u0301\u0301\u0301\u0301"

var poisons = []string{"\x1b[2K", "\x1b[8m", "\u009b", "\u202e", "\u2066", "\u200b", "\ufeff", "\u00ad", "\U000e0041", "\b",
	"\u0301\u0301\u0301\u0301\u0301"}

// Nothing that a model or a project says is obeyed by the terminal on which a
// person reads it: in tables, in detail, as JSON, in errors and in questions.
// First run of the attempts: D in test/people/testdata/attempts.txt.
func TestNothingIsObeyed(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	d.ability()
	d.write(filepath.Join(d.home, ".config/trammel/trammel.yaml"), strings.Replace(askEve, "1\n", "1\nevidence: {payload: full}\n", 1)+
		strings.TrimPrefix(gatedPayments, "version: 1\nhooks:\n"))
	text, _ := json.Marshal("a" + poison)
	d.call("pay", `{"to":`+string(text)+`}`)
	d.call("drop", `{"what":`+string(text)+`}`)
	d.call("shell", `{"command":`+string(text)+`}`)
	id := d.pending()
	odd := filepath.Join(d.home, "q"+strings.Trim(poison, "\r"))
	if err := os.MkdirAll(odd, 0o700); err != nil {
		t.Fatal(err)
	}
	d.write(filepath.Join(odd, "trammel.yaml"), "version: 2\n")
	eve := `{"name":"eve ` + string(text[1:]) + `}`
	for _, c := range [][]string{
		{"explain", "ls " + poison}, {"explain", "--json", "ls " + poison}, {"explain", "--tool", poison, "--input", "{}"},
		{"evidence", "list"}, {"evidence", "list", "--json"}, {"log"}, {"report"}, {"allow", "--list"}, {"allow", "--json"},
		{"approvals", "list"}, {"approvals", "show", id}, {"approvals", "show", "--json", id}, {"approvals", "show", poison},
		{"lint", "--dir", odd}, {"doctor", "--dir", odd}, {poison}, {"explain", "--" + poison},
		{"task", "direct-run", "say.hello", "--input", eve}, {"task", "direct-run", "say.hello", "--json", "--input", eve}, {"task", "abilities"},
	} {
		out, _ := d.typed([]line{{"[y/N]", "y"}}, append([]string{"trammel"}, c...)...)
		for _, p := range poisons {
			if strings.Contains(out, p) {
				t.Errorf("%.40q: %q reaches the terminal: %.300q", c, p, out)
				break
			}
		}
		if strings.Contains(c[0], "approvals") && len(c) > 2 && c[2] == id && !strings.Contains(out, "202E") {
			t.Errorf("%q does not say what is in the call: %q", c, out)
		}
	}
}

const askEve = `version: 1
hooks:
  - {id: eve, on: pre_tool_use, match: {action: shell}, ask: {when: 'command contains "eve"'}}
`

// ability puts a repository with an ability that leaves a file where the project was.
func (d *testDesk) ability() {
	d.t.Helper()
	for _, dir := range []string{".system/registry/low-level", "scripts"} {
		if err := os.MkdirAll(filepath.Join(d.project, dir), 0o700); err != nil {
			d.t.Fatal(err)
		}
	}
	d.write(filepath.Join(d.project, ".system/registry/low-level/hello.yaml"), `operation_key: say.hello
summary: "Greets \e[8m\u202e."
kind: script
impl: {kind: script, script: {path: scripts/hello.sh, args_template: ["--", "{{input.name}}"]}}
`)
	d.write(filepath.Join(d.project, "scripts/hello.sh"), "#!/bin/sh\ntouch ran\nprintf '%s' \"$2\"\n")
	d.write(filepath.Join(d.home, ".config/trammel/trammel.yaml"), askEve)
}

// ran reports whether the ability has run since it was last asked.
func (d *testDesk) ran() bool { return os.Remove(filepath.Join(d.project, "ran")) == nil }

const runEve = `trammel task direct-run say.hello --input '{\"name\":\"eve\"}'`

// Where a task needs a person, an agent that gives itself a terminal does not count,
// with or without the variables by which agents mark their shells; and where the
// machine has an authority secret, the person types it (attempts T1 to T3).
func TestAnAgentDoesNotAgreeToATask(t *testing.T) {
	t.Parallel()
	d := newTestDesk(t)
	d.ability()
	agree := []line{{"[y/N]", "y"}, {"Authority secret", secretWord}}
	argv := []string{"trammel", "task", "direct-run", "say.hello", "--input", `{"name":"eve"}`}
	if out, rc := d.typed(agree, argv...); rc != 0 || !d.ran() || !strings.Contains(out, `"name": "eve"`) {
		t.Fatalf("a person: %d %s", rc, out)
	}
	d.write(filepath.Join(d.home, "claude"), "#!/bin/sh\nsh \"$@\"\n")
	attack := func(name, agent, script string) {
		if _, err := os.Stat("/usr/bin/script"); err != nil {
			t.Skip("needs script(1)")
		}
		file := filepath.Join(d.home, "attack.sh")
		d.write(file, script)
		cmd := exec.Command(agent, file)
		cmd.Env, cmd.Dir, cmd.WaitDelay = append(d.env, "CLAUDECODE=1"), d.project, time.Second
		out, _ := cmd.CombinedOutput()
		if d.ran() {
			t.Errorf("%s of %s: the agent agrees with itself: %s", name, agent, out)
		}
	}
	const typing = "(sleep 1; echo y; sleep 1; echo guess) | "
	for _, agent := range []string{"/bin/sh", filepath.Join(d.home, "claude")} {
		attack("a terminal", agent, "unset CLAUDECODE; "+typing+`script -qec "`+runEve+`" /dev/null`)
		attack("no variables", agent, typing+`env -i HOME="$HOME" PATH="$PATH" script -qec "`+runEve+`" /dev/null`)
		flagged := strings.Replace(runEve, "direct-run", "direct-run --source manual_cli", 1)
		attack("a flag", agent, "unset CLAUDECODE; "+typing+`script -qec "`+flagged+`" /dev/null`)
	}
	d.setSecret()
	if out, rc := d.typed(agree, argv...); rc != 0 || !d.ran() {
		t.Errorf("a person with the secret: %d %s", rc, out)
	}
	guess := []line{{"[y/N]", "y"}, {"Authority secret", "guess"}, {"Press Enter", "\x03"}}
	if out, rc := d.typed(guess, argv...); rc == 0 || d.ran() {
		t.Errorf("a guess: %d %s", rc, out)
	}
	attack("a parent that has gone", "/bin/sh", `(setsid sh -c '`+typing+`env -i HOME="$HOME" PATH="$PATH" script -qec `+
		`"trammel task direct-run say.hello --input {\\\"name\\\":\\\"eve\\\"}" /dev/null >$HOME/said 2>&1' &) ; sleep 5; cat $HOME/said`)
}
