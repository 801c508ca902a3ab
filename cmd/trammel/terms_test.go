package main

import (
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
)

// What a filter excludes begins with a dash, and is no flag.
func TestTermsOfAFilterAreNoFlags(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"evidence list host:codex -hook:tidy --json": "evidence list host:codex --json -- -hook:tidy",
		"log -hook:tidy -tool:Bash":                  "log -- -hook:tidy -tool:Bash",
		"watch -- -hook:tidy":                        "watch -- -hook:tidy",
		"approvals list -state:expired -- word":      "approvals list -- word -state:expired",
		"evidence list --host -x:y":                  "evidence list --host -x:y",
		"evidence list -h":                           "evidence list -h",
		"explain -x:y":                               "explain -x:y",
		"frobnicate -x:y":                            "frobnicate -x:y",
	} {
		if got := strings.Join(cli.Terms(root(), strings.Fields(line)), " "); got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
}
