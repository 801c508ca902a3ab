package pathguard_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/policies/pathguard"
)

// shop is a machine with a project that lies in no temporary directory, and a
// link to it.
func shop() *world.Frozen {
	files := map[string]string{"/home/ann/shop/src/a.go": "", "/home/ann/other/b.go": ""}
	for i := range 10_000 {
		files[fmt.Sprintf("/home/ann/shop/many/%d", i)] = ""
		files[fmt.Sprintf("/home/ann/shop/node_modules/%d", i)] = ""
	}
	return &world.Frozen{HomeDir: "/home/ann", UserName: "ann", Files: files, Links: map[string]string{"/home/ann/link": "/home/ann/shop"}}
}

// judge runs path-guard on a shell command in a project of the shop.
func judge(t *testing.T, w trammel.World, with, project, command string) trammel.Answer {
	t.Helper()
	h, err := pathguard.Policy().New(trammel.Spec{Config: []byte(with)})
	if err != nil {
		t.Fatal(err)
	}
	ev := &trammel.Event{Kind: trammel.PreToolUse, World: w, Session: trammel.Session{Dir: project, Project: project},
		Tool: &trammel.ToolCall{Name: "Bash", Input: map[string]any{"command": command},
			Action: trammel.Action{Kind: trammel.ShellAction, Command: command}}}
	a, err := h.Handle(t.Context(), ev)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// What is inside of a project is inside by each of its names.
func TestInsideAndOutside(t *testing.T) {
	w := shop()
	for _, c := range []struct {
		project, command string
		want             trammel.Decision
	}{
		{"/home/ann/shop", "echo x > src/a.go", trammel.None},
		{"/home/ann/shop", "echo x > /home/ann/link/src/a.go", trammel.None},
		{"/home/ann/shop", "echo x > ../other/b.go", trammel.Deny},
		{"/home/ann/shop", "echo x > ../shopping/b.go", trammel.Deny},
		{"/home/ann/link", "echo x > src/a.go", trammel.None},
		{"/home/ann/link", "echo x > /home/ann/shop/src/a.go", trammel.None},
		{"/home/ann/link", "echo x > ../other/b.go", trammel.Deny},
	} {
		if a := judge(t, w, `{"outside":"deny"}`, c.project, c.command); a.Decision != c.want {
			t.Errorf("%s in %s: %v (%s), want %v", c.command, c.project, a.Decision, a.Reason, c.want)
		}
	}
}

// People read a place as the project knows it, and one outside in full.
func TestPlacesAreNamedAsPeopleKnowThem(t *testing.T) {
	w := shop()
	for command, want := range map[string]string{
		"rm src/a.go":      "src/a.go is out of reach",
		"rm ../other/b.go": "/home/ann/other/b.go is out of reach",
	} {
		if a := judge(t, w, `{"deny":{"delete":["**/*.go"]}}`, "/home/ann/shop", command); !strings.HasPrefix(a.Reason, want) {
			t.Errorf("%s: %s", command, a.Reason)
		}
	}
}

// A tree that is too large to look through is asked about, unless nobody misses it.
func TestTooMuchToLookAt(t *testing.T) {
	w := shop()
	for command, want := range map[string]trammel.Decision{
		"rm -rf many":              trammel.Ask,
		"rm -rf src":               trammel.None,
		"rm -rf node_modules":      trammel.None,
		"chmod 600 many/*":         trammel.Ask,
		"chmod 600 node_modules/*": trammel.None,
	} {
		a := judge(t, w, `{"deny":{"write":["**/*.key"]}}`, "/home/ann/shop", command)
		if a.Decision != want || want == trammel.Ask && a.Findings[0].Code != "unknown_path" {
			t.Errorf("%s: %v %v (%s), want %v", command, a.Decision, a.Findings, a.Reason, want)
		}
	}
}
