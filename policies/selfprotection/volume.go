package selfprotection

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/effects"
)

// volumes judges the directories of this machine that a container gets: write
// access above our directories includes them.
func (j *judgement) volumes(r *effects.Run) {
	for i, w := range r.Args {
		name, value, attached := strings.Cut(w.Text, "=")
		switch {
		case name == "--mount" || name == "--volume" || name == "-v" || name == "--bind" || name == "--bind-try" || name == "--dev-bind" ||
			name == "-B" || name == "--overlay-src":
			if !attached && i+1 < len(r.Args) {
				value = r.Args[i+1].Text
			}
		case strings.HasPrefix(w.Text, "-v"): // -v/home:/h
			name, value = "-v", w.Text[len("-v"):]
		default:
			continue
		}
		source, options, _ := strings.Cut(value, ":")
		if name == "--mount" {
			options = value
			for part := range strings.SplitSeq(value, ",") {
				if key, v, _ := strings.Cut(part, "="); key == "source" || key == "src" {
					source = v
				}
			}
		}
		if strings.HasPrefix(source, ".") && r.Dir.Known() {
			source = filepath.Join(r.Dir.Abs, source)
		}
		if !filepath.IsAbs(source) || slices.ContainsFunc(strings.FieldsFunc(options, isSeparator), readOnly) {
			continue
		}
		here := j.grounds()
		source = filepath.Clean(source)
		t := effects.NewTouch(j.ev, effects.Delete, effects.Path{Text: source, Abs: source, Real: source}, true)
		if k, hit := here.given(source, t); k != nothing {
			j.add(trammel.Ask, k.code(), hit, fmt.Sprintf("This gives a container %s to write, where %s lies. A person should decide; mount it "+
				"read-only, or only the directory that you need.", source, hit))
		}
	}
}

// given returns what of ours is exposed by giving a directory to a container or a
// repository. The project's own rules and settings do not count.
func (g *grounds) given(source string, t *effects.Touch) (kind, string) {
	if k, hit := g.named(source, t); k != nothing {
		return k, hit
	}
	for tail := range standard.Settings {
		if hit, ok := effects.Tail(tail).Touched(t); ok && !within(hit, g.session) {
			return hostWiring, hit
		}
	}
	return nothing, ""
}

func isSeparator(r rune) bool { return r == ':' || r == ',' }

// readOnly reports whether an option of a mount says so.
func readOnly(option string) bool {
	return slices.Contains([]string{"ro", "readonly", "ro=true", "readonly=true", "ro=1", "readonly=1"}, option)
}
