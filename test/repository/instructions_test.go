package repository

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/test/bench/sample"
)

// The hot program has budgets in instructions, for one event with evidence. Unlike time they are the same whatever else the machine
// does, so they can be checked everywhere; what it comes to in time is in docs/performance.md. The count differs a little with paths
// and processors, so a budget is 5 % above what was measured.
func TestHotProgramInstructions(t *testing.T) {
	if os.Getenv("TRAMMEL_COUNT") == "" {
		t.Skip("make check counts instructions, which takes long")
	}
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		t.Skip("valgrind is not installed: instructions are not counted")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("the budget was measured on amd64")
	}
	dir := t.TempDir()
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", dir+string(filepath.Separator), "./cmd/trammel",
		"./cmd/trammel-hook")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Run("the full program starts", func(t *testing.T) { // every command pays for what packages do before main
		const budget = 10_900_000
		n := leastInstructions(t, 1, func(argv ...string) (string, error) {
			cmd := exec.Command(valgrind, append(argv, filepath.Join(dir, "trammel"), "version")...)
			cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
			out, err := cmd.CombinedOutput()
			return string(out), err
		})
		t.Logf("%d instructions of %d", n, budget)
		if n > budget {
			t.Errorf("starting takes %d instructions, the budget is %d", n, budget)
		}
	})
	for name, tc := range map[string]struct {
		budget int
		write  func(home string) error
	}{
		"50 hooks":        {2_200_000, func(home string) error { return sample.WriteConfig(home, 50, false) }},
		"preset standard": {2_700_000, func(home string) error { return sample.WritePreset(home, "standard") }},
	} {
		t.Run(name, func(t *testing.T) {
			n := countInstructions(t, valgrind, dir, tc.write)
			t.Logf("%d instructions of %d", n, tc.budget)
			if n > tc.budget {
				t.Errorf("one decision takes %d instructions, the budget is %d", n, tc.budget)
			}
		})
	}
}

func countInstructions(t *testing.T, valgrind, bin string, write func(home string) error) int {
	home, project := filepath.Join(t.TempDir(), "home"), t.TempDir()
	if err := write(home); err != nil {
		t.Fatal(err)
	}
	calls := 0
	run := func(argv ...string) (string, error) {
		calls++
		argv = append(append(append(argv, filepath.Join(bin, "trammel-hook")), sample.Flags(home)...), "claude-code", "PreToolUse")
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Dir, cmd.Env, cmd.Stdin = project, append(sample.Environ(home), "GOMAXPROCS=1"), bytes.NewReader(sample.Nth(sample.Payload(project),
			calls))
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for range 2 { // compiles the plan, makes the files
		if out, err := run(); err != nil || out != "" {
			t.Fatalf("%v: %s", err, out)
		}
	}
	return leastInstructions(t, 8, func(argv ...string) (string, error) { return run(append([]string{valgrind}, argv...)...) })
}

var counted = regexp.MustCompile(`I +refs: +([\d,]+)`)

// leastInstructions counts some runs below valgrind, which gets the arguments.
func leastInstructions(t *testing.T, runs int, run func(argv ...string) (string, error)) int {
	least, times := 0, 0
	for range 20 { // valgrind itself crashes now and then on programs with threads
		out, err := run("--tool=callgrind", "--callgrind-out-file="+filepath.Join(t.TempDir(), "callgrind"))
		m := counted.FindStringSubmatch(out)
		if err != nil || m == nil {
			continue
		}
		n, _ := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
		if times++; times == 1 || n < least {
			least = n
		}
		if times == runs { // Go's heap begins at a random place, so that it has to grow in some runs and not in others
			return least
		}
	}
	t.Skip("valgrind crashed too often: instructions are not counted")
	return 0
}
