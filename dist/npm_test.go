//go:build dist && unix

package dist_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TEAM-43: installed with npm, off line, the programs end as they end without
// it: the same exit code, the same signal.
func TestNPM(t *testing.T) {
	need(t, "npm", "npx", "node")
	m, dir := release(t), t.TempDir()
	shim, platform := m.one(t, "trammel-cli-*.tgz"), m.one(t, "trammel-linux-x64-*.tgz")
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private": true}`), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, dir, "npm", "install", "--offline", "--no-audit", "--no-fund", shim, platform)
	real := filepath.Join(dir, "node_modules/@trammel/linux-x64/bin")
	seen := map[int]bool{}
	for _, args := range [][]string{{"trammel", "version"}, {"trammel", "no-such-command"}, {"trammel-hook"},
		{"trammel", "trust"}} {
		want, code := try(t, dir, filepath.Join(real, args[0]), args[1:]...)
		out, got := try(t, dir, "npx", append([]string{"--offline", "--no"}, args...)...)
		if got != code || !strings.Contains(out, strings.TrimSpace(want)) {
			t.Errorf("%s: exit %d, the program itself %d\n%s\n%s", args, got, code, out, want)
		}
		seen[code] = true
	}
	if !seen[0] || !seen[1] || !seen[2] {
		t.Errorf("the exit codes were %v, expected 0, 1 and 2 among them", seen)
	}
	for _, signal := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		killed(t, filepath.Join(dir, "node_modules/.bin/trammel"), signal)
	}

	// npm packs what it installed, as it is.
	packed := t.TempDir()
	run(t, filepath.Join(dir, "node_modules/@trammel/cli"), "npm", "pack", "--pack-destination", packed)
	want := run(t, packed, "sh", "-c", "tar -tzf '"+shim+"' | sort")
	if got := run(t, packed, "sh", "-c", "tar -tzf *.tgz | sort"); got != want {
		t.Errorf("npm packs\n%s\nand we\n%s", got, want)
	}

	// Without the programs of the platform, calls are blocked, and it says why.
	if err := os.RemoveAll(filepath.Dir(real)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"trammel", "trammel-hook"} {
		fix := "npm install --include=optional @trammel/linux-x64@" + m.version
		if out, code := try(t, dir, "npx", "--offline", "--no", name, "version"); code != 2 || !strings.Contains(out, fix) {
			t.Errorf("%s: exit %d, %s", name, code, out)
		}
	}
}

// killed: a program that a signal ends takes the shim with it, by that signal.
func killed(t *testing.T, shim string, signal syscall.Signal) {
	t.Helper()
	cmd := exec.Command(shim, "agent")
	cmd.Env = append(os.Environ(), "HOME="+home(t))
	cmd.Dir = t.TempDir()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	child := 0
	for range 200 {
		data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", cmd.Process.Pid))
		if child, err = strconv.Atoi(strings.TrimSpace(string(data))); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if child == 0 {
		cmd.Process.Kill()
		t.Fatal("the shim starts nothing")
	}
	time.Sleep(500 * time.Millisecond)
	if signal == syscall.SIGKILL {
		err = syscall.Kill(child, signal)
	} else {
		err = cmd.Process.Signal(signal) // is passed on
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	status := cmd.ProcessState.Sys().(syscall.WaitStatus)
	byProgram := signal == syscall.SIGTERM && status.Exited() && status.ExitStatus() != 0 // it handles that one itself
	if !byProgram && status.Signal() != signal {
		t.Errorf("%v: the shim ended with %v", signal, cmd.ProcessState)
	}
	if err := syscall.Kill(child, 0); err == nil {
		t.Errorf("%v: the program is left", signal)
	}
}
