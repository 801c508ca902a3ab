// Command backtest measures how long it takes to replay 100,000 recorded events
// against a configuration: the preset careful and fifty rules. Ten seconds on two
// idle processors are the aim.
//
//	go run ./test/bench/backtest
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/backtest"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline"
	"github.com/trammel-dev/trammel/pipeline/full"
)

const (
	events   = 100_000
	distinct = 500 // events that are really judged; the log repeats their records
)

func main() {
	took, report, err := measure()
	if err != nil {
		fmt.Fprintln(os.Stderr, "backtest:", err)
		os.Exit(1)
	}
	fmt.Printf("%d records in %.1f s on %d processors: %d replayed, %d unchanged, apart %v\n", report.Records, took.Seconds(),
		runtime.GOMAXPROCS(0), report.Replayed, report.Unchanged, report.Apart)
}

func measure() (time.Duration, *backtest.Report, error) {
	root, err := os.MkdirTemp("", "trammel-bench-")
	if err != nil {
		return 0, nil, err
	}
	defer os.RemoveAll(root)
	dirs := layers.Dirs{State: filepath.Join(root, "state"), User: filepath.Join(root, "user"), Cache: filepath.Join(root, "state", "cache")}
	project := filepath.Join(root, "project")
	for _, dir := range []string{dirs.State, dirs.User, project} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return 0, nil, err
		}
	}
	if err := os.WriteFile(filepath.Join(dirs.User, layers.FileName), []byte(rules()), 0o600); err != nil {
		return 0, nil, err
	}
	log, err := record(dirs, project)
	if err != nil {
		return 0, nil, err
	}
	set, err := backtest.Changed(dirs, project, "")
	if err != nil {
		return 0, nil, err
	}
	began := time.Now()
	report, err := backtest.Run(context.Background(), backtest.Options{Dirs: dirs, Log: log, Set: set})
	return time.Since(began), report, err
}

func rules() string {
	var b strings.Builder
	b.WriteString("version: 1\npreset: careful\nhooks:\n")
	for i := range 50 {
		fmt.Fprintf(&b, "  - {id: r%d, on: pre_tool_use, match: {program: [git, tool%d]}, "+
			"deny: {when: 'args.has(\"--bad-%d\")', reason: no}}\n", i, i, i)
	}
	return b.String()
}

// record has an agent call tools, and makes its log as long as it has to be.
func record(dirs layers.Dirs, project string) (string, error) {
	p := full.New(dirs)
	p.Remember = time.Hour
	commands := []string{"git status", "go test ./pkg%d", "ls -l src/dir%d && cat README.md", "git commit -am 'change %d'",
		"grep -rn TODO%d src | head",
		"npm run build -- --part=%d", "git push --bad-3 origin b%d"}
	for i := range distinct {
		input := map[string]any{"command": strings.ReplaceAll(commands[i%len(commands)], "%d", fmt.Sprint(i))}
		tool := "Bash"
		if i%3 == 0 {
			tool, input = "Read", map[string]any{"file_path": filepath.Join(project, fmt.Sprintf("src/file%d.go", i))}
		}
		payload, err := canonical.Append(nil, map[string]any{"hook_event_name": "PreToolUse", "session_id": "s", "cwd": project,
			"tool_name": tool, "tool_input": input, "tool_use_id": fmt.Sprint("t", i)})
		if err != nil {
			return "", err
		}
		p.Answer(context.Background(), pipeline.Call{Host: "claude-code", Event: "PreToolUse", Payload: payload, Dir: project})
	}
	log, err := pipeline.EvidenceDir(dirs, project)
	if err != nil {
		return "", err
	}
	var bodies [][]byte
	err = evidence.Scan(log, func(e evidence.Entry) error { bodies = append(bodies, slices.Clone(e.Body)); return nil })
	if err != nil {
		return "", err
	}
	for i := len(bodies); i < events; i++ {
		if _, err := evidence.Open(log, evidence.Options{}).Append(context.Background(), bodies[i%len(bodies)]); err != nil {
			return "", err
		}
	}
	return log, nil
}
