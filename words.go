package trammel

import (
	"fmt"
	"strings"
)

// The words for values in configuration, JSON and evidence.
var (
	decisions   = words[Decision]{"decision", 0, []string{"none", "allow", "ask", "deny"}}
	onErrors    = words[OnError]{"on_error", 1, []string{"default", "block", "warn", "ignore"}}
	authorities = words[Authority]{"authority", 1, []string{"none", "observe", "context", "rewrite", "guard", "grant"}}
	actions     = words[ActionKind]{"action", 0,
		[]string{"other", "shell", "write", "edit", "read", "delete", "fetch", "search", "mcp", "agent"}}
)

// String returns the word used in JSON and configuration.
func (d Decision) String() string { return decisions.of(d) }

// String returns the word used in configuration.
func (o OnError) String() string { return onErrors.of(o) }

// String returns the word used in configuration.
func (a Authority) String() string { return authorities.of(a) }

// String returns the word used in configuration and evidence.
func (k ActionKind) String() string { return actions.of(k) }

// ParseDecision reads the word used in JSON and configuration. Only the exact
// words are taken: a typing error must not pass for "no opinion".
func ParseDecision(s string) (Decision, error) { return decisions.parse(s) }

// ParseOnError reads the word used in configuration.
func ParseOnError(s string) (OnError, error) { return onErrors.parse(s) }

// ParseAuthority reads the word used in configuration.
func ParseAuthority(s string) (Authority, error) { return authorities.parse(s) }

// ParseActionKind reads the word used in configuration.
func ParseActionKind(s string) (ActionKind, error) { return actions.parse(s) }

// words are those for the values of T. The ones before first are not for people
// to write.
type words[T ~uint8] struct {
	what  string
	first int
	list  []string
}

// of is the word for a value, or its number where there is none.
func (w *words[T]) of(v T) string {
	if int(v) < len(w.list) {
		return w.list[v]
	}
	return fmt.Sprintf("%s(%d)", w.what, uint8(v))
}

// parse finds the value of a word.
func (w *words[T]) parse(s string) (T, error) {
	for i := w.first; i < len(w.list); i++ {
		if w.list[i] == s {
			return T(i), nil
		}
	}
	last := len(w.list) - 1
	return 0, fmt.Errorf("unknown %s %q, expected %s or %s", w.what, s, strings.Join(w.list[w.first:last], ", "), w.list[last])
}
