package state

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/trammel-dev/trammel"
)

func reported(id, command string) *trammel.Event {
	return &trammel.Event{Kind: trammel.PreToolUse, Session: trammel.Session{ID: "s"},
		Tool: &trammel.ToolCall{ID: id, Name: "Bash", Input: map[string]any{"command": command}}}
}

// TEAM-02: a call that several files report takes its places once, and gets the
// same answer each time; another id, other arguments, another session or other
// places make another call.
func TestACallCountsOnce(t *testing.T) {
	counters := in(t.TempDir())
	take := func(ev *trammel.Event, key string) Count {
		t.Helper()
		got, err := counters.PerCall(ev).Take(context.Background(), Claim{Key: []string{key}, N: 1, Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		return got[0]
	}
	for i := range 3 {
		if got := take(reported("a", "ls"), "k"); !got.Room || got.Used != 1 || got.Again != (i > 0) {
			t.Errorf("report %d: %+v", i, got)
		}
	}
	if got := take(reported("a", "ls"), "other"); got.Used != 1 || got.Again {
		t.Errorf("other places: %+v", got)
	}
	if got := take(reported("b", "ls"), "k"); got.Used != 2 || got.Again {
		t.Errorf("another id: %+v", got)
	}
	if got := take(reported("a", "rm x"), "k"); got.Used != 3 || got.Again {
		t.Errorf("other arguments: %+v", got)
	}
	for range 2 { // one that got no place gets none later
		if got := take(reported("c", "ls"), "k"); got.Room || got.Again {
			t.Errorf("no place is left: %+v", got)
		}
	}
	if got := take(reported("b", "ls"), "k"); !got.Room || got.Used != 3 {
		t.Errorf("it had its place: %+v", got)
	}
	// Without an id, in a rehearsal and behind the proxy each is a call of its own.
	anonymous, rehearsal, proxied := reported("", "ls"), reported("a", "ls"), reported("a", "ls")
	rehearsal.Rehearsal, proxied.Exchange = true, &trammel.Exchange{}
	for _, ev := range []*trammel.Event{anonymous, rehearsal, proxied} {
		if got := take(ev, "k"); got.Again || got.Room {
			t.Errorf("%+v: %+v", ev, got)
		}
	}
}

// Issue 4, 5: a host that gives every call the same id is limited all the same.
func TestAnIDForEverything(t *testing.T) {
	counters, passed := in(t.TempDir()), 0
	for range 100 {
		got, err := counters.PerCall(reported("same", "ls")).Take(context.Background(), Claim{Key: []string{"k"}, N: 1, Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		if Taken(got) {
			passed++
		}
	}
	if passed > 5*maxFiles {
		t.Errorf("%d calls passed", passed)
	}
}

// TEAM-02: of reports at the same time one counts.
func TestReportsAtOnce(t *testing.T) {
	dir := t.TempDir()
	var first atomic.Int32
	var group sync.WaitGroup
	for range maxFiles {
		group.Go(func() {
			again, err := in(dir).PerCall(reported("a", "ls")).Repeated(context.Background(), "mark")
			if err != nil {
				t.Error(err)
			}
			if !again {
				first.Add(1)
			}
		})
	}
	group.Wait()
	if first.Load() != 1 {
		t.Errorf("%d reports were the first", first.Load())
	}
	counters := in(dir)
	if err := counters.Update(context.Background(), counters.PerCall(reported("a", "ls")).reportsKey(), func([]byte) ([]byte, error) {
		return []byte("a b c\nnonsense\n\xff 1"), nil
	}); err != nil {
		t.Fatal(err)
	}
	if again, err := counters.PerCall(reported("a", "ls")).Repeated(context.Background(), "mark"); err != nil || again {
		t.Errorf("what cannot be read: %v, %v", again, err)
	}
}
