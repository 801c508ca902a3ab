package imports

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/trammel-dev/trammel/dialects/extended"
	"github.com/trammel-dev/trammel/importers"
)

var program = flag.String("codex", "", "ask this program again, and write down what it says")

// checked is a command, and what codex execpolicy check says about it.
type checked struct {
	Command  []string `json:"command"`
	Decision string   `json:"decision"`
}

const (
	checkedFile = "testdata/codex-execpolicy.jsonl"
	checkedSize = 2000
)

// commands makes up commands around the rules: their words, in and out of order,
// with options and other words between them.
func commands() (out [][]string) {
	r := rand.New(rand.NewPCG(13, 31))
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	for range checkedSize {
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

// TEAM-31: over 2,000 made-up commands, what is imported from Codex is never
// looser than what Codex's own checker says, allows only what that allows, and
// otherwise says the same but for what the report calls wider.
func TestAgainstCodexExecpolicy(t *testing.T) {
	a, err := txtar.ParseFile("testdata/codex-execpolicy.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if *program != "" {
		ask(t, a.Files[0].Data)
	}
	var source *importers.Source
	for _, s := range extended.Sources() {
		if strings.HasSuffix(s.Files[0], ".rules") {
			source = s
		}
	}
	m, _ := imported(t, source, a)
	ours := map[string]string{"": "none", "prompt": "ask", "forbidden": "deny", "allow": "allow"}
	same, wider, narrower := 0, 0, 0
	for _, c := range recorded(t) {
		line := importers.Join(c.Command)
		got, want := m.judge(t, source.Host, "shell", map[string]any{"command": line}).String(), ours[c.Decision]
		switch {
		case got == want:
			same++
		case got == "allow" || decision(got) < decision(want):
			t.Errorf("%s: got %s, and codex says %s", line, got, want)
		case want == "allow" && got == "none":
			narrower++
		default:
			wider++
		}
	}
	t.Logf("%d the same, %d wider, %d narrower", same, wider, narrower)
	if same < checkedSize*85/100 {
		t.Errorf("only %d of %d are the same", same, checkedSize)
	}
}

func recorded(t *testing.T) (out []checked) {
	t.Helper()
	f, err := os.Open(checkedFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c checked
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	if len(out) != checkedSize {
		t.Fatalf("%d commands, expected %d", len(out), checkedSize)
	}
	return out
}

// ask has the program check all commands, two at a time.
func ask(t *testing.T, rules []byte) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "x.rules")
	if err := os.WriteFile(file, rules, 0o600); err != nil {
		t.Fatal(err)
	}
	all := commands()
	lines := make([]string, len(all))
	var group sync.WaitGroup
	for half := range 2 {
		group.Go(func() {
			for i := half; i < len(all); i += 2 {
				cmd := exec.Command(*program, append([]string{"execpolicy", "check", "--rules", file, "--"}, all[i]...)...)
				cmd.Env = append(os.Environ(), "HOME="+dir)
				out, err := cmd.Output()
				c := checked{Command: all[i]}
				if err == nil {
					err = json.Unmarshal(out, &c)
				}
				if err != nil {
					t.Errorf("%v: %v", all[i], err)
					return
				}
				line, _ := json.Marshal(c)
				lines[i] = string(line)
			}
		})
	}
	group.Wait()
	if !t.Failed() {
		if err := os.WriteFile(checkedFile, fmt.Appendln(nil, strings.Join(lines, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
