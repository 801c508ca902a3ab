package main

import (
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/internal/layers"
)

// An init with another HOME says that the rules do not move with it.
func TestOtherHome(t *testing.T) {
	t.Parallel()
	dirs := layers.Dirs{User: "/home/ann/.config/trammel", State: "/home/ann/.local/state/trammel"}
	if note := otherHome("/home/ann", dirs); note != "" {
		t.Errorf("the account's home: %s", note)
	}
	note := otherHome("/tmp/home", dirs)
	for _, want := range []string{"HOME is /tmp/home", dirs.User, dirs.State, "--user-config DIR --state DIR"} {
		if !strings.Contains(note, want) {
			t.Errorf("%q does not say %s", note, want)
		}
	}
	if dirs.Named = true; otherHome("/tmp/home", dirs) != "" {
		t.Error("directories that the command line names are those that were meant")
	}
}
