//go:build unix

package procgroup

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
)

// TestOutputIsBounded: a program that prints without end is ended at its
// limit, long before its time is up (AIC-27, systems.md 8).
func TestOutputIsBounded(t *testing.T) {
	for name, test := range map[string]struct {
		script string
		exact  bool
	}{
		"more on stdout than is wanted": {"yes; sleep 60", true},
		"a flood on stdout":             {"yes", false},
		"a flood on stderr":             {"yes >&2", true},
		"a flood of a child":            {"yes & wait", false},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 2*far)
			defer cancel()
			c := sh(test.script)
			c.Exact = test.exact
			began := time.Now()
			r, err := Run(ctx, c)
			if trammel.CodeOf(err) != trammel.CodeOversized || time.Since(began) > far {
				t.Errorf("after %v: %v %q", time.Since(began), err, r.Signal)
			}
		})
	}
	c := sh("head -c 65536 /dev/zero; exit 3")
	if c.Exact = true; mustRun(t, c).Exit != 3 {
		t.Error("what fits exactly was refused")
	}
}

// standing waits for the sentinel of a group.
func standing(t *testing.T, group string) {
	t.Helper()
	for end := time.Now().Add(far); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		files, _ := filepath.Glob("/proc/[0-9]*/stat")
		for _, file := range files {
			stat, _ := os.ReadFile(file)
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			_, rest, _ := strings.Cut(string(stat), ") ")
			if f := strings.Fields(rest); len(f) > 2 && f[2] == group && strings.Contains(string(line), "kill -9 0") {
				return
			}
		}
	}
	t.Fatal("the group has no sentinel")
}

// TestGroupEndsWithTheRunner: kill -9 of the runner ends the program on Linux,
// and a tied group everywhere (systems.md 9).
func TestGroupEndsWithTheRunner(t *testing.T) {
	if kind := os.Getenv("RUNNER_OF_TEST"); kind != "" { // the runner, in a process of its own
		c := sh("echo $$ >&3; sleep 300 & echo $! >&3; wait")
		c.Args[2] = "exec 3>" + os.Getenv("PIDS") + "; " + c.Args[2]
		c.Tied = kind == "tied"
		_, _ = Run(context.Background(), c)
		return
	}
	for _, kind := range []string{"tied", "alone"} {
		t.Run(kind, func(t *testing.T) {
			fifo := t.TempDir() + "/pids"
			if out, err := exec.Command("mkfifo", fifo).CombinedOutput(); err != nil {
				t.Skipf("mkfifo: %v %s", err, out)
			}
			runner := exec.Command(os.Args[0], "-test.run=^TestGroupEndsWithTheRunner$")
			runner.Env = append(os.Environ(), "RUNNER_OF_TEST="+kind, "PIDS="+fifo)
			if err := runner.Start(); err != nil {
				t.Fatal(err)
			}
			pipe, err := os.Open(fifo)
			if err != nil {
				t.Fatal(err)
			}
			defer pipe.Close()
			lines := bufio.NewScanner(pipe)
			lines.Scan()
			program := lines.Text()
			lines.Scan()
			child := lines.Text()
			if kind == "tied" && runtime.GOOS == "linux" {
				standing(t, program)
			} else {
				time.Sleep(50 * time.Millisecond)
			}
			_ = runner.Process.Kill()
			_ = runner.Wait()
			if kind == "tied" {
				gone(t, program)
				gone(t, child)
				return
			}
			if runtime.GOOS == "linux" {
				gone(t, program)
			}
			_ = exec.Command("kill", "-9", program, child).Run()
		})
	}
}
