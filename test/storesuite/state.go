package storesuite

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/store"
)

var bucket = &trammel.Bucket{Name: "test/counts", Keep: time.Hour}

func read(t testing.TB, st store.Store, b *trammel.Bucket, keys ...trammel.Key) (out [][]byte) {
	t.Helper()
	if err := st.View(context.Background(), b, keys, func(v [][]byte) error { out = v; return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

func set(t testing.TB, st store.Store, b *trammel.Bucket, value []byte, keys ...trammel.Key) {
	t.Helper()
	err := st.Update(context.Background(), b, keys, func(v [][]byte) error {
		for i := range v {
			v[i] = value
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func state(t *testing.T, p *Place) {
	st := p.Open(t)
	a, b := trammel.Key{"a", "b"}, trammel.Key{"ab"} // not the same key
	set(t, st, bucket, []byte("1"), a)
	if got := read(t, st, bucket, b, a); got[0] != nil || string(got[1]) != "1" {
		t.Errorf("got %q", got)
	}
	set(t, st, bucket, []byte{}, b)
	if got := read(t, st, bucket, b); got[0] == nil || len(got[0]) > 0 {
		t.Errorf("an empty value is a value: %v", got)
	}
	other := *bucket
	other.Name = "test/other"
	if got := read(t, st, &other, a); got[0] != nil {
		t.Errorf("buckets share %q", got)
	}
	mine := errors.New("mine")
	err := st.Update(t.Context(), bucket, []trammel.Key{a, b}, func(v [][]byte) error { v[0] = []byte("2"); return mine })
	if got := read(t, st, bucket, a); !errors.Is(err, mine) || string(got[0]) != "1" {
		t.Errorf("a failed update: %v, %q", err, got)
	}
	err = st.Update(t.Context(), bucket, []trammel.Key{a}, func(v [][]byte) error { v[0][0] = '9'; return nil }) // in its place
	if got := read(t, st, bucket, a); err != nil || string(got[0]) != "9" {
		t.Errorf("changed in its place: %v, %q", err, got)
	}
	set(t, st, bucket, nil, a)
	if got := read(t, st, bucket, a); got[0] != nil {
		t.Errorf("removed, and still %q", got)
	}
	if err := st.View(t.Context(), bucket, []trammel.Key{a}, func([][]byte) error { return mine }); !errors.Is(err, mine) {
		t.Error(err)
	}
}

// Counters that several processes share lose nothing, whatever the order of
// the keys.
func stateRace(t *testing.T, p *Place) {
	stores := []store.Store{p.Open(t), p.Open(t)}
	keys := [][]trammel.Key{{{"x"}, {"y"}}, {{"y"}, {"x"}}}
	const n = 40
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			err := stores[i%2].Update(t.Context(), bucket, keys[i/2%2], func(v [][]byte) error {
				for j := range v {
					was, _ := strconv.Atoi(string(v[j]))
					v[j] = strconv.AppendInt(nil, int64(was+1), 10)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := read(t, stores[0], bucket, keys[0]...); string(got[0]) != strconv.Itoa(n) || string(got[1]) != strconv.Itoa(n) {
		t.Errorf("counted %q, want %d", got, n)
	}
}

// A value that is not changed lasts as long as its bucket says.
func stateKeep(t *testing.T, p *Place) {
	st := p.Open(t)
	set(t, st, bucket, []byte("1"), trammel.Key{"k"})
	short := *bucket
	short.Keep = 30 * time.Millisecond
	time.Sleep(short.Keep)
	if got := read(t, st, &short, trammel.Key{"k"}); got[0] != nil {
		t.Errorf("too old, and still %q", got)
	}
	forever := *bucket
	forever.Keep = 0
	if got := read(t, st, &forever, trammel.Key{"k"}); string(got[0]) != "1" {
		t.Errorf("kept for ever: %q", got)
	}
}

// About Most values stay, and those are the newest.
func stateMost(t *testing.T, p *Place) {
	st := p.Open(t)
	few := *bucket
	few.Most = 5
	var keys []trammel.Key
	for i := range 3000 { // it is cleared now and then
		key := trammel.Key{strconv.Itoa(i)}
		keys = append(keys, key)
		if set(t, st, &few, []byte("v"), key); i%20 < 19 || i < 20 {
			continue
		}
		if got := read(t, st, &few, keys[:10]...); got[0] == nil && got[9] == nil {
			if got := read(t, st, &few, key); got[0] == nil {
				t.Error("the newest is gone")
			}
			return
		}
	}
	t.Error("nothing was ever cleared away")
}
