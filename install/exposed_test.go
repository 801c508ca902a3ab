//go:build unix

package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/test/testfile"
)

// TEAM-08: a file that runs for every user and that others than root can change is
// found, as is its directory; what is not ours is left to its owner.
func TestExposed(t *testing.T) {
	root := os.Geteuid() == 0
	for _, c := range []struct {
		name, text string
		mode, dir  os.FileMode
		owner      int
		want       string
	}{
		{"as it should be", `{"hooks":"/usr/bin/trammel-hook"}`, 0o644, 0o755, 0, ""},
		{"writable by all", `{"hooks":"/usr/bin/trammel-hook"}`, 0o666, 0o755, 0, "others can write it (mode 0666)"},
		{"writable by the group", `{"hooks":"/usr/bin/trammel-hook"}`, 0o664, 0o755, 0, "others can write it (mode 0664)"},
		{"its directory", `{"hooks":"/usr/bin/trammel-hook"}`, 0o644, 0o777, 0, "others can write it (mode 0777)"},
		{"of somebody else", `{"hooks":"/usr/bin/trammel-hook"}`, 0o644, 0o755, 12345, "it belongs to user id 12345"},
		{"not ours", `{}`, 0o666, 0o777, 0, ""},
	} {
		env, _ := machine(t)
		env.Root = filepath.Dir(env.Home)
		path := filepath.Join(env.Root, "etc/claude-code/managed-settings.d/trammel.json")
		testfile.Write(t, path, c.text, 0o644)
		err := os.Chmod(path, c.mode)
		if err == nil {
			err = os.Chmod(filepath.Dir(path), c.dir)
		}
		if err == nil && root {
			err = os.Chown(path, c.owner, -1)
		}
		if err != nil {
			t.Fatal(err)
		}
		if !root && c.text != "{}" {
			c.want = "expected root" // these are the tester's
		}
		got := ""
		for _, found := range Exposed(env, "claude-code") {
			got += found.Path + ": " + found.Detail + "\n"
		}
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: found %q, expected %q", c.name, got, c.want)
		}
	}
}
