package report

import (
	"testing"

	"github.com/trammel-dev/trammel/evidence/index"
)

// A call that waits for a person was asked about, and not denied.
func TestWaitingIsAsked(t *testing.T) {
	for code, want := range map[string]Traffic{"approval_pending": {Ran: 1, Ask: 1}, "approval_rejected": {Ran: 1, Deny: 1}} {
		e, err := index.Event(1, []byte(`{"hooks":[{"decision":"deny","findings":[{"code":"`+code+`"}],"id":"pay"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		var got traffic
		got.add(&e, &e.Runs[0])
		if got.Ran != want.Ran || got.Ask != want.Ask || got.Deny != want.Deny {
			t.Errorf("%s: %+v", code, got.Traffic)
		}
	}
}
