package state

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
)

func TestConnector(t *testing.T) {
	for name, want := range map[string]string{"jira__search": "jira", "mcp__jira__search": "jira", "Bash": "", "a__b__c": "a", "__x": ""} {
		ev := &trammel.Event{Tool: &trammel.ToolCall{Name: name}}
		ev.Prepare()
		if got := Connector(ev); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestProjectFile(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	dirs := trammel.Dirs{State: filepath.Join(home, "state")}
	at := &trammel.Event{Session: trammel.Session{Project: filepath.Join(home, "p"), Dir: filepath.Join(home, "p", "sub")}}
	for given, want := range map[string]string{
		"log/x":   filepath.Join(home, "p", "log", "x"),
		"~/log/x": filepath.Join(home, "log", "x"),
		home:      home,
	} {
		if got, err := ProjectFile(dirs, at, given, "f", "n"); err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", given, got, err, want)
		}
	}
	one, err := ProjectFile(dirs, at, "", "f", "n")
	if err != nil || filepath.Base(one) != "n" || !strings.HasPrefix(one, home) {
		t.Errorf("%s, %v", one, err)
	}
	if two, _ := ProjectFile(dirs, &trammel.Event{}, "", "f", "n"); two == one {
		t.Error("two projects share a file")
	}
	if _, err := ProjectFile(dirs, &trammel.Event{}, "log", "f", "n"); err == nil {
		t.Error("a relative path without a project was taken")
	}
	if _, err := ProjectFile(trammel.Dirs{}, at, "", "f", "n"); err == nil {
		t.Error("a path was made up without a state directory")
	}
}
