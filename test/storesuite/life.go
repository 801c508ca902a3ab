package storesuite

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/store"
)

// soon is how long a test waits for what should come at once.
const soon = time.Minute

func expect(t *testing.T, ch <-chan struct{}, what string) {
	t.Helper()
	select {
	case <-ch:
	case <-time.After(soon):
		t.Errorf("not told of %s", what)
	}
}

// settle waits until nothing comes for a while.
func settle(ch <-chan struct{}) {
	for {
		select {
		case <-ch:
		case <-time.After(150 * time.Millisecond):
			return
		}
	}
}

func changes(t *testing.T, p *Place) {
	here, there := p.Open(t), p.Open(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ch, err := here.Changes(ctx)
	if err != nil {
		t.Fatal(err)
	}
	settle(ch)
	put(t, there, sample("a1", "d"))
	expect(t, ch, "a new approval from elsewhere")
	settle(ch)
	if _, err := here.Change(t.Context(), "a1", to(store.Approved)); err != nil {
		t.Fatal(err)
	}
	expect(t, ch, "a change from here")
	settle(ch)
	if err := there.PutGrant(t.Context(), &store.Grant{ID: "g"}); err != nil {
		t.Fatal(err)
	}
	expect(t, ch, "a grant")
	stop()
	for i, told := 0, true; told; i++ { // it takes a moment until the end is known
		settle(ch)
		put(t, there, sample(fmt.Sprint("b", i), fmt.Sprint("e", i)))
		select {
		case <-ch:
		case <-time.After(200 * time.Millisecond):
			told = false
		}
		if told && i == 20 {
			t.Fatal("told after the end")
		}
	}
	if _, err := here.Changes(t.Context()); err != nil { // and again, after nobody listened
		t.Error(err)
	}
}

// Two hundred who wait keep nobody from working.
func manyWait(t *testing.T, p *Place) {
	st := p.Open(t)
	var all []<-chan struct{}
	for range 200 {
		ch, err := st.Changes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, ch)
	}
	settle(all[0])
	for _, ch := range all {
		settleNow(ch)
	}
	put(t, st, sample("a1", "d"))
	for _, ch := range all {
		expect(t, ch, "a change, among two hundred")
	}
}

// Who waits for one approval hears of that one, and not of all the others.
func decided(t *testing.T, p *Place) {
	here, there := p.Open(t), p.Open(t)
	put(t, here, sample("a1", "d"))
	put(t, here, sample("a2", "e"))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var all []<-chan struct{}
	for _, id := range []string{"a1", "a1", "a2"} {
		ch, err := here.Decided(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, ch)
	}
	told := func(a *store.Approval) ([]store.Note, error) {
		a.Reminded++
		return nil, nil
	}
	for _, step := range []struct {
		id string
		do func(*store.Approval) ([]store.Note, error)
	}{{"a2", told}, {"a1", to(store.Rejected)}} {
		if _, err := there.Change(t.Context(), step.id, step.do); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, all[0], "the decision")
	expect(t, all[1], "the decision, a second time")
	select {
	case <-all[2]:
		t.Error("told of what is not decided")
	default:
	}
	stop()
	ch, err := here.Decided(t.Context(), "a2") // and again, after nobody waited
	if err != nil {
		t.Fatal(err)
	}
	if _, err := there.Change(t.Context(), "a2", to(store.Approved)); err != nil {
		t.Fatal(err)
	}
	expect(t, ch, "the other decision")
}

func settleNow(ch <-chan struct{}) {
	select {
	case <-ch:
	default:
	}
}

// Text that databases tend to stumble over comes back as it was.
func oddText(t *testing.T, p *Place) {
	st := p.Open(t)
	a := sample("a1", "d")
	a.Summary, a.Project, a.Asks[0].Session = "'; DROP TABLE approvals; -- \u202e \\ $1 ?1", "/p/ü 😀%_", "s'$1"
	a.Args = []byte(`{"zero":"\u0000","quote":"\"'"}`)
	put(t, st, a)
	got, err := st.Approval(t.Context(), "a1")
	if err != nil || got.Summary != a.Summary || got.Project != a.Project || string(got.Args) != string(a.Args) {
		t.Errorf("%v: %+v", err, got)
	}
	if ids := find(t, st, store.Query{Project: a.Project, Session: a.Asks[0].Session}); len(ids) != 1 {
		t.Errorf("found %v", ids)
	}
	key := trammel.Key{"\x00\xff", "'"}
	set(t, st, bucket, []byte("\x00\xff"), key)
	if got := read(t, st, bucket, key); string(got[0]) != "\x00\xff" {
		t.Errorf("got %q", got)
	}
}

func newer(t *testing.T, p *Place) {
	put(t, p.Open(t), sample("a1", "d"))
	p.Newer(t)
	if err := p.Reopen(t.Context()); err == nil || !strings.Contains(err.Error(), "newer version") {
		t.Errorf("the store of a newer version: %v", err)
	}
}

// Processes that start at once all find their tables.
func openAtOnce(t *testing.T, p *Place) {
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			if err := p.Reopen(t.Context()); err != nil {
				t.Errorf("%d: %v", i, err)
			}
		})
	}
	wg.Wait()
}

func closed(t *testing.T, p *Place) {
	st := p.Open(t)
	put(t, st, sample("a1", "d"))
	if _, err := st.Changes(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	errs := refusals(t.Context(), st)
	for what, err := range errs {
		if err == nil {
			t.Errorf("%s: no error from a closed store", what)
		}
	}
}

// ended: a context that has ended is an error, and changes nothing.
func ended(t *testing.T, p *Place) {
	st := p.Open(t)
	put(t, st, sample("a1", "d"))
	ctx, stop := context.WithCancel(t.Context())
	stop()
	errs := refusals(ctx, st)
	delete(errs, "Changes")
	for what, err := range errs {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if a, err := st.Approval(t.Context(), "a1"); err != nil || a.State != store.Pending {
		t.Errorf("%v %v", a, err)
	}
}

// refusals is what each method says.
func refusals(ctx context.Context, st store.Store) map[string]error {
	out := map[string]error{}
	_, out["Create"] = st.Create(ctx, sample("a2", "e"))
	_, out["Approval"] = st.Approval(ctx, "a1")
	_, out["Approvals"] = st.Approvals(ctx, store.Query{})
	_, out["Change"] = st.Change(ctx, "a1", to(store.Approved))
	out["PutGrant"] = st.PutGrant(ctx, &store.Grant{ID: "g"})
	_, out["Grants"] = st.Grants(ctx)
	_, out["ChangeGrant"] = st.ChangeGrant(ctx, "g", func(*store.Grant) ([]store.Note, error) { return nil, nil })
	_, out["Notes"] = st.Notes(ctx, 1)
	out["Recorded"] = st.Recorded(ctx, "n")
	_, out["Changes"] = st.Changes(ctx)
	keys := []trammel.Key{{"k"}}
	out["View"] = st.View(ctx, bucket, keys, func([][]byte) error { return nil })
	out["Update"] = st.Update(ctx, bucket, keys, func([][]byte) error { return nil })
	return out
}

func lasts(t *testing.T, p *Place) {
	st := p.Open(t)
	put(t, st, sample("a1", "d"))
	set(t, st, bucket, []byte("1"), trammel.Key{"k"})
	st.Close()
	st = p.Open(t)
	if a, err := st.Approval(t.Context(), "a1"); err != nil || a.Tool != "pay" || a.Seq == 0 {
		t.Errorf("%+v %v", a, err)
	}
	if got := read(t, st, bucket, trammel.Key{"k"}); string(got[0]) != "1" {
		t.Errorf("got %q", got)
	}
}
