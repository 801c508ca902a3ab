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
	argv  []string
	env   []string
	input []byte
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
	hook, err := filepath.Abs(filepath.Join(bin, "trammel-hook"))
	if err != nil {
		return err
	}
	project := filepath.Join(dir, "project")
	if err := os.MkdirAll(project, 0o755); err != nil {
		return err
	}
	event := payload(project)
	subjects := []*subject{{name: "go hello world", argv: []string{floor}, input: event}}
	for _, c := range []struct {
		name  string
		hooks int
		when  bool
	}{{"50 hooks", 50, false}, {"500 hooks", 500, false}, {"50 hooks, one `when` runs", 50, true}} {
		home := filepath.Join(dir, strings.ReplaceAll(c.name, " ", "-"))
		if err := writeConfig(home, c.hooks, c.when); err != nil {
			return err
		}
		s := &subject{name: c.name, argv: []string{hook, "claude-code", "PreToolUse"}, input: event,
			env: append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home+"/config", "XDG_STATE_HOME="+home+"/state", "XDG_CACHE_HOME="+home+"/cache")}
		if _, err := s.once(project); err != nil { // compiles the plan
			return fmt.Errorf("%s: %w", c.name, err)
		}
		subjects = append(subjects, s)
	}
	for range rounds {
		for _, s := range subjects {
			took, err := s.once(project)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			s.times = append(s.times, took)
		}
	}
	return report(subjects, gate, len(event))
}

func (s *subject) once(dir string) (time.Duration, error) {
	cmd := exec.Command(s.argv[0], s.argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, s.env, bytes.NewReader(s.input)
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

// payload is a real PreToolUse of Claude Code, filled up to 1 KB.
func payload(project string) []byte {
	event := fmt.Sprintf(`{"session_id":"3bbbded6-8463-4244-99bd-9701d571668d","transcript_path":"/home/dev/.claude/projects/-home-dev-project/3bbbded6.jsonl","cwd":%q,"prompt_id":"a4d7b410-8f8a-4510-a958-b262994e7ccf","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"go test ./... && git status --short","description":"%%s"},"tool_use_id":"toolu_lab3370075_0"}`, project)
	fill := strings.Repeat("Run the tests and show what has changed. ", 40)
	return fmt.Appendf(nil, event, fill[:max(0, 1024-len(event)+2)])
}

func buildFloor(dir string) (string, error) {
	src := filepath.Join(dir, "floor")
	if err := os.MkdirAll(src, 0o755); err != nil {
		return "", err
	}
	files := map[string]string{
		"go.mod":  "module floor\n\ngo 1.26\n",
		"main.go": "package main\n\nimport (\n\t\"io\"\n\t\"os\"\n)\n\nfunc main() {\n\tio.ReadAll(os.Stdin)\n\tos.Stdout.WriteString(\"hello\\n\")\n}\n",
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

// writeConfig declares n hooks as people have them: most for other programs,
// tools and paths than this event's, a few on every shell command.
func writeConfig(home string, n int, when bool) error {
	var b strings.Builder
	b.WriteString("version: 1\nhooks:\n")
	for i := range n {
		switch i % 5 {
		case 0:
			fmt.Fprintf(&b, "  - id: program-%d\n    on: pre_tool_use\n    match: {program: tool%d}\n    deny: {when: 'args.has(\"delete\")', reason: Not with this tool.}\n", i, i)
		case 1:
			fmt.Fprintf(&b, "  - id: path-%d\n    on: pre_tool_use\n    match: {action: [write, edit], path: \"**/generated%d/**\"}\n    deny: Generated files are written by the generator.\n", i, i)
		case 2:
			fmt.Fprintf(&b, "  - id: mcp-%d\n    on: pre_tool_use\n    match: {tool: mcp__server%d__write}\n    ask: This writes to server %d.\n", i, i, i)
		case 3:
			fmt.Fprintf(&b, "  - id: prompt-%d\n    on: user_prompt_submit\n    context: {when: 'prompt contains \"topic %d\"', text: See docs/topic-%d.md.}\n", i, i, i)
		case 4:
			fmt.Fprintf(&b, "  - id: literal-%d\n    on: pre_tool_use\n    match: {action: shell}\n    deny: {when: 'command contains \"forbidden-%d\"', reason: Not this.}\n", i, i)
		}
	}
	if when {
		b.WriteString("  - id: git-force\n    on: pre_tool_use\n    match: {program: git}\n    deny: {when: 'len(args.list) > 0 && args.list[0] == \"push\" && args.has(\"--force\")', reason: No.}\n")
	}
	dir := filepath.Join(home, "config", "trammel")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "trammel.yaml"), []byte(b.String()), 0o600)
}
