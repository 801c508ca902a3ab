package sedscript

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// Backups are the names under which sed keeps what it edits: a * in the suffix is the
// name of the file.
func Backups(files []model.Word, suffix model.Word) []model.Word {
	out := slices.Clone(files)
	for i, w := range files {
		dir, name := path.Split(w.Text)
		text := w.Text + suffix.Text
		if strings.Contains(suffix.Text, "*") {
			if text = strings.ReplaceAll(suffix.Text, "*", name); !strings.HasPrefix(text, "/") {
				text = dir + text
			}
		}
		out[i].Text, out[i].Known = text, w.Known && suffix.Known
	}
	return out
}
