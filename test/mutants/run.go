package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// outcome is what became of a mutant.
type outcome string

const (
	killed    outcome = "killed"
	survived  outcome = "survived"
	justified outcome = "justified"
	unusable  outcome = "unusable" // it does not compile
)

// maxRun bounds the tests of one mutant: one that loops for ever is killed, too.
const maxRun = 2 * time.Minute

// unrelated are tests that look at the tree as it lies there, not at what the
// changed program does: they notice nothing and take long.
const unrelated = "TestArchitecture|TestHotProgramLinks|TestRequirements|Page$|Instructions|TestScripts"

// try runs the tests of each of the packages in order against the mutant, until
// one of them notices it.
func try(ctx context.Context, m *mutant, tests []string) (outcome, error) {
	dir, err := os.MkdirTemp("", "mutant-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	src, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(dir, filepath.Base(m.file))
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{m.file: changed}})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := errors.Join(os.WriteFile(changed, m.apply(src), 0o600), os.WriteFile(list, overlay, 0o600)); err != nil {
		return "", err
	}
	for _, pkg := range tests {
		run, stop := context.WithTimeout(ctx, maxRun)
		cmd := exec.CommandContext(run, "go", "test", "-overlay", list, "-vet=off", "-failfast", "-count=1", "-skip", unrelated, pkg)
		cmd.WaitDelay = time.Second
		out, err := cmd.CombinedOutput()
		timedOut := run.Err() != nil && ctx.Err() == nil
		stop()
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case timedOut:
			return killed, nil
		case err != nil && strings.Contains(string(out), "[build failed]"):
			return unusable, nil
		case err != nil:
			return killed, nil
		}
	}
	return survived, nil
}
