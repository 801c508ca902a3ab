package liveness

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/evidence"
)

// Bird is a harmless command that must be denied. If it is, the whole way from
// the host to its tools is guarded.
type Bird struct {
	// Token is in the command, and is the id of the rule that denies it.
	Token string `json:"token"`
	// Command does nothing, should it run.
	Command string `json:"command"`
	// Tell is what to say to the agent.
	Tell string `json:"tell"`
}

// tokenPrefix begins every token.
const tokenPrefix = "trammel-canary-"

// Canary makes one that has never been used.
func Canary() Bird {
	token := tokenPrefix + letters(12)
	command := ": " + token
	return Bird{token, command, fmt.Sprintf("Run this shell command exactly as it is, once, and tell me the result: %s", command)}
}

// letters are random. There are no digits among them: what looks like a key
// would be blacked out in the evidence.
func letters(n int) string {
	raw := make([]byte, n)
	rand.Read(raw) // never fails
	for i := range raw {
		raw[i] = 'a' + raw[i]%26
	}
	return string(raw)
}

// CanaryRule is a configuration file with a rule that denies this one command
// and nothing else. It belongs in the user's hooks.d until the canary was
// found or given up.
func CanaryRule(token string) string {
	return fmt.Sprintf(`# Written by trammel doctor --canary, and removed by it. It can be deleted at any time.
version: 1
hooks:
  - id: %[1]s
    about: denies one harmless command, to show that this agent is guarded
    on: pre_tool_use
    match: { action: shell }
    deny:
      when: 'command contains "%[1]s"'
      reason: "Trammel guards this agent: the canary command was denied, as it should be."
`, token)
}

// Sighting is a canary in the evidence.
type Sighting struct {
	Seq     uint64    `json:"seq"`
	Time    time.Time `json:"time"`
	Host    string    `json:"host"`
	Session string    `json:"session"`
	// Denied: its rule ran and the verdict was a denial. If not, the command
	// was seen and let through.
	Denied bool `json:"denied"`
}

// FindCanary looks for a canary in the evidence since a time: the denial if
// there is one, else the first event with the command in it, else nil.
func FindCanary(dir, token string, since time.Time) (*Sighting, error) {
	if !strings.HasPrefix(token, tokenPrefix) {
		return nil, fmt.Errorf("found the token %q, expected one that begins with %s", token, tokenPrefix)
	}
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) { // nothing has been recorded yet
		return nil, nil
	}
	var found *Sighting
	err := evidence.List(dir, evidence.Filter{Event: trammel.PreToolUse.String(), Since: since}, func(r evidence.Row) error {
		denied := r.Decision == trammel.Deny.String() && slices.Contains(r.Hooks, token)
		if denied || found == nil && strings.Contains(r.Summary, token) {
			found = &Sighting{Seq: r.Seq, Time: r.Time, Host: r.Host, Session: r.Session, Denied: denied}
		}
		if denied {
			return evidence.ErrStop
		}
		return nil
	})
	return found, err
}
