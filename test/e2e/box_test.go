//go:build e2e && unix

package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/test/testfile"
)

// box is a world of its own for one run of an agent: a home, a project, and
// nothing of the user's.
type box struct {
	host    string // who works in it
	home    string
	project string // where the agent works; its markers are here
	state   string // $XDG_STATE_HOME
	bin     string // first on the PATH, if it is not ""
	extra   []string
	waits   time.Duration // for people, at most
}

func newBox(t *testing.T) *box {
	dir := t.TempDir()
	b := &box{
		home:    filepath.Join(dir, "home"),
		project: filepath.Join(dir, "project"),
		state:   filepath.Join(dir, "state"),
	}
	for _, d := range []string{b.home, b.project} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func (b *box) env() []string {
	return append([]string{
		"PATH=" + b.path(os.Getenv("PATH")),
		"HOME=" + b.home,
		"XDG_CONFIG_HOME=" + filepath.Join(b.home, ".config"),
		"XDG_CACHE_HOME=" + filepath.Join(b.home, ".cache"),
		"XDG_STATE_HOME=" + b.state,
		"TMPDIR=" + os.TempDir(),
		"LANG=C.UTF-8",
	}, b.extra...)
}

// command is a command of a host in the box.
func (b *box) command(h host, args ...string) *exec.Cmd {
	program := ready.Hosts[h.name()]
	cmd := exec.Command(program, args...)
	cmd.Env = append(b.env(), "PATH="+b.path(pathFor(program)))
	return cmd
}

// path is a PATH with the programs of the box before it.
func (b *box) path(path string) string {
	if b.bin == "" {
		return path
	}
	return b.bin + string(os.PathListSeparator) + path
}

// config is the path of the user's trammel.yaml.
func (b *box) config() string { return filepath.Join(b.home, ".config", "trammel", "trammel.yaml") }

// put writes a file, and the folders above it.
func (b *box) put(t *testing.T, path, content string) { testfile.Write(t, path, content, 0o600) }

// ended is how a program came to its end.
type ended struct {
	code           int
	stdout, stderr string
	took           time.Duration
	late           bool // it was killed, because its time was up
}

// timeLimit is far above what a run takes, also on a busy machine.
const timeLimit = 120 * time.Second

// run runs a program in the project, as a process group that does not outlive
// it.
func (b *box) run(t *testing.T, cmd *exec.Cmd) ended {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = b.project, &stdout, &stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Second // for a child that keeps our pipes open
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	killGroup := func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	timer := time.AfterFunc(b.waits+timeLimit, killGroup)
	cmd.Wait() // how it ended is in ProcessState
	late := !timer.Stop()
	killGroup()
	return ended{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), time.Since(begin), late}
}

// quote makes one word of s for a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
