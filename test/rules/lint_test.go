package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline/full"
)

// TEAM-23: lint reports rules that can never do what their author means, and leaves the
// others alone. See testdata/lint.
func TestLintReportsMistakes(t *testing.T) {
	known := full.New(layers.Dirs{}).Known()
	files, _ := filepath.Glob("testdata/lint/*.txt")
	if len(files) < 4 {
		t.Fatal(files)
	}
	for _, name := range files {
		wanted := strings.HasPrefix(filepath.Base(name), "reported")
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, blocks, _ := strings.Cut(strings.TrimSpace(string(data)), "\n===\n")
		for rules := range strings.SplitSeq(blocks, "\n===\n") {
			dir := t.TempDir()
			file := layers.File{Layer: layers.User, Path: filepath.Join(dir, layers.FileName), Dir: dir,
				Data: []byte("version: 1\nhooks:\n" + rules + "\n"), Trust: layers.Trusted}
			found, err := config.Lint(&layers.Set{Root: dir, Files: []layers.File{file}}, known)
			for i := range found {
				if found[i].Note { // another machine may need it
					continue
				}
				if !wanted {
					t.Errorf("%s\n%s", rules, found[i].String())
				}
			}
			if reported := err != nil || len(found) > 0; reported != wanted && (wanted || err != nil) {
				t.Errorf("%s\n%v, %v, expected a report: %v", rules, found, err, wanted)
			}
		}
	}
}
