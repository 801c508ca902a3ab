package server

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/transparency"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/server/collect"
)

// Logs that machines send are stored unchanged and resume where they ended; a log is refused
// once it was rolled back, rebuilt, or signed by somebody else.
func TestCollect(t *testing.T) {
	w := newWorld(t, gate)
	r := w.start(t, Options{Collect: true})
	c := &collect.Client{URL: r.url, Token: r.token(auth.Agent)}
	dir := filepath.Join(t.TempDir(), "log")
	key, err := transparency.OpenKey(filepath.Join(t.TempDir(), "key"), "trammel/x")
	if err != nil {
		t.Fatal(err)
	}
	add := func(n int) {
		for range n {
			if _, err := evidence.Open(dir, evidence.Options{}).Append(t.Context(), []byte(`{"id":"`+strings.Repeat("x", 1000)+`"}`)); err != nil {
				t.Fatal(err)
			}
		}
	}
	send := func(want uint64) {
		t.Helper()
		if state, err := c.Send(t.Context(), dir, "log", key); err != nil || state.Records != want {
			t.Fatalf("%+v, %v", state, err)
		}
	}
	add(3)
	send(3)
	send(3) // nothing new
	add(3000)
	send(3003) // in several stretches
	kept := filepath.Join(w.dirs.State, "collected", "test", "log")
	if report, err := evidence.Verify(kept); err != nil || report.Broken != nil || report.Records != 3003 {
		t.Fatalf("%+v, %v", report, err)
	}
	refused := func(what, log string, k *transparency.Key) {
		t.Helper()
		state, err := c.Send(t.Context(), dir, log, k)
		if err == nil || !strings.Contains(err.Error(), "409") {
			t.Errorf("%s: %+v, %v", what, state, err)
		}
	}
	other, _ := transparency.OpenKey(filepath.Join(t.TempDir(), "key"), "trammel/x")
	refused("another key", "log", other)
	refused("a name that leads out", "..%2f..%2fx", key)
	current := filepath.Join(dir, "current.jsonl")
	data, _ := os.ReadFile(current)
	if err := os.WriteFile(current, data[:len(data)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	refused("a log that was cut off", "log", key)
	os.RemoveAll(dir)
	add(3100)
	send(3100) // the same records again: nobody can tell, and nothing is lost
	os.RemoveAll(dir)
	if _, err := evidence.Open(dir, evidence.Options{}).Append(t.Context(), []byte(`{"id":"other"}`)); err != nil {
		t.Fatal(err)
	}
	add(3200)
	refused("a log that was rebuilt", "log", key)
	if report, err := evidence.Verify(kept); err != nil || report.Broken != nil || report.Records != 3100 {
		t.Errorf("%+v, %v", report, err)
	}
}

// Lines that are not records hold up nothing: all records arrive, and who sends them
// is told. Where the chain itself is broken, all that is before it arrives.
func TestCollectADamagedLog(t *testing.T) {
	w := newWorld(t, gate)
	r := w.start(t, Options{Collect: true})
	c := &collect.Client{URL: r.url, Token: r.token(auth.Agent)}
	key, err := transparency.OpenKey(filepath.Join(t.TempDir(), "key"), "trammel/x")
	if err != nil {
		t.Fatal(err)
	}
	for name, step := range map[string]struct {
		change  func(lines []string) []string
		records uint64 // the number of the last one that arrives
		gap     bool   // the log goes on with a number left out
		refused bool
	}{
		"a line in between": {func(l []string) []string { return slices.Insert(l, 2, "junk") }, 6, false, false},
		"a line at the end": {func(l []string) []string { return append(l, "junk", "more") }, 8, true, false},
		"a record changed": {func(l []string) []string {
			l[2] = "junk"
			return l
		}, 2, false, true},
		"a record removed": {func(l []string) []string { return slices.Delete(l, 2, 3) }, 2, false, true},
	} {
		log := strings.ReplaceAll(name, " ", "-")
		dir := filepath.Join(t.TempDir(), log)
		add := func(n int) {
			for range n {
				if _, err := evidence.Open(dir, evidence.Options{}).Append(t.Context(), []byte(`{"id":"x"}`)); err != nil {
					t.Fatal(err)
				}
			}
		}
		add(4)
		if _, err := c.Send(t.Context(), dir, log+"-sound", key); err != nil {
			t.Fatal(err)
		}
		current := filepath.Join(dir, "current.jsonl")
		data, _ := os.ReadFile(current)
		lines := step.change(strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"))
		if err := os.WriteFile(current, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		add(2)
		for range 2 { // the second time there is nothing new
			state, err := c.Send(t.Context(), dir, log, key)
			if state.Records != step.records || err == nil || (evidence.ExceptDamage(err) != nil) != step.refused {
				t.Errorf("%s: %+v, %v", name, state, err)
			}
		}
		kept := filepath.Join(w.dirs.State, "collected", "test", log)
		if report, err := evidence.Verify(kept); err != nil || (report.Broken != nil) != step.gap {
			t.Errorf("%s: what arrived: %+v, %v", name, report, err)
		}
	}
}
