//go:build e2e && unix

package e2e

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// madeUpCommands are commands around the rules: their words, in and out of order,
// with options and other words between them.
func madeUpCommands() (out [][]string) {
	r := rand.New(rand.NewPCG(13, 31))
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	for range 2000 {
		c := []string{pick("git", "git", "git", "rm", "npm", "pnpm", "docker", "kubectl", "ls", "terraform", "make", "cargo", "/usr/bin/git",
			"aws")}
		for range r.IntN(5) {
			c = append(c, pick("push", "push", "commit", "status", "log", "--force", "-f", "origin", "main", "-rf", "-r", "-fr", "publish",
				"run", "exec", "test", "destroy", "delete", "get", "--all", "-n", "x", "compose", "up", "s3", "rb", "-C", "stash", "--"))
		}
		out = append(out, c)
	}
	return out
}

// TEAM-31: Codex's own checker says about 2,000 commands what test/imports compares
// the imported rules with. TRAMMEL_E2E_UPDATE=1 writes down what it says.
func TestCodexExecpolicy(t *testing.T) {
	const file = "../imports/testdata/codex-execpolicy.jsonl"
	shim, err := codex{}.packages().install()
	var missing unavailable
	if errors.As(err, &missing) {
		skip(t, "no codex: "+err.Error())
	} else if err != nil {
		t.Fatal(err)
	}
	modules := filepath.Dir(filepath.Dir(shim)) // the program itself starts faster than what npm puts before it
	found, _ := filepath.Glob(filepath.Join(modules, "@openai", "codex-*", "vendor", "*", "bin", "codex"))
	program := append(found, shim)[0]
	a, err := txtar.ParseFile("../imports/testdata/codex-execpolicy.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	rules := filepath.Join(dir, a.Files[0].Name)
	if err := os.WriteFile(rules, a.Files[0].Data, 0o600); err != nil {
		t.Fatal(err)
	}
	all := madeUpCommands()
	lines := make([]string, len(all))
	var group sync.WaitGroup
	for half := range 2 {
		group.Go(func() {
			for i := half; i < len(all) && !t.Failed(); i += 2 {
				cmd := exec.Command(program, append([]string{"execpolicy", "check", "--rules", rules, "--"}, all[i]...)...)
				cmd.Env = append(os.Environ(), "HOME="+dir, "PATH="+pathFor(shim))
				out, err := cmd.Output()
				said := struct {
					Command  []string `json:"command"`
					Decision string   `json:"decision"`
				}{Command: all[i]}
				if err == nil {
					err = json.Unmarshal(out, &said)
				}
				if err != nil {
					t.Errorf("%v: %v", all[i], err)
				}
				line, _ := json.Marshal(said)
				lines[i] = string(line) + "\n"
			}
		})
	}
	group.Wait()
	if got := strings.Join(lines, ""); os.Getenv("TRAMMEL_E2E_UPDATE") != "" && !t.Failed() {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	recorded, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.SplitAfter(strings.TrimSuffix(string(recorded), "\n"), "\n") {
		if i < len(lines) && strings.TrimSpace(line) != strings.TrimSpace(lines[i]) {
			t.Errorf("codex says %s and test/imports has %s", lines[i], line)
		}
	}
}
