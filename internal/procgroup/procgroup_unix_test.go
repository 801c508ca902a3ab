//go:build unix

package procgroup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
)

// far is a time that no run here takes unless it hangs. Tests that must not
// wait for something compare with the something's own, longer, time.
const far = 40 * time.Second

func sh(script string) Command {
	return Command{Args: []string{"/bin/sh", "-c", script}, Env: []string{"PATH=/usr/bin:/bin"}, MaxOutput: 1 << 16}
}

func mustRun(t *testing.T, c Command) Result {
	t.Helper()
	began := time.Now()
	r, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > far {
		t.Fatalf("took %v", took)
	}
	return r
}

// gone waits for a process to be dead. A zombie counts: whether the machine's
// first process collects orphans is not ours to decide.
func gone(t *testing.T, pid string) {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(pid))
	if err != nil {
		t.Fatalf("no process id in %q", pid)
	}
	for end := time.Now().Add(far); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if errors.Is(syscall.Kill(n, 0), syscall.ESRCH) {
			return
		}
		if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", n)); err == nil {
			if _, state, _ := strings.Cut(string(stat), ") "); strings.HasPrefix(state, "Z") {
				return
			}
		}
	}
	syscall.Kill(n, syscall.SIGKILL)
	t.Errorf("process %d was left behind", n)
}

func TestRun(t *testing.T) {
	for name, c := range map[string]struct {
		script, stdin string
		want          Result
	}{
		"says and ends":   {"cat; echo err >&2; exit 3", "in", Result{Exit: 3, Stdout: []byte("in"), Stderr: []byte("err\n")}},
		"says nothing":    {"exit 0", "", Result{}},
		"ended by signal": {"kill -KILL $$", "", Result{Exit: -1, Signal: "killed"}},
		"bare env":        {"env | grep -v -e ^PWD= -e ^SHLVL= -e ^_= -e ^OLDPWD=", "", Result{Stdout: []byte("PATH=/usr/bin:/bin\n")}},
	} {
		t.Run(name, func(t *testing.T) {
			command := sh(c.script)
			command.Stdin = []byte(c.stdin)
			r := mustRun(t, command)
			if !r.Started || r.Exit != c.want.Exit || r.Signal != c.want.Signal || !bytes.Equal(r.Stdout, c.want.Stdout) ||
				!bytes.Equal(r.Stderr, c.want.Stderr) {
				t.Errorf("got %+v (%q, %q), want %+v", r, r.Stdout, r.Stderr, c.want)
			}
		})
	}
}

func TestUnavailable(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "no-run-bit")
	if err := os.WriteFile(plain, []byte("#!/bin/sh\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]Command{
		"missing path":      {Args: []string{filepath.Join(dir, "nothing")}},
		"missing in PATH":   {Args: []string{"no-such-program-anywhere"}},
		"no run bit":        {Args: []string{plain}},
		"a directory":       {Args: []string{dir}},
		"missing directory": {Args: []string{"/bin/sh", "-c", "true"}, Dir: filepath.Join(dir, "gone")},
	} {
		r, err := Run(context.Background(), c)
		if trammel.CodeOf(err) != trammel.CodeUnavailable || r.Started {
			t.Errorf("%s: got %v (%q), started %v", name, err, trammel.CodeOf(err), r.Started)
		}
	}
}

// DA-22: the whole group is killed at the deadline, also what ignores SIGTERM
// and what was forked.
func TestDeadlineKillsTheGroup(t *testing.T) {
	for name, script := range map[string]string{
		"ignores SIGTERM": `trap "" TERM INT HUP; echo $$ > "$PIDS"; while :; do sleep 1000; done`,
		"forked":          `(trap "" TERM; sleep 1000) & echo $! > "$PIDS"; sleep 1000`,
		"does not read":   `echo $$ > "$PIDS"; sleep 1000`,
	} {
		t.Run(name, func(t *testing.T) {
			pids := filepath.Join(t.TempDir(), "pids")
			c := sh(script)
			c.Env = append(c.Env, "PIDS="+pids)
			c.Stdin = make([]byte, 1<<20)
			for limit := 300 * time.Millisecond; ; limit *= 2 { // a slow machine takes longer to start it
				ctx, cancel := context.WithTimeout(context.Background(), limit)
				defer cancel()
				began := time.Now()
				r, err := Run(ctx, c)
				if trammel.CodeOf(err) != trammel.CodeTimeout || !r.Started {
					t.Fatalf("got %v (%q)", err, trammel.CodeOf(err))
				}
				if took := time.Since(began); took > limit+far {
					t.Fatalf("took %v", took)
				}
				if pid, err := os.ReadFile(pids); err == nil && len(pid) > 0 {
					gone(t, string(pid))
					return
				}
			}
		})
	}
}

func TestCanceledIsNotATimeout(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, sh("true")); trammel.CodeOf(err) != trammel.CodeCanceled {
		t.Errorf("before the start: got %v", err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := Run(ctx, sh("sleep 1000")); trammel.CodeOf(err) != trammel.CodeCanceled {
		t.Errorf("during the run: got %v", err)
	}
}

// Something that the program leaves behind neither delays the return nor lives on.
func TestLeftoversAreKilled(t *testing.T) {
	for name, script := range map[string]string{
		"keeps stdout open":  `sleep 1000 & echo $!`,
		"closed its output":  `sleep 1000 >/dev/null 2>&1 </dev/null & echo $!`,
		"double fork":        `(sleep 1000 & echo $!) & wait`,
		"nohup":              `trap "" HUP; nohup sleep 1000 2>/dev/null & echo $!`,
		"writes after a bit": `(while :; do echo more; sleep 0.01; done) & echo $!`,
	} {
		t.Run(name, func(t *testing.T) {
			r := mustRun(t, sh(script))
			if r.Exit != 0 {
				t.Errorf("exit %d", r.Exit)
			}
			first, _, _ := strings.Cut(string(r.Stdout), "\n")
			if first == "more" {
				first = strings.Fields(strings.ReplaceAll(string(r.Stdout), "more", ""))[0]
			}
			gone(t, first)
		})
	}
}

// What is in the pipe when the program ends still counts, also when a child
// wrote it a moment later.
func TestOutputIsDrained(t *testing.T) {
	for range 100 { // on a busy machine the child may be later than anybody waits for it
		if string(mustRun(t, sh(`(sleep 0.02; echo late) & echo early`)).Stdout) == "early\nlate\n" {
			return
		}
	}
	t.Error("what a child wrote later is missing")
}

// A process that leaves the group by a session of its own is out of reach,
// but must not hold us up.
func TestEscapeDoesNotDelay(t *testing.T) {
	setsid := "/usr/bin/setsid"
	if _, err := os.Stat(setsid); err != nil {
		t.Skip("no setsid here")
	}
	r := mustRun(t, sh(setsid+` sleep 60 & echo $!`))
	if pid, err := strconv.Atoi(strings.TrimSpace(string(r.Stdout))); err == nil {
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// More than 64 MiB of output with a cap of 64 KiB.
func TestFloodIsBounded(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := mustRun(t, sh(`head -c 67108864 /dev/zero; head -c 67108864 /dev/zero >&2; exit 2`))
	runtime.ReadMemStats(&after)
	if !r.TruncatedOut || !r.TruncatedErr || len(r.Stdout) != 1<<16 || len(r.Stderr) != 1<<16 || r.Exit != 2 {
		t.Errorf("kept %d and %d, truncated %v and %v, exit %d", len(r.Stdout), len(r.Stderr), r.TruncatedOut, r.TruncatedErr, r.Exit)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 8<<20 {
		t.Errorf("%d bytes were allocated", used)
	}
}

// A program that does not want its input is not a failure: neither the closed
// pipe nor the early end.
func TestUnreadInput(t *testing.T) {
	for name, script := range map[string]string{
		"closes stdin":       `exec <&-; sleep 0.05; echo ok`,
		"ends before it":     `echo ok`,
		"reads a byte of it": `head -c 1 >/dev/null; echo ok`,
	} {
		c := sh(script)
		c.Stdin = make([]byte, 4<<20)
		if r := mustRun(t, c); r.Exit != 0 || string(r.Stdout) != "ok\n" {
			t.Errorf("%s: exit %d, %q", name, r.Exit, r.Stdout)
		}
	}
}

// A descriptor that a host left open for us does not reach the program.
func TestNoDescriptorsAreInherited(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	fd, err := syscall.Open(secret, syscall.O_RDONLY, 0) // without close-on-exec, as a careless host would
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	c := sh(fmt.Sprintf("[ -e /dev/fd/%d ] && echo inherited; true", fd))
	if r := mustRun(t, c); len(r.Stdout) != 0 {
		t.Errorf("descriptor %d was inherited", fd)
	}
	if err := keepListed("/dev/fd"); err != nil {
		t.Errorf("the way without close_range: %v", err)
	}
}

func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 5 {
		mustRun(t, sh(`sleep 1000 & echo hi`))
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		Run(ctx, sh("sleep 1000"))
		cancel()
	}
	for end := time.Now().Add(far); runtime.NumGoroutine() > before; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines before, %d after", before, runtime.NumGoroutine())
		}
	}
}
