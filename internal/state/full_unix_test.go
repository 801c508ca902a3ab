//go:build !windows

package state

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// takeUntilLimit counts with a limit on the size of files, which makes a write
// fall short just as a full disk does, and says how far it came.
func takeUntilLimit(dir string, n int) {
	signal.Ignore(syscall.SIGXFSZ)
	limit := syscall.Rlimit{Cur: uint64(n), Max: uint64(n)}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for i := 0; ; i++ {
		if _, err := in(dir).Take(context.Background(), Claim{Key: []string{"k"}, N: 1, Limit: 200, Window: time.Hour}); err != nil {
			fmt.Println(i, errors.Is(err, syscall.EFBIG))
			return
		}
	}
}

// A write that falls short is an error, and what was counted stays.
func TestShortWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "c")
	out, err := role("limit", dir, 400).Output()
	var n int64
	var tooBig bool
	fmt.Sscan(string(out), &n, &tooBig)
	if err != nil || n == 0 || !tooBig {
		t.Fatalf("%v: %s", err, out)
	}
	counts, err := in(dir).Take(t.Context(), Claim{Key: []string{"k"}, N: 1, Limit: 200, Window: time.Hour})
	if err != nil || counts[0].Used != n+1 {
		t.Errorf("counted on to %+v after %d, %v", counts, n, err)
	}
}

// A disk that is full: a count that has begun goes on in its place, a new one
// is an error, and begins when there is room again.
func TestFullDisk(t *testing.T) {
	root := t.TempDir()
	if err := mountSmall(root); err != nil {
		t.Skipf("cannot mount a small disk: %v", err)
	}
	t.Cleanup(func() { unmount(root) })
	dir, ballast := filepath.Join(root, "c"), filepath.Join(root, "ballast")
	if n, err := in(dir).Add(t.Context(), "k"); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	os.WriteFile(ballast, []byte(strings.Repeat("b", 256<<10)), 0o600)
	for i := range 3 {
		if n, err := in(dir).Add(t.Context(), "new"); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("counted %d on a full disk, %v", n, err)
		}
		if n, err := in(dir).Add(t.Context(), "k"); err != nil || n != i+2 {
			t.Fatalf("counted %d in place, %v; want %d", n, err, i+2)
		}
	}
	os.Remove(ballast)
	if n, err := in(dir).Add(t.Context(), "new"); err != nil || n != 1 {
		t.Errorf("counted %d, %v; want 1", n, err)
	}
}
