//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/trammel-dev/trammel/install"
)

// TestManaged: agents without wiring of their own deny because of the files that an
// administrator deploys (TEAM-08). It is not parallel: the files are there for
// every agent of the namespace.
func TestManaged(t *testing.T) {
	files, err := install.Managed("linux", ready.Hook)
	if err != nil {
		t.Fatal(err)
	}
	deployed := map[string]install.ManagedFile{}
	for _, f := range files {
		deployed[f.Host] = f
	}
	eachHost(t, func(t *testing.T, h host) {
		f, ok := deployed[h.name()]
		if !ok {
			t.Skip("it has no managed file that is known")
		}
		note(t, h, "")
		s := scenario{config: noTouch, check: denied("no-touch", "Make files with the Write tool."), wire: func(t *testing.T, _ *box, _ host) {
			ownEtc(t)
			if err := os.MkdirAll(filepath.Dir(f.Path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(f.Path, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}}
		s.play(t, h)
	})
}

// ownEtc lays a file system over /etc that takes what is written there, until
// the test ends.
func ownEtc(t *testing.T) {
	t.Helper()
	if ready.Exposed != "" {
		skip(t, "no mount: "+ready.Exposed)
	}
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "mode=0755"); err != nil {
		skip(t, "no mount: "+err.Error())
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	upper, work := filepath.Join(dir, "upper"), filepath.Join(dir, "work")
	for _, d := range []string{upper, work} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	layers := strings.Join([]string{"lowerdir=/etc", "upperdir=" + upper, "workdir=" + work}, ",")
	if err := syscall.Mount("overlay", "/etc", "overlay", 0, layers); err != nil {
		skip(t, "no overlay over /etc: "+err.Error())
	}
	t.Cleanup(func() { syscall.Unmount("/etc", syscall.MNT_DETACH) })
}
