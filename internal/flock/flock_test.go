package flock

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMain lets the test binary be its own subprocess.
func TestMain(m *testing.M) {
	switch os.Getenv("FLOCK_TEST_ROLE") {
	case "hold":
		hold(os.Getenv("FLOCK_TEST_PATH"))
	case "count":
		count(os.Getenv("FLOCK_TEST_PATH"))
	default:
		os.Exit(m.Run())
	}
}

// hold takes the lock, says so, and keeps it until its stdin ends.
func hold(path string) {
	held, err := Lock(context.Background(), path)
	fmt.Println("held", err)
	bufio.NewReader(os.Stdin).ReadString('\n')
	if err == nil {
		held.Unlock()
	}
}

// count adds one to a number in a file 100 times; without the lock, updates
// of several processes would get lost.
func count(path string) {
	for range 100 {
		held, err := Lock(context.Background(), path)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		data, _ := os.ReadFile(path + ".count")
		n, _ := strconv.Atoi(string(data))
		os.WriteFile(path+".count", []byte(strconv.Itoa(n+1)), 0o600)
		held.Unlock()
	}
}

func role(t *testing.T, name, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "FLOCK_TEST_ROLE="+name, "FLOCK_TEST_PATH="+path)
	cmd.Stderr = os.Stderr
	return cmd
}

// holder starts a process that holds the lock.
func holder(t *testing.T, path string) (cmd *exec.Cmd, release func()) {
	t.Helper()
	cmd = role(t, "hold", path)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	line, _ := bufio.NewReader(stdout).ReadString('\n')
	if line != "held <nil>\n" {
		t.Fatalf("holder said %q", line)
	}
	return cmd, func() { stdin.Close() }
}

func TestWaitIsBoundedByContext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	holder(t, path)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := Lock(ctx, path)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v, want the deadline", err)
	}
	if !strings.Contains(err.Error(), path) {
		t.Errorf("%q does not name the file", err)
	}
}

func TestCanceledContextStillTriesOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	held, err := Lock(ctx, filepath.Join(t.TempDir(), "lock"))
	if err != nil {
		t.Fatalf("a free lock needs no waiting: %v", err)
	}
	held.Unlock()
}

func TestReleasedLockIsTaken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	_, release := holder(t, path)
	go release()
	held, err := Lock(deadline(t), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := held.Unlock(); err != nil {
		t.Fatal(err)
	}
}

func TestKilledHolderLeavesNoLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	for range 5 {
		cmd, _ := holder(t, path)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		held, err := Lock(deadline(t), path)
		if err != nil {
			t.Fatal(err)
		}
		held.Unlock()
		cmd.Wait()
	}
}

func TestProcessesExcludeEachOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if out, err := role(t, "count", path).Output(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	group.Go(func() { count(path) })
	group.Wait()
	if got, _ := os.ReadFile(path + ".count"); string(got) != "500" {
		t.Errorf("counted %s, want 500", got)
	}
}

func TestSymlinkIsRefused(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "lock")
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	if _, err := Lock(deadline(t), link); err == nil {
		t.Fatal("followed a symbolic link")
	}
	if _, err := os.Stat(target); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the target was touched: %v", err)
	}
}

func deadline(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func BenchmarkUncontended(b *testing.B) {
	path := filepath.Join(b.TempDir(), "lock")
	for b.Loop() {
		held, err := Lock(context.Background(), path)
		if err != nil {
			b.Fatal(err)
		}
		held.Unlock()
	}
}

// A reader waits only where there can be a writer, and makes no file.
func TestReader(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "lock")
	for what, at := range map[string]string{"no file": path, "a file that cannot be locked": dir} {
		if held, err := Reader(at); held != nil || err != nil {
			t.Errorf("%s: %v, %v", what, held, err)
		}
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("the file was made")
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	held, err := Reader(path)
	if held == nil || err != nil {
		t.Fatalf("%v, %v", held, err)
	}
	if _, err := Try(path); !errors.Is(err, ErrBusy) {
		t.Errorf("somebody else got it: %v", err)
	}
	if err := held.Unlock(); err != nil {
		t.Error(err)
	}
}
