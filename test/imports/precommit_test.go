package imports

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/importers/precommit"
)

const preCommit = `default_stages: [pre-commit]
repos:
  - repo: https://example.com/hooks
    rev: v1
    hooks:
      - id: ruff
        files: \.py$
      - {id: gitlint, stages: [commit-msg]}
      - {id: tests, stages: [push, manual]}
`

// TEAM-30: hooks of pre-commit become checks before the agent stops, of the files
// that have changed. They are run for real, with a program that says what it was
// asked to do.
func TestPreCommit(t *testing.T) {
	r, err := importers.Import(&precommit.Source, []importers.File{{Path: ".pre-commit-config.yaml", Data: []byte(preCommit)}},
		importers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := report(r), "6 imported ruff\n8 refused gitlint\n9 imported tests\n"; got != want {
		t.Errorf("the report is\n%s", got)
	}
	var file struct {
		Hooks []struct{ ID, On, Check string } `yaml:"hooks"`
	}
	if err := yaml.Unmarshal([]byte(r.YAML()), &file); err != nil || len(file.Hooks) != 2 || file.Hooks[0].On != "stop" {
		t.Fatalf("%v\n%s", err, r.YAML())
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"old": "1", "a b.py": "1", "pre-commit": "#!/bin/sh\nprintf '%s|' \"$@\"\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	run := func(line string) string {
		t.Helper()
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a",
			"GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
		return string(out)
	}
	run("git init -q && git add old pre-commit && git commit -qm x && echo 2 > old")
	if got, want := run(file.Hooks[0].Check), "run|ruff|--hook-stage|pre-commit|--files|old|a b.py|"; got != want {
		t.Errorf("got %s, expected %s", got, want)
	}
	if got := run(file.Hooks[1].Check); !strings.HasPrefix(got, "run|tests|--hook-stage|pre-push|--files|") {
		t.Errorf("got %s", got)
	}
}
