package storesuite

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/store"
)

func create(t *testing.T, p *Place) {
	st := p.Open(t)
	a := sample("a1", "d")
	a.Created, a.Window = store.At(time.Now()), time.Minute
	if put(t, st, a, note("n1")); a.Seq == 0 {
		t.Error("Seq is not set")
	}
	got, err := st.Approval(t.Context(), "a1")
	if err != nil || !reflect.DeepEqual(got, a) {
		t.Errorf("%v: got %+v, want %+v", err, got, a)
	}
	again, err := st.Create(t.Context(), sample("a2", "d"), note("n2"))
	if !errors.Is(err, store.ErrExists) || again == nil || again.ID != "a1" {
		t.Errorf("a second open one: %v %v", again, err)
	}
	if _, err := st.Approval(t.Context(), "a2"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the second was stored: %v", err)
	}
	if got := noteIDs(t, st); !slices.Equal(got, []string{"n1"}) {
		t.Errorf("notes are %v", got)
	}
	for i, s := range []store.State{store.Approved, store.Consumed} {
		if _, err := st.Change(t.Context(), "a1", to(s)); err != nil {
			t.Fatal(err)
		}
		_, err := st.Create(t.Context(), sample("a3", "d"))
		if open := errors.Is(err, store.ErrExists); open != (i == 0) {
			t.Errorf("%s: creating another: %v", s, err)
		}
	}
}

// to changes the state and stores a note about it.
func to(s store.State) func(*store.Approval) ([]store.Note, error) {
	return func(a *store.Approval) ([]store.Note, error) {
		a.State = s
		return []store.Note{note(a.ID + " " + string(s))}, nil
	}
}

// Of many who create the same, one does, and the others join it.
func createRace(t *testing.T, p *Place) {
	stores := []store.Store{p.Open(t), p.Open(t)}
	var wg sync.WaitGroup
	ids := make([]string, 20)
	created := make([]bool, len(ids))
	for i := range ids {
		wg.Go(func() {
			got, err := stores[i%2].Create(t.Context(), sample(numbered("a", i), "d"), note(numbered("n", i)))
			if err != nil && !errors.Is(err, store.ErrExists) {
				t.Error(err)
				return
			}
			ids[i], created[i] = got.ID, err == nil
		})
	}
	wg.Wait()
	slices.Sort(ids)
	if len(slices.Compact(ids)) != 1 || len(slices.DeleteFunc(created, func(b bool) bool { return !b })) != 1 {
		t.Errorf("ids %v, created %v", ids, created)
	}
	if got := noteIDs(t, stores[0]); len(got) != 1 {
		t.Errorf("notes of those that were not created: %v", got)
	}
}

func list(t *testing.T, p *Place) {
	st := p.Open(t)
	for i, edit := range []func(*store.Approval){
		func(a *store.Approval) {},
		func(a *store.Approval) { a.Project = "/q" },
		func(a *store.Approval) { a.Asks = append(a.Asks, store.Ask{Session: "other"}) },
		func(a *store.Approval) { a.State = store.Rejected },
		func(a *store.Approval) { a.CallKey = "shared" },
	} {
		a := sample(numbered("a", i), numbered("d", i))
		edit(a)
		put(t, st, a)
	}
	if _, err := st.Change(t.Context(), "a000", func(a *store.Approval) ([]store.Note, error) {
		a.Asks = append(a.Asks, store.Ask{Session: "late"})
		return nil, nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		q    store.Query
		want []string
	}{
		{store.Query{}, []string{"a004", "a003", "a002", "a001", "a000"}},
		{store.Query{States: []store.State{store.Rejected}}, []string{"a003"}},
		{store.Query{States: []store.State{store.Rejected, store.Pending}, Project: "/q"}, []string{"a001"}},
		{store.Query{Session: "other"}, []string{"a002"}},
		{store.Query{Session: "late"}, []string{"a000"}},
		{store.Query{Session: "nobody"}, nil},
		{store.Query{Digest: "d004"}, []string{"a004"}},
		{store.Query{CallKey: "shared"}, []string{"a004"}},
		{store.Query{Most: 2}, []string{"a004", "a003"}},
	} {
		if got := find(t, st, c.q); !slices.Equal(got, c.want) {
			t.Errorf("%+v: got %v, want %v", c.q, got, c.want)
		}
	}
}

func find(t testing.TB, st store.Store, q store.Query) (ids []string) {
	t.Helper()
	list, err := st.Approvals(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		ids = append(ids, a.ID)
	}
	return ids
}

func pages(t *testing.T, p *Place) {
	st := p.Open(t)
	for i := range 7 {
		put(t, st, sample(numbered("a", i), numbered("d", i)))
	}
	var all []string
	for before := int64(0); ; {
		page, err := st.Approvals(t.Context(), store.Query{Before: before, Most: 3})
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, a := range page {
			all, before = append(all, a.ID), a.Seq
		}
	}
	if len(all) != 7 || all[0] != "a006" || all[6] != "a000" {
		t.Errorf("pages: %v", all)
	}
}

// What a change cannot store completely, it does not store at all.
func changeAtomic(t *testing.T, p *Place) {
	st := p.Open(t)
	put(t, st, sample("a1", "d"), note("taken"))
	for name, notes := range map[string][]store.Note{
		"a note with an id that is there":      {note("new"), note("taken")},
		"a note that cannot be written down":   {note("new"), {ID: "bad", Data: []byte("{")}},
		"the same id twice in the same change": {note("new"), note("new")},
	} {
		_, err := st.Change(t.Context(), "a1", func(a *store.Approval) ([]store.Note, error) {
			a.State = store.Approved
			return notes, nil
		})
		got, _ := st.Approval(t.Context(), "a1")
		if err == nil || got.State != store.Pending || !slices.Equal(noteIDs(t, st), []string{"taken"}) {
			t.Errorf("%s: %v, state %s, notes %v", name, err, got.State, noteIDs(t, st))
		}
	}
}

// Nobody changes an approval between another's look and write.
func changeRace(t *testing.T, p *Place) {
	stores := []store.Store{p.Open(t), p.Open(t)}
	put(t, stores[0], sample("a1", "d"))
	const n = 40
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			_, err := stores[i%2].Change(t.Context(), "a1", func(a *store.Approval) ([]store.Note, error) {
				a.Reminded++
				return []store.Note{note(numbered("n", i))}, nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if a, err := stores[0].Approval(t.Context(), "a1"); err != nil || a.Reminded != n || len(noteIDs(t, stores[1])) != n {
		t.Errorf("%v: %d changes of %d, %d notes", err, a.Reminded, n, len(noteIDs(t, stores[1])))
	}
}

func changeFails(t *testing.T, p *Place) {
	st := p.Open(t)
	put(t, st, sample("a1", "d"))
	mine := errors.New("mine")
	a, err := st.Change(t.Context(), "a1", func(a *store.Approval) ([]store.Note, error) {
		a.State = store.Approved
		return []store.Note{note("n")}, mine
	})
	if a != nil || !errors.Is(err, mine) {
		t.Errorf("%v %v", a, err)
	}
	if got, _ := st.Approval(t.Context(), "a1"); got.State != store.Pending || len(noteIDs(t, st)) > 0 {
		t.Errorf("a change that failed was stored: %s %v", got.State, noteIDs(t, st))
	}
	if _, err := st.Change(t.Context(), "none", to(store.Approved)); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("no such approval: %v", err)
	}
	if _, err := st.Approval(t.Context(), "none"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("no such approval: %v", err)
	}
}
