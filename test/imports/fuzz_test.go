package imports

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/extended"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/importers/document"
	"github.com/trammel-dev/trammel/pipeline/full"
)

// FuzzImport: whatever is in a file, there is an error with a line, or what comes
// of it compiles, merges into a file and merges again without a change.
func FuzzImport(f *testing.F) {
	sources := extended.Sources()
	for i, s := range sources {
		files, _ := filepath.Glob(filepath.Join("testdata", s.Name, "*.txtar"))
		for _, file := range files {
			a, err := txtar.ParseFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(uint8(i), filepath.Ext(a.Files[0].Name) == ".toml", a.Files[0].Data)
		}
		f.Add(uint8(i), false, []byte(preCommit))
		f.Add(uint8(i), false, []byte(`{"permissions":{"deny":["Bash(* *)","Read(/)","Bash(:*)","X(",""],"allow":["Bash(\u0000)"]}}`))
	}
	p := full.New(trammel.Dirs{})
	f.Fuzz(func(t *testing.T, which uint8, toml bool, data []byte) {
		s := sources[int(which)%len(sources)]
		name := "x" + filepath.Ext(s.Files[0])
		if toml {
			name = "x.toml"
		}
		r, err := importers.Import(s, []importers.File{{Path: name, Data: data}}, importers.Options{Grants: true, Host: s.Host,
			Check: p.Compiles})
		if err != nil {
			var at *document.Problem
			if !errors.As(err, &at) || at.Line < 1 {
				t.Fatalf("%v has no line", err)
			}
			return
		}
		if err := p.Compiles([]byte(r.YAML())); err != nil {
			t.Fatalf("%v\n%s", err, r.YAML())
		}
		once, err := r.Merge([]byte("# mine\nversion: 1\nhooks:\n- {id: own, on: stop, run: x}\n\nevidence: {payload: none}\n"), s.Name)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := r.Merge(once, s.Name)
		if err != nil || string(once) != string(twice) {
			t.Fatalf("%v: the second import changes\n%s\n%s", err, once, twice)
		}
	})
}

// TEAM-30: what is wrong in a file is said with its line.
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
