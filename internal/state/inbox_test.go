package state

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/trammel-dev/trammel"
)

func pendingOf(dir, session string) Inbox {
	return Pending(Files{Dir: dir}, &trammel.Event{Host: "h", Session: trammel.Session{ID: session}})
}

func TestPutAndTake(t *testing.T) {
	dir := t.TempDir()
	box := pendingOf(dir, "s1")
	if got := box.Take(t.Context()); got != nil {
		t.Errorf("a new box holds %q", got)
	}
	box.Put(t.Context(), []string{"one\nline \"two\"", "bad \xff bytes"})
	box.Put(t.Context(), []string{"three"})
	if got := pendingOf(dir, "s2").Take(t.Context()); got != nil {
		t.Errorf("another session took %q", got)
	}
	want := []string{"one\nline \"two\"", "bad \uFFFD bytes", "three"}
	if got := box.Take(t.Context()); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := box.Take(t.Context()); got != nil {
		t.Errorf("taken twice: %q", got)
	}
}

func TestNothingIsTakenTwice(t *testing.T) {
	box := pendingOf(t.TempDir(), "s")
	var wg sync.WaitGroup
	var mu sync.Mutex
	seen := map[string]int{}
	take := func() {
		for _, text := range box.Take(t.Context()) {
			mu.Lock()
			seen[text]++
			mu.Unlock()
		}
	}
	for i := range 8 {
		wg.Go(func() {
			for n := range 20 {
				box.Put(t.Context(), []string{fmt.Sprint(i, "-", n)})
				take()
			}
		})
	}
	wg.Wait()
	take()
	for text, n := range seen {
		if n != 1 {
			t.Errorf("%s was taken %d times", text, n)
		}
	}
}

func TestTheBoxIsBounded(t *testing.T) {
	box := pendingOf(t.TempDir(), "s")
	big := make([]byte, inboxSize/2)
	for i := range big {
		big[i] = 'x'
	}
	for range 5 {
		box.Put(t.Context(), []string{string(big)})
	}
	if got := len(box.Take(t.Context())); got != 1 {
		t.Errorf("%d large texts were kept, want 1", got)
	}
	if got := pendingOf(t.TempDir(), "").Take(t.Context()); got != nil {
		t.Errorf("a session without an id has a box: %q", got)
	}
}
