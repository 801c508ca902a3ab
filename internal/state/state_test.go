package state

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
)

// Both states do the same: what is set is kept, what is set to nil is gone,
// what fails or is only looked at changes nothing.
func TestStates(t *testing.T) {
	b := &trammel.Bucket{Name: "b", Keep: time.Hour}
	keys := []trammel.Key{{"one"}, {"two", ""}}
	for name, s := range map[string]trammel.State{"files": Files{Dir: t.TempDir()}, "memory": NewMemory()} {
		shows := func(want ...string) {
			t.Helper()
			err := s.View(t.Context(), b, keys, func(values [][]byte) error {
				for i := range values {
					if string(values[i]) != want[i] || (values[i] == nil) != (want[i] == "") {
						t.Errorf("%s: %q, want %q", name, values, want)
					}
				}
				values[0], values[1] = []byte("seen"), nil
				return nil
			})
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		set := func(fail error, next ...[]byte) {
			t.Helper()
			if err := s.Update(t.Context(), b, keys, func(values [][]byte) error { copy(values, next); return fail }); !errors.Is(err, fail) {
				t.Errorf("%s: %v", name, err)
			}
		}
		shows("", "")
		set(nil, []byte("1"), []byte("2"))
		shows("1", "2")
		set(errors.New("no"), []byte("x"), nil)
		shows("1", "2")
		set(nil, []byte("1"), nil)
		shows("1", "")
		if s.View(t.Context(), &trammel.Bucket{Name: "other", Keep: time.Hour}, keys[:1], func(v [][]byte) error {
			if v[0] != nil {
				t.Errorf("%s: another bucket shows %q", name, v)
			}
			return nil
		}) != nil {
			t.Errorf("%s: it cannot be looked at", name)
		}
	}
}

func TestUpdatesDoNotMix(t *testing.T) {
	b := &trammel.Bucket{Name: "b", Keep: time.Hour, Most: 3}
	for name, s := range map[string]trammel.State{"files": Files{Dir: t.TempDir()}, "memory": NewMemory()} {
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				for range 20 {
					err := s.Update(t.Context(), b, []trammel.Key{{"k"}}, func(v [][]byte) error { v[0] = append(bytes.Clone(v[0]), 'x'); return nil })
					if err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
			})
		}
		group.Wait()
		got, err := Store{State: s, Bucket: b}.Get(t.Context(), trammel.Key{"k"})
		if err != nil || len(got) != 160 {
			t.Errorf("%s: %d, %v", name, len(got), err)
		}
	}
}

// A bucket does not grow without bound, its newest values stay, and no other
// bucket is touched by it (code.md, ambient state: stops and what was told swept each other's files).
func TestBucketsSweepOnlyTheirOwn(t *testing.T) {
	dir := t.TempDir()
	for name, s := range map[string]trammel.State{"files": Files{Dir: dir}, "memory": NewMemory()} {
		bounded, other := &trammel.Bucket{Name: "a", Keep: time.Hour, Most: 100}, &trammel.Bucket{Name: "a/inner", Keep: time.Hour}
		put := func(b *trammel.Bucket, key string) {
			if err := (Store{State: s, Bucket: b}).Update(t.Context(), trammel.Key{key}, func([]byte) ([]byte, error) {
				return []byte(key),
					nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		put(other, "stays")
		for i := range 2000 {
			put(bounded, fmt.Sprint(i))
		}
		there := func(b *trammel.Bucket, key string) bool {
			v, err := Store{State: s, Bucket: b}.Get(t.Context(), trammel.Key{key})
			return err == nil && v != nil
		}
		left := 0
		for i := range 2000 {
			if there(bounded, fmt.Sprint(i)) {
				left++
			}
		}
		if left < 100 || left > 1024 || !there(bounded, "1999") || !there(other, "stays") {
			t.Errorf("%s: %d are left; newest %v, other bucket %v", name, left, there(bounded, "1999"), there(other, "stays"))
		}
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "a", "??", "*.next")); len(files) > 0 {
		t.Errorf("unfinished: %q", files)
	}
}

// An update must not reset limits: this is a file that the version
// before this package wrote.
func TestOldCountersAreRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "counters", "98", "79b19b735af28adf123205e55f923b")
	os.MkdirAll(filepath.Dir(path), 0o700)
	old := "trammel-state-1 fac9a6f59cbdb9f8 43\n1794765509467132203 2605319879279 502755 2 "
	os.WriteFile(path, []byte(old+strings.Repeat("\n", minSize-len(old))), 0o600)
	c := CountersOf(Files{Dir: dir}, &trammel.Event{})
	if n, err := c.Add(t.Context(), "rate-limit", "3"); err != nil || n != 3 {
		t.Errorf("counted on to %d, %v; want 3", n, err)
	}
}

// Names of files do not change with versions: what is kept would be lost.
func TestNamesStay(t *testing.T) {
	if got, want := Digest("a", "", strings.Repeat("b", 300)), sumOf("1:a0:300:"+strings.Repeat("b", 300)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func sumOf(s string) string { sum := sha256.Sum256([]byte(s)); return hex.EncodeToString(sum[:16]) }

// Counts that machines share are kept where all of them look, or nowhere: a
// program that cannot reach that place says so, and does not count by itself.
func TestChoose(t *testing.T) {
	own, all := NewMemory(), NewMemory()
	for name, c := range map[string]struct {
		spec   trammel.Spec
		shared bool
		want   trammel.State // nil is a refusal
	}{
		"its own":           {trammel.Spec{State: own, Shared: all}, false, own},
		"shared":            {trammel.Spec{State: own, Shared: all}, true, all},
		"shared, no place":  {trammel.Spec{State: own}, true, nil},
		"its own, no place": {trammel.Spec{State: own}, false, own},
	} {
		got, err := Choose(c.spec, c.shared)
		if got != c.want || (err != nil) != (c.want == nil) || err != nil && !errors.Is(err, trammel.ErrUnknownKind) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// Who looks while others write, in place or a larger file, sees a whole value.
func TestLookingWhileOthersWrite(t *testing.T) {
	s := Files{Dir: t.TempDir()}
	b := &trammel.Bucket{Name: "b", Keep: time.Hour}
	key := []trammel.Key{{"k"}}
	var all sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		all.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				err := s.View(t.Context(), b, key, func(v [][]byte) error {
					if len(v[0]) > 0 && len(bytes.Trim(v[0], string(v[0][:1]))) > 0 {
						t.Errorf("torn: %q", v[0])
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range 300 {
		value := bytes.Repeat([]byte{byte('a' + i%26)}, 1+i*37%5000)
		if err := s.Update(t.Context(), b, key, func(v [][]byte) error { v[0] = value; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	close(done)
	all.Wait()
}
