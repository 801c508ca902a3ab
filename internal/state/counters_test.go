package state

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
)

// in counts in a folder.
func in(dir string) Counters {
	return Counters{Store: Store{State: Files{Dir: dir}, Bucket: &counters}}
}

func slotOf(c Counters, key trammel.Key) slot { return c.State.(Files).slot(c.Bucket, key) }

// step is a claim at a time of both clocks, in seconds, and what comes of it.
type step struct {
	wall, mono float64
	n          int64
	room       bool
	used       int64
	opens      float64
}

// A window of 10 s with room for 2, whatever the clocks do.
func TestWindow(t *testing.T) {
	for name, steps := range map[string][]step{
		"it slides": {
			{0, 0, 1, true, 1, 0}, {4, 4, 1, true, 2, 0}, {9, 9, 1, false, 2, 1},
			{10, 10, 1, true, 2, 0}, {10, 10, 1, false, 2, 4}, {14, 14, 1, true, 2, 0},
		},
		"a denied call takes no place": {
			{0, 0, 1, true, 1, 0}, {1, 1, 1, true, 2, 0}, {9, 9, 1, false, 2, 1}, {9.5, 9.5, 1, false, 2, .5}, {10, 10, 1, true, 2, 0},
		},
		"looking takes no place": {
			{0, 0, 0, true, 0, 0}, {0, 0, 0, true, 0, 0}, {0, 0, 1, true, 1, 0}, {0, 0, 1, true, 2, 0}, {1, 1, 0, false, 2, 9},
		},
		"the time of day set forth opens nothing": {
			{0, 0, 1, true, 1, 0}, {0, 0, 1, true, 2, 0}, {1e6, 1, 1, false, 2, 9}, {1e6 + 8, 9, 1, false, 2, 1}, {1e6 + 9, 10, 1, true, 1, 0},
		},
		"the time of day set back keeps nothing shut": {
			{1e6, 0, 1, true, 1, 0}, {1e6, 0, 1, true, 2, 0}, {0, 1, 1, false, 2, 9}, {8, 9, 1, false, 2, 1}, {9, 10, 1, true, 1, 0},
		},
		"a restart goes by the time of day": {
			{0, 1e6, 1, true, 1, 0}, {0, 1e6, 1, true, 2, 0}, {6, 1, 1, false, 2, 4}, {10, 5, 1, true, 1, 0},
		},
		"another machine that shares the folder goes by the time of day": {
			{0, 5, 1, true, 1, 0}, {0, 5, 1, true, 2, 0}, {6, 1e6, 1, false, 2, 4}, {10, 1e6 + 4, 1, true, 1, 0},
		},
		"both set back: it opens after a whole window at the latest": {
			{1e6, 1e6, 1, true, 1, 0}, {1e6, 1e6, 1, true, 2, 0}, {0, 0, 1, false, 2, 10}, {9, 9, 1, false, 2, 1}, {10, 10, 1, true, 1, 0},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for i, s := range steps {
				f := in(dir)
				f.clocks = func() (int64, int64) { return int64(s.wall * 1e9), int64(s.mono * 1e9) }
				counts, err := f.Take(t.Context(), Claim{Key: []string{"k"}, N: s.n, Limit: 2, Window: 10 * time.Second})
				if err != nil {
					t.Fatal(err)
				}
				c := counts[0]
				if opens := c.Opens.Seconds(); c.Room != s.room || c.Used != s.used || opens < s.opens-.001 || opens > s.opens+.001 {
					t.Errorf("step %d: %+v, want %+v", i+1, c, s)
				}
			}
		})
	}
}

// Whatever the limit and however calls arrive, no window holds more than the
// limit, and none stays shut for more than a 256th longer than it must. All of
// them can be changed in place.
func TestNoWindowHoldsMore(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, limit := range []int{1, 3, 100, maxPlaces, maxPlaces + 1, 3000} {
		const span = time.Hour
		w := &window{}
		c := Claim{N: 1, Limit: int64(limit), Window: span}
		var now int64
		var passed []int64
		for range 5 * limit {
			now += random.Int64N(2 * int64(span) / int64(3*limit))
			w.advance(now, now)
			w.drop(span)
			n := len(passed)
			full := n >= limit && now-passed[n-limit] < int64(span)
			late := n >= limit && now-passed[n-limit] < int64(span)+int64(span/maxPlaces)
			switch got := w.count(&c); {
			case got.Room && full:
				t.Fatalf("limit %d: one more passed after %v", limit, time.Duration(now-passed[n-limit]))
			case !got.Room && !late:
				t.Fatalf("limit %d: it is shut after %v", limit, time.Duration(now-passed[n-limit]))
			case got.Room:
				w.add(&c)
				passed = append(passed, now)
			}
		}
		if len(passed) < 2*limit {
			t.Errorf("limit %d: only %d passed", limit, len(passed))
		}
		if size := sizeOf(len(w.append(nil))); size > maxInPlace {
			t.Errorf("limit %d: the file has %d bytes", limit, size)
		}
	}
}

func TestKeysDoNotMix(t *testing.T) {
	dir := t.TempDir()
	for _, key := range [][]string{{"a", "b"}, {"ab"}, {"a", "b", ""}, {""}, {}, {"../../x"}, {"a\x00b"}, {strings.Repeat("x", 1<<20)}} {
		if n, err := in(dir).Add(t.Context(), key...); err != nil || n != 1 {
			t.Errorf("%.20q: %d, %v", key, n, err)
		}
	}
}

func TestAgeAndTotals(t *testing.T) {
	now := int64(time.Hour)
	f := in(t.TempDir())
	f.clocks = func() (int64, int64) { return now, now }
	take := func(n, limit int64) Count {
		t.Helper()
		counts, err := f.Take(t.Context(), Claim{Key: []string{"k"}, N: n, Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		return counts[0]
	}
	if c := take(7, 10); !c.Room || c.Used != 7 || c.Age != 0 {
		t.Errorf("%+v", c)
	}
	now += int64(time.Minute)
	if c := take(4, 10); c.Room || c.Used != 7 || c.Age != time.Minute {
		t.Errorf("%+v", c)
	}
	if c := take(4, 0); !c.Room || c.Used != 11 {
		t.Errorf("without a limit: %+v", c)
	}
}

func TestADamagedCountIsAnError(t *testing.T) {
	for name, damage := range map[string]func(sound string) string{
		"empty":            func(string) string { return "" },
		"cut":              func(s string) string { return s[:len(s)/2] },
		"without its end":  func(s string) string { return strings.TrimSuffix(s, "\n") },
		"changed":          func(s string) string { return strings.Replace(s, " 2 ", " 1 ", 1) },
		"foreign":          func(string) string { return "7\n" },
		"too large":        func(s string) string { return strings.Repeat(s, maxFile/len(s)+1) },
		"zeros":            func(s string) string { return strings.Repeat("\x00", len(s)) },
		"a sound one more": func(s string) string { return s + s },
	} {
		t.Run(name, func(t *testing.T) {
			f := in(t.TempDir())
			for range 2 {
				if _, err := f.Add(t.Context(), "k"); err != nil {
					t.Fatal(err)
				}
			}
			path := slotOf(f, []string{"k"}).path()
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(damage(string(data))), 0o600); err != nil {
				t.Fatal(err)
			}
			n, err := f.Add(t.Context(), "k")
			if !errors.Is(err, errDamaged) || !strings.Contains(err.Error(), path) {
				t.Errorf("counted on to %d, %v", n, err)
			}
		})
	}
}

func TestOldCountsAreSwept(t *testing.T) {
	f := in(t.TempDir())
	long := func() (int64, int64) { return 0, 1 << 62 } // long ago, before a restart
	for _, key := range []string{"old", "young", "set forth"} {
		g := f
		if key == "old" {
			g.clocks = long
		}
		if _, err := g.Take(t.Context(), Claim{Key: []string{key}, N: 1}); err != nil {
			t.Fatal(err)
		}
	}
	past := time.Now().Add(-Retention - time.Hour)
	// All in one folder, as the sweep sees one folder at a time.
	home := slotOf(f, []string{"young"})
	for _, key := range []string{"old", "set forth"} {
		from := slotOf(f, []string{key})
		to := slot{home.folder, from.name}
		if err := os.Rename(from.path(), to.path()); err != nil {
			t.Fatal(err)
		}
		os.Chtimes(to.path(), past, past)
	}
	os.WriteFile(filepath.Join(home.folder, "x.next"), []byte("torn"), 0o600)
	os.Chtimes(filepath.Join(home.folder, "x.next"), past, past)
	os.Chtimes(home.lock(), past, past)
	if _, err := f.Add(t.Context(), "young"); err != nil {
		t.Fatal(err)
	}
	var left []string
	entries, _ := os.ReadDir(home.folder)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	for name, want := range map[string]bool{home.name: true, "lock": true, "x.next": false,
		slotOf(f, []string{"old"}).name: false, slotOf(f, []string{"set forth"}).name: true} {
		if got := strings.Contains(strings.Join(left, " "), name); got != want {
			t.Errorf("%s is there: %v, want %v", name, got, want)
		}
	}
}

func TestUpdate(t *testing.T) {
	f := in(t.TempDir())
	put := func(want, data string) {
		t.Helper()
		err := f.Update(t.Context(), trammel.Key{"k"}, func(old []byte) ([]byte, error) {
			if string(old) != want {
				t.Errorf("kept was %q, want %q", old, want)
			}
			if data == "" {
				return nil, nil
			}
			return []byte(data), nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	put("", "a")
	put("a", "")
	put("a", "b")
	if err := f.Update(t.Context(), trammel.Key{"k"}, func([]byte) ([]byte, error) { return []byte("c"), errDamaged }); !errors.Is(err,
		errDamaged) {
		t.Error(err)
	}
	put("b", "")
}

// Most changes are made in place, so that they need no room on the disk; what
// outgrows its file gets a larger one, and a small one again later.
func TestFilesAreChangedInPlace(t *testing.T) {
	f := in(t.TempDir())
	path := slotOf(f, []string{"k"}).path()
	var before os.FileInfo
	for i, c := range []struct{ body, size int }{{1, 128}, {70, 128}, {2, 128}, {100, 256}, {1, 256}, {3000, 4096}, {1, 4096}, {5000, 8192},
		{5000, 8192}, {9000, 16384}, {1, 128}} {
		body := strings.Repeat("x", c.body)
		err := f.Update(t.Context(), trammel.Key{"k"}, func([]byte) ([]byte, error) { return []byte(body), nil })
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Size() != int64(c.size) {
			t.Fatalf("step %d: %v bytes, %v; want %d", i, info.Size(), err, c.size)
		}
		if before != nil && c.size <= maxInPlace && before.Size() == info.Size() && !os.SameFile(before, info) {
			t.Errorf("step %d: it is another file", i)
		}
		before = info
		err = f.Update(t.Context(), trammel.Key{"k"}, func(got []byte) ([]byte, error) {
			if string(got) != body {
				t.Errorf("step %d: %d bytes are kept", i, len(got))
			}
			return nil, nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// Who only looks or rehearses leaves no trace, whether there is something or
// not, and learns what would be.
func TestRehearsalsLeaveNoTrace(t *testing.T) {
	now := int64(time.Hour)
	dir := filepath.Join(t.TempDir(), "c")
	f := in(dir)
	f.clocks = func() (int64, int64) { return now, now }
	rehearsal := f
	rehearsal.Rehearsal = true
	ask := func(f Counters, n int64) Count {
		t.Helper()
		counts, err := f.Take(t.Context(), Claim{Key: []string{"k"}, N: n, Limit: 2, Window: time.Minute}, Claim{Key: []string{"other"}, N: n})
		if err != nil {
			t.Fatal(err)
		}
		return counts[0]
	}
	rehearse := func(used int64, kept string) {
		t.Helper()
		for range 3 {
			if c := ask(f, 0); c.Used != used || c.Room != (used < 2) {
				t.Errorf("looking: %+v", c)
			}
			if c := ask(rehearsal, 1); c.Used != min(used+1, 2) || c.Room != (used < 2) {
				t.Errorf("rehearsing: %+v", c)
			}
			err := rehearsal.Update(t.Context(), []string{"kept"}, func(old []byte) ([]byte, error) {
				if string(old) != kept {
					t.Errorf("kept is %q, want %q", old, kept)
				}
				return []byte("rehearsed"), nil
			})
			if err != nil {
				t.Error(err)
			}
		}
	}
	rehearse(0, "")
	if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is there: %v", err)
	}
	ask(f, 1)
	if err := f.Update(t.Context(), []string{"kept"}, func([]byte) ([]byte, error) { return []byte("real"), nil }); err != nil {
		t.Fatal(err)
	}
	before := tree(t, dir)
	now -= int64(time.Minute) // that clocks have jumped is noted when something is counted
	rehearse(1, "real")
	if after := tree(t, dir); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
	ask(f, 1)
	rehearse(2, "real")
}

// tree lists the files below a folder with their content.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil {
			data, _ := os.ReadFile(path)
			out.WriteString(path + " " + string(data) + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestALinkIsRefused(t *testing.T) {
	f := in(t.TempDir())
	if _, err := f.Add(t.Context(), "k"); err != nil {
		t.Fatal(err)
	}
	path := slotOf(f, []string{"k"}).path()
	if err := os.Rename(path, path+".aside"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path+".aside", path); err != nil {
		t.Skip(err)
	}
	if n, err := f.Add(t.Context(), "k"); err == nil && runtime.GOOS != "windows" {
		t.Errorf("counted on to %d through a link", n)
	}
}

func FuzzUnwrap(f *testing.F) {
	f.Add([]byte("body"), 0, 0)
	f.Add([]byte("body"), 40, 1)
	f.Add([]byte(""), 127, 255)
	f.Fuzz(func(t *testing.T, data []byte, at, change int) {
		unwrap(data)
		if len(data) > maxInPlace {
			return
		}
		whole := wrap(data, sizeOf(len(data)))
		if got, err := unwrap(whole); err != nil || string(got) != string(data) {
			t.Fatalf("%q became %q, %v", data, got, err)
		}
		if at < 0 || at >= len(whole) || byte(change) == 0 {
			return
		}
		whole[at] ^= byte(change)
		if got, err := unwrap(whole); err == nil {
			t.Fatalf("changed at %d, it became %q", at, got)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add(string((&window{wall: 1, mono: 2, now: 3, total: 4, taken: []place{{1, 1}, {3, 2}}}).append(nil)))
	f.Add("1 2 3 4 5:1 x")
	f.Fuzz(func(t *testing.T, data string) {
		var w, again window
		if w.parse(data) != nil {
			return
		}
		if err := again.parse(string(w.append(nil))); err != nil || string(again.append(nil)) != string(w.append(nil)) {
			t.Fatalf("%q became %+v, %v", data, again, err)
		}
		c := Claim{N: 1, Limit: 5, Window: time.Minute}
		w.advance(7, 7)
		w.drop(c.Window)
		w.count(&c)
		w.add(&c)
	})
}

func BenchmarkTake(b *testing.B) {
	f := in(b.TempDir())
	for b.Loop() {
		if _, err := f.Take(b.Context(), Claim{Key: []string{"k"}, N: 1, Limit: 100, Window: time.Minute}); err != nil {
			b.Fatal(err)
		}
	}
}
