package install

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/yamldoc"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/policytest"
	"github.com/trammel-dev/trammel/test/testfile"
)

// Every rule of the starter policy stops what it is for, and lets pass what
// people do all day. A rule that no case proves is an error, too.
func TestStarter(t *testing.T) {
	if !bytes.HasPrefix(Starter(), []byte(yamldoc.SchemaLine)) { // TEAM-51
		t.Errorf("the first line is not %q", yamldoc.SchemaLine)
	}
	root := t.TempDir()
	t.Setenv("HOME", root)
	dirs := layers.Dirs{Machine: filepath.Join(root, "machine"), User: filepath.Join(root, ".config", "trammel"),
		State: filepath.Join(root, ".local", "state", "trammel"), Cache: filepath.Join(root, ".cache", "trammel")}
	testfile.Write(t, filepath.Join(dirs.User, "trammel.yaml"), string(Starter()), 0o600)
	os.Chmod(dirs.User, 0o700)
	cases, err := policytest.Read("testdata/starter_test.yaml")
	if err != nil {
		t.Fatal(err)
	}
	program := full.New(dirs)
	runner := policytest.Runner{Program: &program.Program}
	file := filepath.Join(root, "project", "starter_test.yaml")
	testfile.Write(t, file, "", 0o600)
	proven := map[string]bool{}
	for i := range cases {
		r := runner.Run(t.Context(), file, &cases[i])
		if !r.Passed() {
			t.Errorf("%s: %v %s", r.Name, r.Diff, r.Err)
		}
		for _, id := range cases[i].Expect.Hooks {
			proven[id] = true
		}
	}
	preset, _ := config.PresetText("careful")
	for line := range strings.Lines(string(Starter()) + string(preset)) {
		if id, ok := strings.CutPrefix(strings.TrimSpace(line), "- id: "); ok && !proven[id] {
			t.Errorf("no case proves %s", id)
		}
	}
}
