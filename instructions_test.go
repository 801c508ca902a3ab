package trammel_test

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

	"github.com/trammel-dev/trammel/bench/sample"
)

// The hot program's budget in instructions, for one event against 50 hooks
// with evidence. Unlike time it is the same whatever else the machine does, so
// it can be checked everywhere; what it comes to in time is in
// docs/performance.md. The count differs a little with paths and processors.
const instructionBudget = 2_400_000

func TestHotProgramInstructions(t *testing.T) {
	valgrind, err := exec.LookPath("valgrind")
	if err != nil {
		t.Skip("valgrind is not installed: instructions are not counted")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("the budget was measured on amd64")
	}
	dir := t.TempDir()
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", dir+string(filepath.Separator), "./cmd/trammel", "./cmd/trammel-hook")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	home, project := filepath.Join(dir, "home"), filepath.Join(dir, "project")
	if err := os.MkdirAll(project, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := sample.WriteConfig(home, 50, false); err != nil {
		t.Fatal(err)
	}
	run := func(argv ...string) (string, error) {
		argv = append(argv, filepath.Join(dir, "trammel-hook"), "claude-code", "PreToolUse")
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Dir, cmd.Env, cmd.Stdin = project, sample.Environ(home), bytes.NewReader(sample.Payload(project))
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run(); err != nil || out != "" { // compiles the plan
		t.Fatalf("%v: %s", err, out)
	}
	count := regexp.MustCompile(`I +refs: +([\d,]+)`)
	n := 0
	for range 20 { // valgrind itself crashes now and then on programs with threads
		out, err := run(valgrind, "--tool=callgrind", "--callgrind-out-file="+filepath.Join(dir, "callgrind"))
		if m := count.FindStringSubmatch(out); err == nil && m != nil {
			n, _ = strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
			break
		}
	}
	if n == 0 {
		t.Skip("valgrind crashed every time: instructions are not counted")
	}
	t.Logf("%d instructions of %d", n, instructionBudget)
	if n > instructionBudget {
		t.Errorf("one decision takes %d instructions, the budget is %d", n, instructionBudget)
	}
}
