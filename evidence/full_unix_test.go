//go:build !windows

package evidence

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
)

// appendUntilLimit appends with a limit on the size of files, which makes a
// write fall short just as a full disk does, and says how far it came.
func appendUntilLimit(dir string, n int) {
	signal.Ignore(syscall.SIGXFSZ)
	limit := syscall.Rlimit{Cur: uint64(n), Max: uint64(n)}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	log := Open(dir, Options{})
	for i := 0; ; i++ {
		if _, err := log.Append(context.Background(), body("x", 300)); err != nil {
			fmt.Println(i, errors.Is(err, syscall.EFBIG))
			return
		}
	}
}

func TestShortWriteIsTakenBack(t *testing.T) {
	for _, limit := range []int{5000, 5001, 5117, 6000} {
		dir := filepath.Join(t.TempDir(), "log")
		out, err := role("limit", dir, limit).Output()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		var n int
		var tooBig bool
		fmt.Sscan(string(out), &n, &tooBig)
		if n == 0 || !tooBig {
			t.Fatalf("limit %d: %s", limit, out)
		}
		if r := sound(t, dir, n); r.Torn != 0 {
			t.Errorf("limit %d: something torn was left", limit)
		}
		extend(t, dir, 1, Options{}) // without the limit it goes on
		sound(t, dir, n+1)
	}
}

// A disk that is full: the append fails, the log stays sound, and it goes on
// when there is room again.
func TestFullDisk(t *testing.T) {
	root := t.TempDir()
	if err := mountSmall(root, "size=128k"); err != nil {
		t.Skipf("cannot mount a small disk: %v", err)
	}
	t.Cleanup(func() { unmount(root) })
	dir := filepath.Join(root, "log")
	ballast := filepath.Join(root, "ballast")
	write(t, ballast, []byte(strings.Repeat("b", 64<<10)))
	log := Open(dir, Options{})
	n := 0
	for ; ; n++ {
		_, err := log.Append(soon(t), body("x", 700))
		if errors.Is(err, syscall.ENOSPC) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 3 { // and it fails again, without harm
		if _, err := log.Append(soon(t), body("x", 9000)); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("got %v", err)
		}
	}
	if r := sound(t, dir, n); r.Torn != 0 || n == 0 {
		t.Errorf("report %+v", r)
	}
	os.Remove(ballast)
	extend(t, dir, 1, Options{})
	sound(t, dir, n+1)
	t.Logf("full after %d records", n)
}

// A pipe in place of the log is an error: nothing panics, because then a host
// would get no answer, and nothing waits for the other end of the pipe.
func TestLogThatCannotBeOpened(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "log")
	extend(t, pipe, 2, Options{})
	current := filepath.Join(pipe, currentName)
	if err := errors.Join(os.Remove(current), syscall.Mkfifo(current, 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(pipe, Options{}).Append(t.Context(), body("x", 10)); err == nil || !strings.Contains(err.Error(), "regular file") {
		t.Errorf("a pipe: %v", err)
	}
	if _, err := Verify(pipe); err == nil || !strings.Contains(err.Error(), "regular file") {
		t.Errorf("a pipe, verified: %v", err)
	}
}
