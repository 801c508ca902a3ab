//go:build dist && unix

package dist_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/mod/sumdb/note"
)

// made is a release for this machine, made from a clone of what is committed.
type made struct {
	dir     string // what make dist wrote
	key     string // the file with the private key
	version string
}

var once struct {
	sync.Once
	made
	err error
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "trammel-dist-test-*")
	if err != nil {
		panic(err)
	}
	once.dir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

const target = "linux/amd64"

// release makes the release once for all tests.
func release(t *testing.T) made {
	t.Helper()
	once.Do(func() {
		root := once.dir
		secret, public, _ := note.GenerateKey(rand.Reader, "trammel.dev/test")
		once.key = filepath.Join(root, "key")
		once.err = errors.Join(os.WriteFile(once.key, []byte(secret+"\n"), 0o600), os.WriteFile(once.key+".pub", []byte(public+"\n"), 0o644))
		if once.err == nil {
			once.made.dir, once.err = build(root, "first", once.key)
		}
		once.version = "none"
		if found, _ := filepath.Glob(filepath.Join(once.made.dir, "trammel_*_oci.tar")); len(found) == 1 {
			once.version = strings.TrimSuffix(strings.TrimPrefix(filepath.Base(found[0]), "trammel_"), "_oci.tar")
		}
	})
	if once.err != nil {
		t.Fatal(once.err)
	}
	return once.made
}

// build clones the repository to a directory and makes a release there.
func build(root, name, key string) (string, error) {
	clone, out := filepath.Join(root, name, "checkout"), filepath.Join(root, name, "out")
	for _, args := range [][]string{{"git", "clone", "-q", "..", clone},
		{"go", "run", "./dist/make", "-targets", target, "-key", key, "-out", out}} {
		cmd := exec.Command(args[0], args[1:]...)
		if args[0] == "go" {
			cmd.Dir = clone
			cmd.Env = append(os.Environ(), "GOPROXY=off") // off line
		}
		if text, err := cmd.CombinedOutput(); err != nil {
			return "", errors.Join(err, errors.New(string(text)))
		}
	}
	return out, nil
}

// one is the only file of a release that a pattern matches.
func (m made) one(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(m.dir, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: found %q, %v", pattern, found, err)
	}
	return found[0]
}

// TEAM-45: a release is checked offline, against its checksums and its provenance.
// One byte that was changed is found, and so is a file that is missing.
func TestVerifyRelease(t *testing.T) {
	m := release(t)
	verify := func(dir string) (string, error) {
		cmd := exec.Command("go", "run", "./make", "-verify", dir, "-key", m.key)
		cmd.Env = append(os.Environ(), "GOPROXY=off")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := verify(m.dir); err != nil || !strings.Contains(out, "built from commit") {
		t.Fatal(out, err)
	}
	archive := filepath.Base(m.one(t, "trammel_*_linux_amd64.tar.gz"))
	for name, harm := range map[string]func(dir string) error{
		"checksums.txt": func(dir string) error {
			data, err := os.ReadFile(filepath.Join(dir, archive))
			data[len(data)/2] ^= 1
			return errors.Join(err, os.WriteFile(filepath.Join(dir, archive), data, 0o644))
		},
		"provenance.intoto.jsonl": func(dir string) error { return os.Remove(filepath.Join(dir, "provenance.intoto.jsonl")) },
		archive:                   func(dir string) error { return os.Remove(filepath.Join(dir, archive)) },
	} {
		dir := filepath.Join(t.TempDir(), "copy")
		if err := errors.Join(os.CopyFS(dir, os.DirFS(m.dir)), harm(dir)); err != nil {
			t.Fatal(err)
		}
		if out, err := verify(dir); err == nil || !strings.Contains(out, name) {
			t.Errorf("%s: %v %s", name, err, out)
		}
	}
}

// need skips a test for want of a program.
func need(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("needs %s, which is not here", p)
		}
	}
}

// run runs a program that has to succeed, away from the files of the user.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	out, code := try(t, dir, name, args...)
	if code != 0 {
		t.Fatalf("%s %s: exit %d\n%s", name, strings.Join(args, " "), code, out)
	}
	return out
}

// try runs a program and returns what it printed and its exit code.
func try(t *testing.T, dir, name string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+home(t), "CODEX_HOME="+home(t), "npm_config_cache="+filepath.Join(home(t), "npm"),
		"DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1")
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

var homes sync.Map

// home is a home directory for one test.
func home(t *testing.T) string {
	if dir, ok := homes.Load(t); ok {
		return dir.(string)
	}
	dir := t.TempDir()
	homes.Store(t, dir)
	return dir
}

// TEAM-41, TEAM-40: two checkouts in two places give the same bytes, off line.
func TestReproducible(t *testing.T) {
	first := release(t)
	second, err := build(t.TempDir(), "another place, with a longer name", first.key)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(first.dir)
	if err != nil || len(entries) < 12 {
		t.Fatalf("%d files, %v", len(entries), err)
	}
	for _, e := range entries {
		a, err := os.ReadFile(filepath.Join(first.dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(second, e.Name())); err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs, %v", e.Name(), err)
		}
	}
	list, err := os.ReadFile(first.one(t, "trammel_*.cdx.json"))
	if err != nil || !bytes.Contains(list, []byte("pkg:golang/modernc.org/sqlite@v")) || !bytes.Contains(list, []byte(`"value": "h1:`)) {
		t.Errorf("the list of modules is %.500s, %v", list, err)
	}
}
