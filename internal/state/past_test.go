package state

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
)

func sessionEvent(id string, parents ...string) *trammel.Event {
	return &trammel.Event{Host: "h", Session: trammel.Session{ID: id, Parents: parents}}
}

func recall(t *testing.T, s trammel.State, ev *trammel.Event, sort trammel.PastSort) (names []string, forgot bool) {
	t.Helper()
	all, err := PastOf(s, ev).Recall(sort)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all.Items {
		names = append(names, r.What)
	}
	return names, all.Forgot
}

func add(t *testing.T, s trammel.State, ev *trammel.Event, sort trammel.PastSort, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := PastOf(s, ev).Add(t.Context(), sort, trammel.Remembered{What: name, By: "x", At: time.Unix(7, 0)}); err != nil {
			t.Fatal(err)
		}
	}
}

// Issue 12: a session remembers each thing once, and another one does not know
// it, except for the sessions above.
func TestPast(t *testing.T) {
	for name, s := range map[string]trammel.State{"files": Files{t.TempDir()}, "memory": NewMemory()} {
		child := sessionEvent("child", "a")
		add(t, s, sessionEvent("a"), trammel.WroteFile, "/p/x y\n", "/p/z", "/p/z")
		add(t, s, child, trammel.WroteFile, "/p/c")
		for _, c := range []struct {
			ev   *trammel.Event
			sort trammel.PastSort
			want string
		}{
			{sessionEvent("a"), trammel.WroteFile, `["/p/x y\n" "/p/z" "/p/c"]`}, {sessionEvent("b"), trammel.WroteFile, "[]"},
			{sessionEvent("a"), trammel.ReadSecret, "[]"}, {child, trammel.WroteFile, `["/p/c" "/p/x y\n" "/p/z" "/p/c"]`},
		} {
			if names, forgot := recall(t, s, c.ev, c.sort); fmt.Sprintf("%q", names) != c.want || forgot {
				t.Errorf("%s: %s of %s: %q, expected %s", name, c.sort, c.ev.Session.ID, names, c.want)
			}
		}
		rehearsal := sessionEvent("a")
		rehearsal.Rehearsal = true
		add(t, s, rehearsal, trammel.ReadSecret, "/s")
		if names, _ := recall(t, s, sessionEvent("a"), trammel.ReadSecret); len(names) > 0 {
			t.Errorf("%s: a rehearsal has left %q", name, names)
		}
	}
}

// Issue 12: memory is bounded, the oldest is forgotten first, and that something
// was forgotten is not. No flood of one sort pushes out another.
func TestPastIsBounded(t *testing.T) {
	s, ev := NewMemory(), sessionEvent("a")
	add(t, s, ev, trammel.ReadSecret, "/s")
	for i := range 3 * maxPast {
		add(t, s, ev, trammel.WroteFile, fmt.Sprint("/", i))
	}
	names, forgot := recall(t, s, ev, trammel.WroteFile)
	if len(names) != maxPast || !forgot || names[maxPast-1] != fmt.Sprint("/", 3*maxPast-1) {
		t.Errorf("%d are remembered, the last is %s, forgot: %v", len(names), names[len(names)-1], forgot)
	}
	if names, forgot := recall(t, s, ev, trammel.ReadSecret); len(names) != 1 || forgot {
		t.Errorf("of the secret is left %q, %v", names, forgot)
	}
	add(t, s, ev, trammel.FetchedFile, strings.Repeat("x", maxPastText+1))
	if names, forgot := recall(t, s, ev, trammel.FetchedFile); len(names) != 0 || !forgot {
		t.Errorf("a name that is too long: %q, forgot: %v", names, forgot)
	}
}

// Issue 12: a torn file is no empty memory.
func TestTornPastIsAnError(t *testing.T) {
	s, ev := Files{t.TempDir()}, sessionEvent("a")
	add(t, s, ev, trammel.ReadSecret, "/s")
	files, _ := filepath.Glob(filepath.Join(s.Dir, "sessions/*/*"))
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && len(data) > 0 {
			if err := os.WriteFile(file, data[:len(data)/2], 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if all, err := PastOf(s, ev).Recall(trammel.ReadSecret); err == nil {
		t.Errorf("it recalls %v", all)
	}
	for _, text := range []string{"x", "1 \"a\n", "1 \"a\" b\n", "y \"a\" \"b\"\n"} {
		if v, err := parsePast(text); err == nil {
			t.Errorf("%q is read as %v", text, v)
		}
	}
}

// rememberUntilKilled remembers one thing after the other, and says each.
func rememberUntilKilled(dir string, n int) {
	past := PastOf(Files{dir}, sessionEvent("a"))
	for i := 0; n == 0 || i < n; i++ {
		name := fmt.Sprintf("/%d-%d", os.Getpid(), i)
		if err := past.Add(context.Background(), trammel.WroteFile, trammel.Remembered{What: name}); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(name)
	}
}

// Issue 12, shows 4: what was remembered survives kill -9, whenever it comes.
func TestPastSurvivesKill(t *testing.T) {
	dir := t.TempDir()
	for round := range 20 {
		cmd := role("past", dir, 0)
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines, last := bufio.NewScanner(stdout), ""
		for range round + 1 { // another moment in each round
			if lines.Scan() {
				last = lines.Text()
			}
		}
		cmd.Process.Kill()
		for lines.Scan() {
			last = lines.Text()
		}
		cmd.Wait()
		if names, _ := recall(t, Files{dir}, sessionEvent("a"), trammel.WroteFile); !strings.Contains(strings.Join(names, "\n"), last) {
			t.Fatalf("%s was remembered, and is not among %d", last, len(names))
		}
	}
}

// Issue 12, shows 4: two agents in one session lose nothing of each other.
func TestTwoAgentsRemember(t *testing.T) {
	const each = 40
	dir := t.TempDir()
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			if out, err := role("past", dir, each).Output(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	group.Wait()
	if names, _ := recall(t, Files{dir}, sessionEvent("a"), trammel.WroteFile); len(names) != 3*each {
		t.Errorf("%d are remembered, expected %d", len(names), 3*each)
	}
}
