package pending

import (
	"fmt"
	"slices"
	"sync"
	"testing"
)

func TestKeepAndTake(t *testing.T) {
	dir := t.TempDir()
	box := Open(dir, "claude-code", "s1")
	if got := box.Take(); got != nil {
		t.Errorf("a new box holds %q", got)
	}
	box.Keep([]string{"one\nline \"two\"", "bad \xff bytes"})
	box.Keep([]string{"three"})
	if got := Open(dir, "claude-code", "s2").Take(); got != nil {
		t.Errorf("another session took %q", got)
	}
	want := []string{"one\nline \"two\"", "bad \uFFFD bytes", "three"}
	if got := box.Take(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := box.Take(); got != nil {
		t.Errorf("taken twice: %q", got)
	}
}

func TestNothingIsTakenTwice(t *testing.T) {
	box := Open(t.TempDir(), "h", "s")
	var wg sync.WaitGroup
	var mu sync.Mutex
	seen := map[string]int{}
	take := func() {
		for _, text := range box.Take() {
			mu.Lock()
			seen[text]++
			mu.Unlock()
		}
	}
	for i := range 8 {
		wg.Go(func() {
			for n := range 20 {
				box.Keep([]string{fmt.Sprint(i, "-", n)})
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
	box := Open(t.TempDir(), "h", "s")
	big := make([]byte, maxSize/2)
	for i := range big {
		big[i] = 'x'
	}
	for range 5 {
		box.Keep([]string{string(big)})
	}
	if got := len(box.Take()); got != 1 {
		t.Errorf("%d large texts were kept, want 1", got)
	}
	if got := Open(t.TempDir(), "h", "").Take(); got != nil {
		t.Errorf("a session without an id has a box: %q", got)
	}
}
