// Command hotpath measures what a host pays for a decision: the time from
// starting trammel-hook to its end, against a Go program that reads stdin and
// writes a line. All are run in turn, over and over, so that whatever else the
// machine does hits all of them alike; what counts is the ratio.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/test/bench/sample"
)

func main() {
	rounds := flag.Int("rounds", 400, "how often each program is run")
	gate := flag.Float64("gate", 0, "fail when the p50 ratio of a case is above this")
	bin := flag.String("bin", "bin", "where trammel and trammel-hook are")
	flag.Parse()
	if err := run(*rounds, *gate, *bin); err != nil {
		fmt.Fprintln(os.Stderr, "hotpath:", err)
		os.Exit(1)
	}
}

type subject struct {
	name  string
	dir   string
	argv  []string
	flags []string
	env   []string
	input []byte
	runs  int
	times []time.Duration
}

func run(rounds int, gate float64, bin string) error {
	dir, err := os.MkdirTemp("", "trammel-bench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	floor, err := buildFloor(dir)
	if err != nil {
		return err
	}
	// What people run was installed, which is copied; what a linker has left in
	// the page cache is mapped differently, and is not what they run.
	hook := filepath.Join(dir, "installed", "trammel-hook")
	for from, to := range map[string]string{floor: filepath.Join(dir, "installed", "floor"), filepath.Join(bin, "trammel-hook"): hook,
		filepath.Join(bin, "trammel"): filepath.Join(dir, "installed", "trammel")} {
		if err := install(from, to); err != nil {
			return err
		}
	}
	floor = filepath.Join(dir, "installed", "floor")
	project := filepath.Join(dir, "project")
	if err := os.MkdirAll(project, 0o755); err != nil {
		return err
	}
	hooked := filepath.Join(dir, "hooked-repository")
	if err := sample.WriteRepositoryHooks(hooked); err != nil {
		return err
	}
	event := sample.Payload(project)
	subjects := []*subject{{name: "go hello world", dir: project, argv: []string{floor}, input: event}}
	rules := func(n int, when bool) func(string) error {
		return func(home string) error { return sample.WriteConfig(home, n, when) }
	}
	preset := func(name string) func(string) error {
		return func(home string) error { return sample.WritePreset(home, name) }
	}
	for _, c := range []struct {
		name      string
		project   string
		configure func(home string) error
	}{
		{"50 hooks", project, rules(50, false)}, {"500 hooks", project, rules(500, false)}, {"50 hooks, one `when` runs", project,
			rules(50, true)},
		{"50 hooks, .system/hooks", hooked, rules(50, false)},
		{"preset careful", project, preset("careful")}, {"preset standard", project, preset("standard")}, {"preset strict", project,
			preset("strict")},
	} {
		home := filepath.Join(dir, strings.NewReplacer(" ", "-", "/", "-").Replace(c.name))
		if err := c.configure(home); err != nil {
			return err
		}
		s := &subject{name: c.name, dir: c.project, argv: append(append([]string{hook}, sample.Flags(home)...), "claude-code", "PreToolUse"),
			input: sample.Payload(c.project), env: sample.Environ(home), flags: sample.Flags(home)}
		if c.project == hooked {
			if err := trust(bin, s); err != nil {
				return err
			}
		}
		if _, err := s.once(); err != nil { // compiles the plan
			return fmt.Errorf("%s: %w", c.name, err)
		}
		subjects = append(subjects, s)
	}
	for round := range rounds {
		for i := range subjects {
			s := subjects[(i+round)%len(subjects)] // who comes after whom must not matter
			took, err := s.once()
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			s.times = append(s.times, took)
		}
	}
	return report(subjects, gate, len(event))
}

// trust does what a person does who has read the hooks of a repository.
func trust(bin string, s *subject) error {
	program, err := filepath.Abs(filepath.Join(bin, "trammel"))
	if err != nil {
		return err
	}
	cmd := exec.Command(program, append(slices.Clone(s.flags), "trust", "--yes", s.dir)...)
	cmd.Env = s.env
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("trust: %w: %s", err, out)
	}
	return nil
}

func (s *subject) once() (time.Duration, error) {
	cmd := exec.Command(s.argv[0], s.argv[1:]...)
	s.runs++
	input := sample.Nth(s.input, s.runs)
	cmd.Dir, cmd.Env, cmd.Stdin = s.dir, s.env, bytes.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	out, err := cmd.Output()
	took := time.Since(start)
	if err != nil {
		return 0, fmt.Errorf("%w: %s%s", err, out, stderr.String())
	}
	if strings.Contains(string(out), "deny") {
		return 0, fmt.Errorf("the event was denied: %s", out)
	}
	return took, nil
}

func report(subjects []*subject, gate float64, size int) error {
	floor := percentile(subjects[0].times, 50)
	fmt.Printf("%d runs each, interleaved; event of %d bytes; evidence on\n", len(subjects[0].times), size)
	fmt.Printf("%-28s %10s %10s %8s\n", "", "p50", "p95", "ratio")
	var over []string
	for _, s := range subjects {
		p50 := percentile(s.times, 50)
		ratio := float64(p50) / float64(floor)
		fmt.Printf("%-28s %10s %10s %7.2f×\n", s.name, p50.Round(time.Microsecond), percentile(s.times, 95).Round(time.Microsecond), ratio)
		if gate > 0 && ratio > gate {
			over = append(over, fmt.Sprintf("%s: %.2f×", s.name, ratio))
		}
	}
	if over != nil {
		return fmt.Errorf("beyond the gate of %.1f×: %s", gate, strings.Join(over, ", "))
	}
	return nil
}

func percentile(times []time.Duration, p int) time.Duration {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[len(sorted)*p/100]
}

func buildFloor(dir string) (string, error) {
	src := filepath.Join(dir, "floor")
	if err := os.MkdirAll(src, 0o755); err != nil {
		return "", err
	}
	files := map[string]string{
		"go.mod": "module floor\n\ngo 1.26\n",
		"main.go": "package main\n\nimport (\n\t\"io\"\n\t\"os\"\n)\n\nfunc main() " +
			"{\n\tio.ReadAll(os.Stdin)\n\tos.Stdout.WriteString(\"hello\\n\")\n}\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(src, name), []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	out := filepath.Join(dir, "floor.bin")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", out, ".")
	cmd.Dir = src
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if msg, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the floor: %w: %s", err, msg)
	}
	return out, nil
}

func install(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o755)
}
