package counter

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func TestAddCountsAcrossWriters(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "c")
	seen := make([]bool, 201)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 25 {
				n, err := Add(t.Context(), dir, "a", "b")
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				if seen[n] {
					t.Errorf("%d was counted twice", n)
				}
				seen[n] = true
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if !seen[200] {
		t.Error("counts were lost")
	}
	if n, err := Add(t.Context(), dir, "ab"); err != nil || n != 1 {
		t.Errorf("another key: %d, %v", n, err)
	}
}

func TestADamagedCountIsAnError(t *testing.T) {
	dir := t.TempDir()
	if _, err := Add(t.Context(), dir, "k"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name([]string{"k"})), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := Add(t.Context(), dir, "k"); err == nil {
		t.Errorf("counted on to %d", n)
	}
}
