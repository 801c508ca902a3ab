package imports

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/trammel-dev/trammel/dialects/extended"
	"github.com/trammel-dev/trammel/importers"
)

// TEAM-30: errors in a file name the line.
func TestImportErrors(t *testing.T) {
	a, err := txtar.ParseFile("testdata/errors.txtar")
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, f := range a.Files {
		for _, s := range extended.Sources() {
			if s.Name != filepath.Dir(f.Name) {
				continue
			}
			_, err := importers.Import(s, []importers.File{{Path: filepath.Base(f.Name), Data: f.Data}}, importers.Options{})
			if err == nil {
				t.Errorf("%s is taken", f.Name)
				continue
			}
			got += s.Name + " " + err.Error() + "\n"
		}
	}
	if got != string(a.Comment) {
		t.Errorf("the errors are\n%s", got)
		if os.Getenv("UPDATE") != "" {
			a.Comment = []byte(got)
			_ = os.WriteFile("testdata/errors.txtar", txtar.Format(a), 0o644)
		}
	}
}
