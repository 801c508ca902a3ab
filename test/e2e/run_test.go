//go:build e2e && unix

package e2e

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/trammel-dev/trammel/test/programs"
)

// ready is what was prepared while there was a network: it is made once per
// run, and read by the tests in their namespace.
var ready struct {
	Dir string // holds all below; removed after the run
	// The programs under test. Fault is trammel-hook with faults to be
	// provoked by TRAMMEL_FAULT.
	Hook, Fault, Trammel string
	Hosts                map[string]string // host to its program
	Missing              map[string]string // host to why it is not there
	Exposed              string            // why there is no namespace; empty if there is one
	Init                 bool              // trammel can wire hosts by itself
	Files                []string          // the command of an MCP server for files; empty if there is none
	NoFiles              string            // why there is none
}

// inside names the file that holds ready, in the process that runs the tests.
const inside = "TRAMMEL_E2E_READY"

// TestMain prepares the programs, and then runs the tests by starting this
// same program again, in a network namespace if it can.
func TestMain(m *testing.M) {
	flag.Parse()
	if file := os.Getenv(inside); file != "" {
		os.Unsetenv(inside)
		must(readJSON(file, &ready))
		must(flag.Set("test.parallel", "2")) // an agent is heavy
		os.Exit(m.Run())
	}
	os.Exit(prepareAndRun())
}

func prepareAndRun() int {
	dir, err := os.MkdirTemp("", "trammel-e2e-")
	must(err)
	defer os.RemoveAll(dir)
	ready.Dir = dir
	must(newReport())
	must(buildPrograms())
	ready.Init = hasInit()
	ready.Hosts, ready.Missing = map[string]string{}, map[string]string{}
	for _, h := range hosts {
		program, err := h.packages().install()
		if why, ok := err.(unavailable); ok {
			ready.Missing[h.name()] = string(why)
			fmt.Fprintf(os.Stderr, "e2e: %s is not available, its tests are skipped: %s\n", h.name(), why)
			continue
		}
		must(err)
		ready.Hosts[h.name()] = program
	}
	must(installFiles())
	self, err := os.Executable()
	must(err)
	cmd := exec.Command(self, os.Args[1:]...)
	if ready.Exposed = isolate(cmd); ready.Exposed != "" {
		fmt.Fprintf(os.Stderr, "e2e: the tests run without a network namespace: %s\n", ready.Exposed)
	}
	file := filepath.Join(dir, "ready.json")
	raw, err := json.Marshal(ready)
	must(err)
	must(os.WriteFile(file, raw, 0o600))
	cmd.Env = append(os.Environ(), inside+"="+file)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	return 0
}

// buildPrograms builds what is under test from this repository.
func buildPrograms() error {
	ready.Hook = filepath.Join(ready.Dir, "bin", "trammel-hook")
	ready.Trammel = filepath.Join(ready.Dir, "bin", "trammel")
	ready.Fault = filepath.Join(ready.Dir, "fault", "trammel-hook")
	if err := programs.Isolated(filepath.Dir(ready.Hook)); err != nil {
		return err
	}
	args := []string{"build", programs.Follow, "-tags", "trammelfault", "-o", filepath.Dir(ready.Fault) + "/", "../../cmd/trammel-hook"}
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %q: %w\n%s", args, err, out)
	}
	return os.Link(ready.Trammel, filepath.Join(filepath.Dir(ready.Fault), "trammel"))
}

// unavailable is an error that is no fault of ours, and skips tests.
type unavailable string

func (u unavailable) Error() string { return string(u) }

// skip skips a test with its reason, or fails it where everything has to run.
func skip(t *testing.T, reason string) {
	t.Helper()
	if os.Getenv("TRAMMEL_E2E_REQUIRE") != "" {
		t.Fatalf("cannot be skipped here: %s", reason)
	}
	t.Skip(reason)
}

func readJSON(file string, v any) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, v)
}

// must ends the run: without what failed nothing can be tested.
func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		os.Exit(1)
	}
}
