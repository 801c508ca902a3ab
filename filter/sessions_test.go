package filter_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/filter"
	"github.com/trammel-dev/trammel/store"
)

// UI-15, UI-31: the sessions that were active last are listed with all their
// events, also those from long before, whether there are few large sessions or
// many small ones.
func TestSessionsActiveLast(t *testing.T) {
	for name, st := range stores(t) {
		var list []store.Event
		add := func(session, decision string, ago time.Duration) {
			list = append(list, store.Event{Machine: "m", Log: "l", Seq: uint64(len(list) + 1), ID: fmt.Sprintf("e%d", len(list)),
				Host: "codex", Event: "pre_tool_use", Session: session, Project: "/p/" + session[:1], Tool: "Bash", Decision: decision,
				Time: store.At(now.Add(-ago))})
		}
		add("small0", "deny", 90*24*time.Hour) // the beginning of a session that goes on
		add("old", "none", 60*24*time.Hour)
		for i := range 12000 {
			add("large", "none", 30*24*time.Hour-time.Duration(i)*time.Second)
		}
		for i := range 400 {
			add(fmt.Sprintf("small%d", i), []string{"none", "ask"}[i%2], time.Duration(i)*time.Minute)
		}
		if err := st.Index(t.Context(), list...); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			query      string
			most, want int
			first      string
		}{
			{"", 2, 2, "small0 2 events, 1 denied, 0 asked"}, {"", 1000, 402, "small0 2 events, 1 denied, 0 asked"},
			{"decision:ask", 50, 50, "small1 1 events, 0 denied, 1 asked"}, {"decision:deny", 50, 1, "small0 1 events, 1 denied, 0 asked"},
			{"session:large", 10, 1, "large 12000 events, 0 denied, 0 asked"}, {"project:/p/l*", 10, 1, "large 12000 events, 0 denied, 0 asked"},
			{"-project:**/l", 3, 3, "small0 2 events, 1 denied, 0 asked"}, {"tool:~^R", 3, 0, ""},
			{"until:2026-10-20", 9, 3, "large 12000 events, 0 denied, 0 asked"},
		} {
			q, err := filter.Parse(c.query, filter.Events, now)
			if err != nil {
				t.Fatal(err)
			}
			got, err := st.Sessions(t.Context(), q, c.most)
			first := ""
			if len(got) > 0 {
				first = fmt.Sprintf("%s %d events, %d denied, %d asked", got[0].ID, got[0].Events, got[0].Denied, got[0].Asked)
			}
			if err != nil || len(got) != c.want || first != c.first {
				t.Errorf("%s, %q, at most %d: %d sessions, the first is %s, %v", name, c.query, c.most, len(got), first, err)
			}
		}
	}
}
