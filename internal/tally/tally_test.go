package tally

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trammel-dev/trammel"
	_ "github.com/trammel-dev/trammel/internal/layers/isolated" // HOME and XDG_* choose the directories
)

const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"

func TestLine(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"as it is":         {"ls -l", "ls -l"},
		"one line":         {"a\nb\tc\x1b[31m\x00\x7f", "a b c [31m  "},
		"a secret":         {"use " + token, "use [REDACTED:github-token]"},
		"a secret far out": {strings.Repeat("x ", 198) + token, strings.Repeat("x ", 198) + "[RED…"},
		"not UTF-8":        {"a\xffb", "a\uFFFDb"},
	} {
		if got := Line(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	long := Line(strings.Repeat("日", 1<<20))
	if len(long) > maxLine+len("…") || !utf8.ValidString(long) {
		t.Errorf("%d bytes", len(long))
	}
}

func TestTarget(t *testing.T) {
	for want, a := range map[string]trammel.Action{
		"make":                      {Command: "make", Paths: []string{"x"}},
		"a.go":                      {Paths: []string{"a.go", "b.go"}},
		"https://x.test/":           {URL: "https://x.test/"},
		"needle":                    {Query: "needle"},
		"search":                    {Server: "jira", Tool: "search"},
		"researcher":                {Agent: "researcher"},
		"":                          {},
		"[REDACTED:sensitive-file]": {Command: "echo A=1 > .env"},
	} {
		if got := Target(&a); got != want {
			t.Errorf("%+v: %q, want %q", a, got, want)
		}
	}
}

func TestConnector(t *testing.T) {
	for name, want := range map[string]string{"jira__search": "jira", "mcp__jira__search": "jira", "Bash": "", "a__b__c": "a", "__x": ""} {
		ev := &trammel.Event{Tool: &trammel.ToolCall{Name: name}}
		ev.Prepare()
		if got := Connector(ev); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestPlace(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("XDG_STATE_HOME", "")
	at := &trammel.Event{Session: trammel.Session{Project: filepath.Join(home, "p"), Dir: filepath.Join(home, "p", "sub")}}
	for given, want := range map[string]string{
		"log/x":   filepath.Join(home, "p", "log", "x"),
		"~/log/x": filepath.Join(home, "log", "x"),
		home:      home,
	} {
		if got, err := Place(at, given, "f", "n"); err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", given, got, err, want)
		}
	}
	one, err := Place(at, "", "f", "n")
	if err != nil || filepath.Base(one) != "n" || !strings.HasPrefix(one, home) {
		t.Errorf("%s, %v", one, err)
	}
	if two, _ := Place(&trammel.Event{}, "", "f", "n"); two == one {
		t.Error("two projects share a file")
	}
	if _, err := Place(&trammel.Event{}, "log", "f", "n"); err == nil {
		t.Error("a relative path without a project was taken")
	}
}
