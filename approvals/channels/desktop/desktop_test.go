package desktop

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/approvals/channels"
	"github.com/trammel-dev/trammel/store"
)

// A desktop is told once, and again when people are reminded; it never decides.
func TestNotice(t *testing.T) {
	var told []string
	n := &notice{func(_ context.Context, title, text string) error {
		told = append(told, title+": "+text)
		return nil
	}}
	a := &store.Approval{ID: "apr_1", State: store.Pending, Tool: "pay\x1b", Summary: "60000", Args: json.RawMessage(`{}`)}
	if _, err := n.Deliver(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	d := &store.Delivery{Shows: channels.StandingOf(a).String()}
	for _, change := range []func(){func() {}, func() { a.Reminded = 1 }, func() { a.State = store.Approved }} {
		change()
		if err := n.Update(t.Context(), d, a); err != nil {
			t.Fatal(err)
		}
	}
	want := "Approval required: pay<U+001B>: 60000\ntrammel approvals show apr_1|" +
		"Approval still required: pay<U+001B>: 60000\ntrammel approvals show apr_1"
	if got := strings.Join(told, "|"); got != want {
		t.Errorf("%q", got)
	}
	if _, answers := channels.Channel(n).(channels.Answerer); answers {
		t.Error("a click on a notice would decide")
	}
}
