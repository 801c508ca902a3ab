//go:build e2e && unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/trammel-dev/trammel/test/e2e/model"
)

// TestUninstall: after init and uninstall the host's files are what they were,
// byte for byte (FLOW-62).
func TestUninstall(t *testing.T) {
	t.Parallel()
	if !ready.Init {
		skip(t, "trammel has no init yet")
	}
	eachHost(t, func(t *testing.T, h host) {
		note(t, h, "")
		b := newBox(t)
		m := model.Start(attempt(h.shell("true")))
		defer m.Close()
		h.settle(t, b, m)
		before := snapshot(t, b)
		wire(t, b, h, ready.Hook, nil)
		if cmp.Equal(before, snapshot(t, b)) {
			t.Fatal("init has changed nothing")
		}
		cmd := exec.Command(ready.Trammel, "uninstall", "--host", h.name(), "--scope", "user", "--yes")
		cmd.Env = b.env()
		if e := b.run(t, cmd); e.code != 0 {
			t.Fatalf("trammel uninstall: exit code %d\n%s%s", e.code, e.stdout, e.stderr)
		}
		if diff := cmp.Diff(before, snapshot(t, b)); diff != "" {
			t.Error(diff)
		}
	})
}

// snapshot reads every file of the box that is not Trammel's own.
func snapshot(t *testing.T, b *box) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(b.home, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == "node_modules" {
			return errOrSkip(err)
		}
		if d.Type().IsRegular() && !strings.HasPrefix(path, filepath.Dir(b.config())) {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			files[path] = string(data)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func errOrSkip(err error) error {
	if err != nil {
		return err
	}
	return filepath.SkipDir
}
