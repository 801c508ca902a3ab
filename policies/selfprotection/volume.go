package selfprotection

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
)

// volumes judges what a container gets of this machine: who can write a
// directory above our places can write them.
func (j *judgement) volumes(r *effects.Run) {
	for i, w := range r.Args {
		name, value, attached := strings.Cut(w.Text, "=")
		switch {
		case name == "--mount" || name == "--volume" || name == "-v":
			if !attached && i+1 < len(r.Args) {
				value = r.Args[i+1].Text
			}
		default:
			continue
		}
		source, options := value, ""
		if name == "--mount" {
			for part := range strings.SplitSeq(value, ",") {
				if key, v, _ := strings.Cut(part, "="); key == "source" || key == "src" {
					source = v
				}
			}
			options = value
		} else {
			source, options, _ = strings.Cut(value, ":")
		}
		if !filepath.IsAbs(source) || strings.HasSuffix(options, ":ro") || strings.Contains(options, "readonly") ||
			strings.HasSuffix(options, ",ro") {
			continue
		}
		here, err := groundsHere(j.dirs, j.ev)
		if err != nil {
			continue
		}
		source = filepath.Clean(source)
		t := effects.NewTouch(j.ev, effects.Delete, effects.Path{Text: source, Abs: source, Real: source}, true)
		if k, hit := here.named(source, t); k != nothing {
			j.add(trammel.Ask, k.code(), hit, fmt.Sprintf("This gives a container %s to write, where %s lies. A person should decide; mount it "+
				"read-only, or only the directory that you need.", source, hit))
		}
	}
}
