//go:build dist && unix

package dist_test

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// agent is a program that "make e2e" has installed.
func agent(t *testing.T, folder, name string) string {
	t.Helper()
	user, _ := os.UserHomeDir()
	path := filepath.Join(cmp.Or(os.Getenv("TRAMMEL_E2E_CACHE"), filepath.Join(user, ".cache/trammel-e2e")), folder, "node_modules/.bin", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("needs %s, which make e2e installs: %v", name, err)
	}
	return path
}

// tree is where the plugins are unpacked.
func tree(t *testing.T) string {
	dir := t.TempDir()
	run(t, dir, "tar", "-xzf", release(t).one(t, "*_plugins.tar.gz"))
	return dir
}

// TEAM-46: Claude Code takes the marketplace and the plugin in it.
func TestClaudePlugin(t *testing.T) {
	claude, dir := agent(t, "claude-code", "claude"), tree(t)
	run(t, dir, claude, "plugin", "validate", dir)
	run(t, dir, claude, "plugin", "validate", filepath.Join(dir, "plugins/trammel"))
	run(t, dir, claude, "plugin", "marketplace", "add", dir)
	run(t, dir, claude, "plugin", "install", "trammel@trammel")
	if out := run(t, dir, claude, "plugin", "list"); !strings.Contains(out, "trammel@trammel") || !strings.Contains(out, once.version) {
		t.Errorf("it lists %s", out)
	}
}

// TEAM-46: so does Codex.
func TestCodexPlugin(t *testing.T) {
	codex, dir := agent(t, "codex", "codex"), tree(t)
	run(t, dir, codex, "plugin", "marketplace", "add", dir)
	run(t, dir, codex, "plugin", "add", "trammel@trammel")
	if out := run(t, dir, codex, "plugin", "list"); !strings.Contains(out, "installed, enabled") {
		t.Errorf("it lists %s", out)
	}
}

// TEAM-46: and Gemini CLI the extension.
func TestGeminiExtension(t *testing.T) {
	gemini, dir := agent(t, "gemini-cli", "gemini"), tree(t)
	run(t, dir, gemini, "extensions", "validate", filepath.Join(dir, "gemini"))
}

// TEAM-46: pi and opencode load modules with one function; Node can read them.
func TestModules(t *testing.T) {
	need(t, "node")
	dir := filepath.Join(tree(t), "npm")
	out := run(t, dir, "node", "--input-type=module", "-e", `for (const f of ["pi", "opencode"]) {
		const all = Object.values(await import("`+dir+`/" + f + ".js"));
		console.log(f, all.length > 0 && all.every((v) => typeof v === "function"));
	}`)
	if !strings.HasSuffix(out, "pi true\nopencode true\n") {
		t.Error(out)
	}
}

// TEAM-44: the steps of the action install the release from a server and run
// check: clean, with findings, and not at all if install.sh is another.
func TestAction(t *testing.T) {
	need(t, "bash", "curl", "openssl")
	m := release(t)
	server := httptest.NewServer(http.FileServer(http.Dir(m.dir)))
	defer server.Close()
	text, err := os.ReadFile("../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Runs struct {
			Steps []struct {
				Run string
				Env map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(text, &action); err != nil || len(action.Runs.Steps) != 2 {
		t.Fatalf("%d steps, %v", len(action.Runs.Steps), err)
	}
	script, err := os.ReadFile(m.one(t, "install.sh"))
	if err != nil {
		t.Fatal(err)
	}
	sum := strings.Fields(run(t, m.dir, "sha256sum", "install.sh"))[0]
	good, bad := t.TempDir(), t.TempDir()
	rule := "version: 1\nhooks:\n  - {id: one, on: pre_tool_use, match: {program: git}, deny: {when: 'args.has(\"push\")', reason: No.}}\n"
	for dir, text := range map[string]string{good: rule, bad: "version: 1\nhooks: 7\n"} {
		if err := os.WriteFile(filepath.Join(dir, "trammel.yaml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, sum, dir string
		steps          int // that succeed
		says           string
	}{{"clean", sum, good, 2, ""}, {"without a sum", "", good, 2, ""}, {"findings", sum, bad, 1, "::error"},
		{"another script", strings.Repeat("0", 64), good, 0, "::error::install.sh has the checksum"}} {
		temp := t.TempDir()
		path := filepath.Join(temp, "path")
		for i, step := range action.Runs.Steps {
			cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
			added, _ := os.ReadFile(path)
			cmd.Dir = c.dir
			cmd.Env = []string{"HOME=" + temp, "CI=true", "RUNNER_TEMP=" + temp, "GITHUB_PATH=" + path, "VERSION=" + m.version, "SHA256=" + c.sum,
				"FROM=" + server.URL, "PATH=" + strings.TrimSpace(string(added)) + ":" + os.Getenv("PATH")}
			out, err := cmd.CombinedOutput()
			if (err == nil) != (i < c.steps) || err != nil && !strings.Contains(string(out), c.says) {
				t.Errorf("%s, step %d: %v\n%s", c.name, i, err, out)
			}
			if err != nil {
				break
			}
		}
	}
	if !strings.Contains(string(script), "trammel.dev/test") {
		t.Error("install.sh does not name the key")
	}
}

// TEAM-44: the install script has none of the faults that shellcheck knows.
func TestShellcheck(t *testing.T) {
	need(t, "shellcheck")
	run(t, ".", "shellcheck", "script/install.sh")
}
