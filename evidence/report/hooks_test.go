package report

import (
	"testing"

	"github.com/trammel-dev/trammel/evidence/index"
)

// A call that people are asked about counts as asked, once per request, whether
// they approve while it waits or later. One that they reject is denied.
func TestWaitingIsAsked(t *testing.T) {
	const (
		pending  = `{"decision":"deny","findings":[{"code":"approval_pending"}],"id":"pay"}`
		parked   = `{"approval":"apr_1","decision":"deny","findings":[{"code":"approval_pending"}],"id":"pay"}`
		approved = `{"approval":"apr_1","decision":"allow","id":"pay"}`
		another  = `{"approval":"apr_2","decision":"allow","id":"pay"}`
		rejected = `{"approval":"apr_1","decision":"deny","findings":[{"code":"approval_rejected"}],"id":"pay"}`
	)
	for _, c := range []struct {
		runs []string
		want Traffic
	}{
		{[]string{pending}, Traffic{Ran: 1, Ask: 1}},
		{[]string{parked}, Traffic{Ran: 1, Ask: 1}},
		{[]string{approved}, Traffic{Ran: 1, Ask: 1}},
		{[]string{parked, parked, approved}, Traffic{Ran: 3, Ask: 1}},
		{[]string{approved, another}, Traffic{Ran: 2, Ask: 2}},
		{[]string{parked, rejected}, Traffic{Ran: 2, Ask: 1, Deny: 1}},
		{[]string{`{"decision":"allow","id":"pay"}`}, Traffic{Ran: 1}},
	} {
		var got traffic
		for _, run := range c.runs {
			e, err := index.Event(1, []byte(`{"hooks":[`+run+`]}`))
			if err != nil {
				t.Fatal(err)
			}
			got.add(&e, &e.Runs[0])
		}
		if got.Ran != c.want.Ran || got.Ask != c.want.Ask || got.Deny != c.want.Deny {
			t.Errorf("%v: %+v", c.runs, got.Traffic)
		}
	}
}
