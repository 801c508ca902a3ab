package storesuite

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/store"
)

func notes(t *testing.T, p *Place) {
	st := p.Open(t)
	put(t, st, sample("a1", "d"), note("n2"), note("n1"))
	if _, err := st.Change(t.Context(), "a1", to(store.Approved)); err != nil {
		t.Fatal(err)
	}
	if got := noteIDs(t, st); !slices.Equal(got, []string{"n2", "n1", "a1 approved"}) {
		t.Errorf("not oldest first: %v", got)
	}
	if some, err := st.Notes(t.Context(), 2); err != nil || len(some) != 2 {
		t.Errorf("two notes: %v %v", some, err)
	}
	if err := st.Recorded(t.Context(), "n2", "unknown", "a1 approved"); err != nil {
		t.Fatal(err)
	}
	if got := noteIDs(t, st); !slices.Equal(got, []string{"n1"}) {
		t.Errorf("left are %v", got)
	}
	if err := st.Recorded(t.Context(), "n2"); err != nil {
		t.Errorf("once more: %v", err)
	}
}

// A note that is not on record is there for the next process.
func notesOnce(t *testing.T, p *Place) {
	first := p.Open(t)
	put(t, first, sample("a1", "d"), note("n1"))
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := p.Open(t)
	if got := noteIDs(t, second); !slices.Equal(got, []string{"n1"}) {
		t.Errorf("after a restart: %v", got)
	}
}

// Of several who want notes, one gets each.
func notesHeld(t *testing.T, p *Place) {
	stores := []store.Store{p.Open(t), p.Open(t)}
	put(t, stores[0], sample("a1", "d"), note("n1"), note("n2"), note("n3"))
	var wg sync.WaitGroup
	got := make([][]store.Note, 10)
	until := store.At(time.Unix(1_700_000_000, 0))
	for i := range got {
		wg.Go(func() {
			taken := 0
			list, err := stores[i%2].Hold(t.Context(), func(n *store.Note) bool {
				if taken == 2 || !n.Held.IsZero() {
					return false
				}
				n.Held = until
				taken++
				return true
			})
			if err != nil {
				t.Error(err)
			}
			got[i] = list
		})
	}
	wg.Wait()
	var ids []string
	for _, n := range slices.Concat(got...) {
		if ids = append(ids, n.ID); n.Held != until {
			t.Errorf("%+v", n)
		}
	}
	if slices.Sort(ids); !slices.Equal(ids, []string{"n1", "n2", "n3"}) {
		t.Errorf("taken were %v", ids)
	}
	if list, err := stores[1].Notes(t.Context(), 10); err != nil || len(list) != 3 || list[0].Held != until {
		t.Errorf("%+v %v", list, err)
	}
}

func grants(t *testing.T, p *Place) {
	st := p.Open(t)
	for i := range 2 {
		if err := st.PutGrant(t.Context(), &store.Grant{ID: numbered("g", i), Scope: "once", Most: 1}, note(numbered("n", i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.PutGrant(t.Context(), &store.Grant{ID: "g000"}, note("x")); err == nil {
		t.Error("a second grant with the same id")
	}
	g, err := st.ChangeGrant(t.Context(), "g000", func(g *store.Grant) ([]store.Note, error) {
		g.Uses++
		return []store.Note{note("used")}, nil
	})
	if err != nil || g.Uses != 1 || g.Most != 1 {
		t.Errorf("%+v %v", g, err)
	}
	mine := errors.New("mine")
	g, err = st.ChangeGrant(t.Context(), "g000", func(g *store.Grant) ([]store.Note, error) { g.Uses = 9; return nil, mine })
	if g != nil || !errors.Is(err, mine) {
		t.Errorf("%v %v", g, err)
	}
	_, err = st.ChangeGrant(t.Context(), "none", func(*store.Grant) ([]store.Note, error) { return nil, nil })
	if !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	list, err := st.Grants(t.Context())
	if err != nil || len(list) != 2 || list[0].ID != "g001" || list[1].Uses != 1 {
		t.Errorf("%+v %v", list, err)
	}
	if got := noteIDs(t, st); !slices.Equal(got, []string{"n000", "n001", "used"}) {
		t.Errorf("notes %v", got)
	}
}

// A grant that is good for one use is used by one.
func grantRace(t *testing.T, p *Place) {
	stores := []store.Store{p.Open(t), p.Open(t)}
	if err := stores[0].PutGrant(t.Context(), &store.Grant{ID: "g", Most: 1}); err != nil {
		t.Fatal(err)
	}
	over := errors.New("used up")
	var wg sync.WaitGroup
	won := make([]bool, 20)
	for i := range won {
		wg.Go(func() {
			_, err := stores[i%2].ChangeGrant(t.Context(), "g", func(g *store.Grant) ([]store.Note, error) {
				if g.Uses >= g.Most {
					return nil, over
				}
				g.Uses++
				return nil, nil
			})
			if won[i] = err == nil; err != nil && !errors.Is(err, over) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := len(slices.DeleteFunc(won, func(b bool) bool { return !b })); n != 1 {
		t.Errorf("%d used it", n)
	}
}
