package readonly_test

import (
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/policies/readonly"
)

// FIM-41: read-only holds for the organisations that are, and for a session
// that does not say whose it is.
func TestOrganisations(t *testing.T) {
	h, err := readonly.Policy().New(trammel.Spec{Config: []byte(`{"scope":"organisation","when_org":["acme"]}`)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		org, sql string
		want     trammel.Decision
	}{
		{"acme", "delete from t", trammel.Deny}, {"acme", "select 1", trammel.None}, {"globex", "delete from t", trammel.None},
		{"", "delete from t", trammel.Deny}, {"", "select 1", trammel.None},
	} {
		ev := &trammel.Event{Kind: trammel.PreToolUse, Session: trammel.Session{Org: c.org},
			Tool: &trammel.ToolCall{Name: "sql_query", Input: map[string]any{"query": c.sql}}}
		ev.Prepare()
		a, err := h.Handle(t.Context(), ev)
		if err != nil || a.Decision != c.want || a.Decision == trammel.Deny && !strings.Contains(a.Reason, "This organisation is read-only") {
			t.Errorf("%q %s: %v %q %v, want %v", c.org, c.sql, a.Decision, a.Reason, err, c.want)
		}
	}
	for _, wrong := range []string{`{"scope":"organisation"}`, `{"when_org":["acme"]}`} {
		if _, err := readonly.Policy().New(trammel.Spec{Config: []byte(wrong)}); err == nil || !strings.Contains(err.Error(), "when_org") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}
