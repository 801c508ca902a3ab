package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// TEAM-11: examples/repository guards agents in a container, in Claude Code on
// the web and in Copilot's cloud agent: a sandbox without Trammel runs nothing,
// the script installs one version by its checksum, then the rules hold, and the
// evidence leaves the sandbox.
func TestContainersAndCloud(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the sandboxes are Linux")
	}
	for _, program := range []string{"curl", "tar", "sha256sum", "install"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("needs " + program)
		}
	}
	t.Parallel()
	t.Run("wiring", testExampleWiring)
	t.Run("setup", testExampleSetup)
	t.Run("web", testExampleWeb)
	t.Run("cloud agent", testExampleCloudAgent)
	t.Run("devcontainer", testExampleContainer)
}

// sandbox is a machine of its own with a clone of the example in it, and a
// server that has a release.
type sandbox struct {
	project, home, dir string // dir is where Trammel is installed to
	url                string
	got                map[string]string // what was sent to the server, by path
}

func newSandbox(t *testing.T) *sandbox {
	top := t.TempDir()
	s := &sandbox{project: filepath.Join(top, "workspace"), home: filepath.Join(top, "root"), dir: filepath.Join(top, "bin"),
		got: map[string]string{}}
	if err := os.CopyFS(s.project, os.DirFS("../../examples/repository")); err != nil {
		t.Fatal(err)
	}
	s.must(t, nil, "git init -q && mkdir "+s.home)
	release := t.TempDir() // small, as packing the programs themselves would take longer than all else
	for _, name := range []string{"trammel", "trammel-hook"} {
		text := "#!/bin/sh\nexec " + filepath.Join(bin, name) + ` "$@"` + "\n"
		if err := os.WriteFile(filepath.Join(release, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	archive, err := exec.Command("tar", "-cz", "-C", release, "trammel", "trammel-hook").Output()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPut:
			body, _ := io.ReadAll(r.Body)
			s.got[r.URL.Path] = string(body)
		case regexp.MustCompile(`^/trammel_1\.2\.3_linux_(amd64|arm64)\.tar\.gz$`).MatchString(r.URL.Path):
			w.Write(archive)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	s.pin(t, fmt.Sprintf("%x", sha256.Sum256(archive)))
	return s
}

// pin puts a version and its checksum where the example has zeros.
func (s *sandbox) pin(t *testing.T, sum string) {
	s.edit(t, "tools/trammel-setup.sh", func(text string) string {
		text = strings.ReplaceAll(text, "version=0.0.0", "version=1.2.3")
		return regexp.MustCompile(`[0-9a-f]{64}`).ReplaceAllString(text, sum)
	})
}

func (s *sandbox) edit(t *testing.T, name string, change func(string) string) {
	t.Helper()
	path := filepath.Join(s.project, name)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(change(string(text))), 0o755); err != nil {
		t.Fatal(err)
	}
}

// run runs a command line in the project, with nothing on the PATH but the
// system's programs and what was installed.
func (s *sandbox) run(env []string, stdin, line string) (stdout, stderr string, code int) {
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Stdin = s.project, strings.NewReader(stdin)
	cmd.Env = append([]string{"HOME=" + s.home, "PATH=" + s.dir + ":/usr/bin:/bin", "TRAMMEL_DIR=" + s.dir, "TRAMMEL_FROM=" + s.url,
		"no_proxy=127.0.0.1"}, env...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Run()
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func (s *sandbox) must(t *testing.T, env []string, line string) string {
	t.Helper()
	out, errs, code := s.run(env, "", line)
	if code != 0 {
		t.Fatalf("%s: exit code %d\n%s%s", line, code, out, errs)
	}
	return out
}

// installed reports whether Trammel is there.
func (s *sandbox) installed() bool {
	_, err := os.Stat(filepath.Join(s.dir, "trammel-hook"))
	return err == nil
}

// lines are the command lines of a file of hooks, by event, in order: the fields
// that a sandbox reads.
func (s *sandbox) lines(t *testing.T, name, field string) map[string][]string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(s.project, name))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Hooks map[string][]map[string]any `json:"hooks"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	out := map[string][]string{}
	for event, entries := range file.Hooks {
		for _, entry := range entries {
			if group, ok := entry["hooks"].([]any); ok {
				entry = group[0].(map[string]any)
			}
			line, ok := entry[field].(string)
			if !ok || entry["type"] != "command" {
				t.Errorf("%s: %s has %v, expected a command in %s", name, event, entry, field)
			}
			out[event] = append(out[event], line)
		}
	}
	return out
}

func testExampleWiring(t *testing.T) {
	s := newSandbox(t)
	s.must(t, nil, "git add . && PATH="+bin+":$PATH trammel init claude copilot --scope project --yes")
	if changed := s.must(t, nil, "git diff --stat"); changed != "" {
		t.Errorf("the files are not what init writes:\n%s", changed)
	}
	s.must(t, nil, "PATH="+bin+":$PATH trammel check --isolated")
}

func testExampleSetup(t *testing.T) {
	const setup = "sh tools/trammel-setup.sh"
	s := newSandbox(t)
	s.must(t, nil, setup)
	s.must(t, nil, "trammel --version && trammel-hook --version")
	s.must(t, []string{"TRAMMEL_FROM=http://127.0.0.1:1"}, setup) // a second time nothing is fetched

	for name, sum := range map[string]string{"as it is in the example": strings.Repeat("0", 64), "of another file": strings.Repeat("ab", 32)} {
		other := newSandbox(t)
		other.pin(t, sum)
		_, errs, code := other.run(nil, "", setup)
		if code != 1 || !strings.Contains(errs, "has the checksum") || !strings.Contains(errs, "expected "+sum) || other.installed() {
			t.Errorf("a checksum %s: exit code %d, installed %v: %s", name, code, other.installed(), errs)
		}
		// What was installed with another checksum before does not count.
		s.pin(t, sum)
		if _, _, code := s.run(nil, "", setup); code != 1 {
			t.Errorf("a checksum %s after a release: exit code %d, expected 1", name, code)
		}
	}
	gone := newSandbox(t)
	if _, errs, code := gone.run([]string{"TRAMMEL_FROM=" + gone.url + "/none"}, "", setup); code != 1 || gone.installed() {
		t.Errorf("no archive: exit code %d: %s", code, errs)
	}
}

func testExampleWeb(t *testing.T) {
	s := newSandbox(t)
	hooks := s.lines(t, ".claude/settings.json", "command")
	call := fmt.Sprintf(`{"session_id":"s","transcript_path":"/t","cwd":%q,"permission_mode":"default","hook_event_name":"PreToolUse",`+
		`"tool_name":"Bash","tool_input":{"command":"git push --force"},"tool_use_id":"toolu_1"}`, s.project)
	if _, errs, code := s.run(nil, call, hooks["PreToolUse"][0]); code != 2 || !strings.Contains(errs, "Install it with") {
		t.Errorf("without Trammel: exit code %d: %s", code, errs)
	}
	start := hooks["SessionStart"][0]
	s.must(t, []string{"CLAUDE_PROJECT_DIR=" + s.project}, start)
	if s.installed() {
		t.Error("a session at a desk installs Trammel")
	}
	s.must(t, []string{"CLAUDE_PROJECT_DIR=" + s.project, "CLAUDE_CODE_REMOTE=true"}, start)
	if out, errs, code := s.run(nil, call, hooks["PreToolUse"][0]); code != 0 || !strings.Contains(out, `"permissionDecision":"deny"`) {
		t.Errorf("exit code %d: %s%s", code, out, errs)
	}
}

func testExampleCloudAgent(t *testing.T) {
	s := newSandbox(t)
	job := []string{"COPILOT_AGENT_PROMPT=fix it", "TRAMMEL_EVIDENCE_URL=" + s.url + "/jobs/"}
	cloud := s.lines(t, ".github/hooks/cloud.json", "bash")
	guard := s.lines(t, ".github/hooks/trammel.json", "bash")["preToolUse"][0]
	call := func(command string) string {
		return fmt.Sprintf(`{"sessionId":"c","timestamp":1,"cwd":%q,"toolName":"bash","toolArgs":{"command":%q}}`, s.project, command)
	}
	if out, _, code := s.run(job, call("ls"), guard); code != 2 || !strings.Contains(out, `"permissionDecision":"deny"`) {
		t.Errorf("without Trammel: exit code %d: %s", code, out)
	}
	s.must(t, nil, cloud["sessionStart"][0])
	if s.installed() {
		t.Error("Copilot CLI at a desk installs Trammel")
	}
	s.must(t, job, cloud["sessionStart"][0])
	for command, decision := range map[string]string{"git push -f": `"deny"`, "rm .github/workflows/ci.yml": `"ask"`} {
		if out, errs, code := s.run(job, call(command), guard); code != 0 || !strings.Contains(out, `"permissionDecision":`+decision) {
			t.Errorf("%s: exit code %d, expected %s: %s%s", command, code, decision, out, errs)
		}
	}

	s.must(t, job, cloud["sessionEnd"][0])
	if len(s.got) != 1 {
		t.Fatalf("%d files of evidence have arrived, expected one", len(s.got))
	}
	for name, evidence := range s.got {
		if !strings.HasSuffix(name, "-verified.jsonl") || strings.Count(evidence, "\n") != 2 || !strings.Contains(evidence, "no-force-push") {
			t.Errorf("%s: %s", name, evidence)
		}
	}
	if _, errs, code := s.run(job[:1], "", cloud["sessionEnd"][0]); code != 1 || !strings.Contains(errs, "TRAMMEL_EVIDENCE_URL is not set") {
		t.Errorf("nowhere to send it: exit code %d: %s", code, errs)
	}
	s.must(t, nil, "sed -i s/no-force-push/no-farce-push/ "+s.home+"/.local/state/trammel/evidence/*/*.jsonl")
	if _, errs, code := s.run(job, "", cloud["sessionEnd"][0]); code != 1 || len(s.got) != 2 {
		t.Errorf("a forged log: exit code %d, %d files have arrived: %s", code, len(s.got), errs)
	}
}

func testExampleContainer(t *testing.T) {
	s := newSandbox(t)
	raw, err := os.ReadFile(filepath.Join(s.project, ".devcontainer/devcontainer.json"))
	if err != nil {
		t.Fatal(err)
	}
	var container struct {
		Build      struct{ Dockerfile string }
		RemoteUser string
		Mounts     []string
	}
	if err := json.Unmarshal(raw, &container); err != nil {
		t.Fatal(err)
	}
	raw, err = os.ReadFile(filepath.Join(s.project, ".devcontainer", container.Build.Dockerfile))
	if err != nil {
		t.Fatal(err)
	}
	image := strings.ReplaceAll(string(raw), "\\\n", "")
	state := "/home/" + container.RemoteUser + "/.local/state/trammel"
	if !strings.Contains(container.Mounts[0], "target="+state+",type=volume") || !strings.Contains(image, "-o "+container.RemoteUser) ||
		!strings.Contains(image, state) {
		t.Errorf("the state is not on a volume of the user: %q", container.Mounts)
	}
	for _, arch := range []string{"amd64", "arm64"} {
		pinned := `(?m)^ADD --checksum=sha256:[0-9a-f]{64} +https://\S+/v([0-9.]+)/trammel_[0-9.]+_` + arch + `\.deb /tmp/trammel\.deb$`
		if !regexp.MustCompile(pinned).MatchString(image) {
			t.Errorf("no package for %s with a checksum", arch)
		}
	}
	// The managed files, written as the image does it.
	_, wire, found := strings.Cut(image, "RUN trammel init --scope machine --emit / ")
	if !found {
		t.Fatal("the image has no managed files")
	}
	wire, _, _ = strings.Cut(wire, "\n")
	root := t.TempDir()
	s.must(t, nil, bin+"/trammel init --scope machine --emit "+root+" "+wire)
	managed, err := os.ReadFile(filepath.Join(root, "etc/claude-code/managed-settings.d/trammel.json"))
	if err != nil || !strings.Contains(string(managed), "/usr/bin/trammel-hook") { // where the package has it
		t.Errorf("%v: %s", err, managed)
	}
	s.must(t, nil, "cp .devcontainer/machine.yaml trammel.yaml && rm trammel_test.yaml && PATH="+bin+":$PATH trammel check --isolated")
}
