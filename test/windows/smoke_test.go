//go:build e2e && linux

package windows

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/test/programs"
)

const payload = `{"session_id":"s","cwd":"C:\\work","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"COMMAND"}}`

// TEAM-47: the Windows programs start, judge, and keep their exit codes.
func TestWindows(t *testing.T) {
	wine, err := exec.LookPath("wine")
	if err != nil {
		t.Skip("wine is not installed: the Windows programs are not run")
	}
	w := newBox(t, wine)
	if out, code := w.run("", "trammel.exe", "version"); code != 0 || !strings.Contains(out, "windows/amd64") {
		t.Fatalf("exit code %d: %s", code, out)
	}
	rules := "version: 1\nhooks:\n  - id: no-force\n    on: PreToolUse\n    match: { program: git }\n" +
		"    deny: { when: 'args.has(\"--force\")', reason: Force-push is off. }\n"
	if err := os.WriteFile(filepath.Join(w.config, "trammel.yaml"), []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	flags := []string{"--user-config", `C:\conf`, "--state", `C:\state`}
	for _, tc := range []struct {
		name, input string
		args        []string
		code        int
		want        string
	}{
		{"lint", "", append([]string{"trammel.exe"}, append(flags, "lint")...), 0, ""},
		{"explain passes", "", append([]string{"trammel.exe"}, append(flags, "explain", "git push")...), 0, "verdict: none"},
		{"explain denies", "", append([]string{"trammel.exe"}, append(flags, "explain", "git push --force")...), 2, "Force-push is off."},
		{"no such command", "", []string{"trammel.exe", "nonsense"}, 2, "nonsense"},
		{"the hook denies", strings.Replace(payload, "COMMAND", "cmd /c git push --force", 1),
			append([]string{"trammel-hook.exe"}, append(flags, "claude-code", "PreToolUse")...), 0, `"permissionDecision":"deny"`},
		{"the hook passes", strings.Replace(payload, "COMMAND", "git push", 1),
			append([]string{"trammel-hook.exe"}, append(flags, "claude-code", "PreToolUse")...), 0, ""},
		{"the record holds", "", append([]string{"trammel.exe"}, append(flags, "evidence", "verify", "--all")...), 0, "2 records"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out, code := w.run(tc.input, tc.args[0], tc.args[1:]...)
			if code != tc.code || !strings.Contains(out, tc.want) || tc.name == "the hook passes" && strings.Contains(out, "deny") {
				t.Errorf("exit code %d, expected %d with %q:\n%s", code, tc.code, tc.want, out)
			}
		})
	}
}

// box is a Windows of its own.
type box struct {
	t            *testing.T
	wine, prefix string
	bin, config  string
}

func newBox(t *testing.T, wine string) *box {
	dir := t.TempDir()
	w := &box{t: t, wine: wine, prefix: filepath.Join(dir, "prefix"), bin: filepath.Join(dir, "bin")}
	t.Cleanup(func() { _, _ = w.command("", "wineboot", "--kill").CombinedOutput() })
	build := exec.Command("go", "build", programs.Follow, "-o", w.bin+"/", "./cmd/trammel", "./cmd/trammel-hook")
	build.Dir, build.Env = "../..", append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := w.command("", "wineboot", "--init").CombinedOutput(); err != nil {
		t.Fatalf("wineboot: %v: %s", err, out)
	}
	drive := filepath.Join(w.prefix, "drive_c")
	w.config = filepath.Join(drive, "conf")
	for _, d := range []string{w.config, filepath.Join(drive, "state"), filepath.Join(drive, "work")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	library := forwarder("bcryptprimitives.dll", "ProcessPrng", "ADVAPI32.SystemFunction036")
	if err := os.WriteFile(filepath.Join(drive, "windows", "system32", "bcryptprimitives.dll"), library, 0o644); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *box) command(input, program string, args ...string) *exec.Cmd {
	ctx, stop := context.WithTimeout(context.Background(), 3*time.Minute)
	w.t.Cleanup(stop)
	cmd := exec.CommandContext(ctx, w.wine, append([]string{program}, args...)...)
	cmd.Env = append(os.Environ(), "WINEPREFIX="+w.prefix, "WINEDEBUG=-all", "WINEARCH=win64",
		"WINEDLLOVERRIDES=bcryptprimitives=n;mscoree,mshtml=")
	cmd.Stdin = strings.NewReader(input)
	return cmd
}

// run runs one of our programs and returns what it says, and its exit code.
func (w *box) run(input, program string, args ...string) (string, int) {
	cmd := w.command(input, filepath.Join(w.bin, program), args...)
	out, _ := cmd.CombinedOutput()
	return string(out), cmd.ProcessState.ExitCode()
}
