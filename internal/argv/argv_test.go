package argv

import (
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects"
)

const pushes = "f,force force-with-lease? force-if-includes u,set-upstream repo= o,push-option= n,dry-run"

func words(line string) []effects.Word {
	var out []effects.Word
	for text := range strings.FieldsSeq(line) {
		out = append(out, effects.Word{Text: text, Known: true})
	}
	return out
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ line, on, off string }{
		{"--forc", "", "force force-with-lease force-if-includes"}, // ambiguous: git refuses
		{"--force-w", "force-with-lease", "force"},
		{"-fu origin main", "force set-upstream", ""},
		{"--force --no-force", "", "force"},
		{"--no-force -f", "force", ""},
		{"-- --force", "", "force"},
		{"--repo --help --force", "force repo", "help"},
		{"-o --force", "push-option", "force"},
		{"--force", "force", "force-with-lease"},
	} {
		o := Parse(words(c.line), pushes)
		for name := range strings.FieldsSeq(c.on) {
			if !o.On(name) {
				t.Errorf("%s: %s is off", c.line, name)
			}
		}
		for name := range strings.FieldsSeq(c.off) {
			if o.On(name) {
				t.Errorf("%s: %s is on", c.line, name)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("-fd --x=y -- z --repo")
	f.Fuzz(func(t *testing.T, line string) { Parse(words(line), pushes) })
}
