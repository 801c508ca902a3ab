//go:build e2e && unix

package flowkit

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/test/programs"
	"github.com/trammel-dev/trammel/test/testfile"
)

// kit is the package that holds it. 6.3.0 has 23 fixtures.
const (
	kit      = "@kontourai/flow-agents@6.3.0"
	fixtures = 23
)

// box is a copy of the kit, our programs, and nothing of this machine.
type box struct{ dir string }

func newBox(t *testing.T) box {
	for _, program := range []string{"npm", "node", "/usr/bin/git"} {
		if _, err := exec.LookPath(program); err != nil {
			skip(t, "no "+program+" on this machine")
		}
	}
	b := box{t.TempDir()}
	unpack(t, download(t, b.dir), b.dir)
	if err := programs.Isolated(filepath.Join(b.dir, "bin")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"home", "tmp"} {
		if err := os.Mkdir(filepath.Join(b.dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func (b box) hook() string { return filepath.Join(b.dir, "bin", "trammel-hook") }

func (b box) run(stdin, program string, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	cmd.Dir = filepath.Join(b.dir, "package")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(b.dir, "home"), "TMPDIR=" + filepath.Join(b.dir, "tmp")}
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestPublicKit(t *testing.T) {
	b := newBox(t)
	// FLOW-53: it passes at L2, all of it, with our binary as the adapter.
	t.Run("L2", func(t *testing.T) {
		out, err := b.run("", "node", "packaging/conformance/run-conformance.js", "--adapter-cmd", b.hook()+" flow-agents", "--level", "L2",
			"--verbose")
		passed := strings.Count(out, "  PASS  [L")
		if err != nil || passed != fixtures || strings.Contains(out, "  FAIL  [L") {
			t.Errorf("%d of %d, %v\n%s", passed, fixtures, err, out)
		}
		t.Logf("%s: %d of %d at L2", kit, passed, fixtures)
	})
	// FLOW-34: the log that we write is a whole chain to the reference, too.
	t.Run("log", func(t *testing.T) {
		task := filepath.Join(b.dir, "work", ".kontourai", "flow-agents", "t")
		if err := os.MkdirAll(task, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(task, "state.json"), []byte(`{"status":"in_progress"}`), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"make", `echo \"é\u2028 <&>\"`, "make test"} {
			payload := `{"hook_event_name":"PostToolUse","cwd":"` + filepath.Join(b.dir, "work") +
				`","tool_name":"Bash","tool_input":{"command":"` + command + `"},"tool_response":{"exitCode":1}}`
			if out, err := b.run(payload, b.hook(), "flow-agents"); err != nil || out != payload {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		out, err := b.run("", "node", "-p",
			`JSON.stringify(require("./scripts/lib/command-log-chain.js").verifyCommandLogRaw(require("fs").readFileSync(process.argv[1],`+
				`"utf8")))`, filepath.Join(task, "command-log.jsonl"))
		if err != nil || !strings.Contains(out, `"status":"ok"`) || !strings.Contains(out, `"seq":2`) {
			t.Errorf("%v: %s", err, out)
		}
	})
}

// download fetches the package from the registry.
func download(t *testing.T, dir string) string {
	t.Helper()
	cmd := exec.Command("npm", "pack", kit, "--silent", "--fetch-retries=1", "--fetch-timeout=60000")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		for _, code := range []string{"EAI_AGAIN", "ENOTFOUND", "ECONNREFUSED", "ECONNRESET", "ENETUNREACH", "EHOSTUNREACH", "ETIMEDOUT"} {
			if strings.Contains(string(out), code) {
				skip(t, "npm registry unreachable: "+code)
			}
		}
		t.Fatalf("npm pack %s: %v\n%s", kit, err, out)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(files) != 1 {
		t.Fatalf("npm pack left %v, %v", files, err)
	}
	return files[0]
}

// unpack takes the kit out of the package, and the library that reads logs.
func unpack(t *testing.T, file, dir string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewReader(zip)
	for {
		head, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if head.Typeflag != tar.TypeReg || !filepath.IsLocal(head.Name) || !strings.HasPrefix(head.Name, "package/packaging/conformance/") &&
			!strings.HasPrefix(head.Name, "package/scripts/lib/") {
			continue
		}
		data, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		testfile.Write(t, filepath.Join(dir, head.Name), string(data), 0o600)
	}
}

// skip skips with its reason, or fails where everything has to run.
func skip(t *testing.T, reason string) {
	t.Helper()
	if os.Getenv("TRAMMEL_E2E_REQUIRE") != "" {
		t.Fatalf("cannot be skipped here: %s", reason)
	}
	t.Skip(reason)
}
