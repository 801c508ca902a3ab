package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/guess"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
)

// givenSecrets lists secrets that are arguments of an unknown function as read:
// not all functions that open files are known. The project's environment files
// are left out, because settings name them everywhere. A function that sends by its
// name sends what it is given of the environment.
func (w *walker) givenSecrets(ref string, args *arguments) {
	if guess.OnlyNames(ref) {
		return
	}
	name := strings.ToLower(ref[strings.LastIndexAny(ref, ".#:>")+1:])
	sends := strings.Contains(name, "upload") || strings.Contains(name, "attach") || name == "curlfile" || strings.HasPrefix(name, "send")
	left := maxList
	var look func(v value)
	look = func(v value) {
		if left--; left < 0 {
			w.cut = true
			return
		}
		for _, f := range v.fields { // attachments: [{path: x}]
			if !guess.OnlyNames(f.name) {
				look(f.value)
			}
		}
		for _, one := range v.list {
			look(one)
		}
		if sends && v.environ != "" {
			w.Net(model.Net{Sends: true})
		}
		for _, word := range w.texts(w.expandUser(v)) {
			if !word.Known || len(word.Text) < 4 || !sends && (word.Text[0] != '/' || strings.Contains(word.Text, "/.env")) {
				continue
			}
			p, ground := w.Resolve(word), paths.Ground{}
			tree := ground.SecretTree(p)
			if !tree && !ground.Secret(p) {
				continue
			}
			w.File(model.File{Op: model.Read, Code: true, Path: p, Tree: tree})
			if sends {
				w.Net(model.Net{Sends: true})
			}
		}
	}
	for _, v := range args.list {
		look(v)
	}
	for _, f := range args.named {
		if !guess.OnlyNames(f.name) {
			look(f.value)
		}
	}
}
