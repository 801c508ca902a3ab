package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/docs"
	"github.com/trammel-dev/trammel/test/pages"
)

// TEAM-55: every command in README and the pages is executed, in a project and a
// home of its own, or the block says why it is not. What a console shows must be
// what is printed, numbers aside.
func TestCommandsOfThePages(t *testing.T) {
	if runtime.GOOS == "windows" || testing.Short() {
		t.Skip("the pages are for a POSIX shell")
	}
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	run := 0
	for _, page := range append(docs.Pages(), docs.Page{Path: "README.md", Text: string(readme)}) {
		if page.Group == "reference" { // the examples of --help
			continue
		}
		var blocks []pages.Block
		for _, b := range pages.Blocks(page.Path, page.Text) {
			at := fmt.Sprintf("%s:%d", b.Page, b.Line)
			switch {
			case !b.Commands():
			case b.Why != "":
				if pages.Whys[b.Why] == "" {
					t.Errorf("%s: %q is no reason not to execute commands", at, b.Why)
				}
			case b.Language != "sh" && b.Language != "console":
				t.Errorf("%s: there are commands in it: say ```sh or ```console, with a reason behind it if they cannot be executed", at)
			default:
				blocks = append(blocks, b)
			}
		}
		run += len(blocks)
		if len(blocks) > 0 {
			t.Run(page.Path, func(t *testing.T) {
				t.Parallel()
				play(t, blocks)
			})
		}
	}
	if run < 10 {
		t.Errorf("only %d blocks are executed", run)
	}
}

// reader is somebody with a home and a project who runs the scripts of a page.
type reader struct{ home, project, prelude string }

func newReader(t *testing.T) *reader {
	home := t.TempDir()
	r := &reader{home: home, project: filepath.Join(home, "app")}
	if err := os.CopyFS(r.project, os.DirFS("testdata/pages/project")); err != nil {
		t.Fatal(err)
	}
	prelude, err := os.ReadFile("testdata/pages/prelude.sh")
	if err != nil {
		t.Fatal(err)
	}
	r.prelude = string(prelude)
	user, err := filepath.Abs("testdata/pages/user.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := r.shell(`git init -q . && git remote add origin https://github.com/me/app.git
mkdir -p "$HOME/.config/trammel" && cp ` + user + ` "$HOME/.config/trammel/trammel.yaml"
trammel trust --yes
echo '{"event":"pre_tool_use","tool":{"name":"Bash","input":{"command":"ls"}}}' | trammel run
echo '{"event":"pre_tool_use","tool":{"name":"Bash","input":{"command":"ls -l"}}}' | trammel run`); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return r
}

// shell runs a script in the project, and returns what it printed.
func (r *reader) shell(script string) (string, error) {
	cmd := exec.Command("sh")
	cmd.Dir, cmd.Stdin = r.project, strings.NewReader(r.prelude+script)
	cmd.Env = []string{"HOME=" + r.home, "BIN=" + bin, "PATH=" + bin + ":" + os.Getenv("PATH"), "NO_COLOR=1", "LANG=C.UTF-8"}
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	return strings.ReplaceAll(string(out), r.home, "/home/me"), err
}

// play executes the blocks of one page, one after the other.
func play(t *testing.T, blocks []pages.Block) {
	r := newReader(t)
	for _, b := range blocks {
		for _, step := range b.Steps() {
			out, err := r.shell(step.Command)
			if err != nil {
				t.Errorf("%s:%d: %v\n%s%s", b.Page, b.Line, err, step.Command, out)
				continue
			}
			rest := plain(out)
			for _, line := range step.Shown {
				_, after, found := strings.Cut(rest, plain(line))
				if !found {
					t.Errorf("%s:%d: the page shows %q, and this is printed:\n%s", b.Page, b.Line, line, out)
					break
				}
				rest = after
			}
		}
	}
}

var number = regexp.MustCompile(`\b[0-9a-f]*[0-9][0-9a-f]*(\.[0-9]+)?( (µs|ms|s)\b)?`)

// plain is a text without what differs from run to run.
func plain(text string) string {
	return strings.Join(strings.Fields(number.ReplaceAllString(text, "0")), " ")
}
