package console_test

import (
	"bufio"
	"context"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
	"github.com/trammel-dev/trammel/store/sqlstore"
)

// UI-30: the stream rings when something changes, ends with the page, leaves
// nothing behind, and a person has at most eight.
func TestStream(t *testing.T) {
	s := newSite(t)
	al := s.as(t, "al", auth.Approver)
	before := runtime.NumGoroutine()
	rings := func() (next func() string, end func(), status int) {
		r, _ := http.NewRequest(http.MethodGet, s.URL+"/stream", nil)
		res, err := al.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(res.Body)
		return func() string {
			for lines.Scan() {
				if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
					return text
				}
			}
			return ""
		}, func() { res.Body.Close() }, res.StatusCode
	}
	enters := func() (next func() string, end func()) { // once it is seen that those before have left
		for until := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
			next, end, status := rings()
			if status == 200 {
				return next, end
			}
			if end(); status != http.StatusTooManyRequests || time.Now().After(until) {
				t.Fatal(status)
			}
		}
	}
	for range 8 { // each is the first, and the last
		next, end := enters()
		next()
		end()
		time.Sleep(20 * time.Millisecond)
	}
	next, end := enters()
	if got := next(); !strings.Contains(got, `"pending":0`) {
		t.Error(got)
	}
	s.ask(t, call{tool: "pay", input: map[string]any{"amount": int64(60000)}})
	got := next()
	for !strings.Contains(got, `"pending":1`) && got != "" {
		got = next()
	}
	if !strings.Contains(got, "Approval waits: pay, project api") || strings.Contains(got, "60000") {
		t.Error(got)
	}
	var ends []func()
	for range 7 {
		_, more := enters()
		ends = append(ends, more)
	}
	_, more, status := rings()
	if more(); status != http.StatusTooManyRequests {
		t.Error(status)
	}
	for _, stop := range append(ends, end) {
		stop()
	}
	al.CloseIdleConnections()
	for until := time.Now().Add(time.Minute); runtime.NumGoroutine() > before+4; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("%d goroutines are left of %d", runtime.NumGoroutine(), before)
		}
	}
}

// counting counts how often the list of requests is read.
type counting struct {
	*sqlstore.Store
	lists atomic.Int64
}

func (c *counting) Approvals(ctx context.Context, q store.Query) ([]*store.Approval, error) {
	c.lists.Add(1)
	return c.Store.Approvals(ctx, q)
}

// UI-30, UI-31: what waits is read once for all streams, not once for each; and
// a page that connects later gets what happened meanwhile.
func TestStreamsShare(t *testing.T) {
	s := newSite(t)
	c := &counting{Store: s.approvals.Store.(*sqlstore.Store)}
	s.approvals.Store = c
	var all []func() string
	hear := func(v *visitor) func() string {
		r, _ := http.NewRequest(http.MethodGet, s.URL+"/stream", nil)
		res, err := v.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { res.Body.Close() })
		lines := bufio.NewScanner(res.Body)
		return func() string {
			for lines.Scan() && !strings.HasPrefix(lines.Text(), "data: ") {
			}
			return lines.Text()
		}
	}
	s.ask(t, call{tool: "early"})
	for _, name := range []string{"al", "bo", "cy"} {
		v := s.as(t, name, auth.Approver)
		for range 8 {
			all = append(all, hear(v))
		}
	}
	for _, next := range all {
		if got := next(); !strings.Contains(got, `"pending":1`) {
			t.Error(got)
		}
	}
	time.Sleep(500 * time.Millisecond)
	before := c.lists.Load()
	s.ask(t, call{tool: "late"})
	for _, next := range all {
		for got := ""; !strings.Contains(got, `"pending":2`); {
			if got = next(); got == "" {
				t.Fatal("the stream ended")
			}
		}
	}
	if n := c.lists.Load() - before; n > 8 {
		t.Errorf("the list was read %d times for %d streams", n, len(all))
	}
}
