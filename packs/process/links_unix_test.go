//go:build unix

package process_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/packs/process"
)

// FST-70: a file of the pack is a file, and in the pack, also behind links; what
// hangs is not opened.
func TestPathsStayInside(t *testing.T) {
	outside := edited(t)
	for _, name := range []string{"process.manifest.yaml", "profile.yaml", "hooks.yaml", "schemas/artifacts/quote.json",
		"scenarios/all.yaml"} {
		for kind, make := range map[string]func(path string) error{
			"link":      func(path string) error { return os.Symlink(filepath.Join(outside, name), path) },
			"fifo":      func(path string) error { return syscall.Mkfifo(path, 0o600) },
			"directory": func(path string) error { return os.Mkdir(path, 0o700) },
		} {
			t.Run(name+" "+kind, func(t *testing.T) {
				dir := edited(t)
				path := filepath.Join(dir, name)
				os.Remove(path)
				if err := make(path); err != nil {
					t.Fatal(err)
				}
				done := time.AfterFunc(time.Minute, func() { panic("it hangs") })
				defer done.Stop()
				if _, report := process.Read(dir); report.Valid {
					t.Errorf("%+v", report)
				}
			})
		}
	}
}
