package extended

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/importers/document"
	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// TEAM-30: whatever is in a file, there is an error with a line, or what comes of
// it is YAML, merges into a file and merges again without a change.
func FuzzImport(f *testing.F) {
	sources := Sources()
	for i, s := range sources {
		files, _ := filepath.Glob(filepath.Join("../../test/imports/testdata", s.Name, "*.txtar"))
		for _, file := range files {
			a, err := txtar.ParseFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(uint8(i), filepath.Ext(a.Files[0].Name) == ".toml", a.Files[0].Data)
		}
		f.Add(uint8(i), false, []byte("repos: [{hooks: [{id: x, stages: [push]}]}]"))
		f.Add(uint8(i), false, []byte(`{"permissions":{"deny":["Bash(* *)","Read(/)","Bash(:*)","X(",""],"allow":["Bash(\u0000)"]}}`))
	}
	f.Fuzz(func(t *testing.T, which uint8, toml bool, data []byte) {
		s := sources[int(which)%len(sources)]
		name := "x" + filepath.Ext(s.Files[0])
		if toml {
			name = "x.toml"
		}
		r, err := importers.Import(s, []importers.File{{Path: name, Data: data}}, importers.Options{Grants: true, Host: s.Host})
		if err != nil {
			var at *document.Problem
			if !errors.As(err, &at) || at.Line < 1 {
				t.Fatalf("%v has no line", err)
			}
			return
		}
		for _, text := range []string{r.YAML(), r.TestsYAML()} {
			if _, wrong := yamldoc.Parse([]byte(text)); wrong != nil {
				t.Fatalf("line %d: %s\n%s", wrong.Line, wrong.Message, text)
			}
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
