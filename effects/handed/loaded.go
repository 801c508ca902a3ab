package handed

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// loaded takes the files that a program finds by their names.
func (f *finder) loaded(i int, r *model.Run) {
	_, known := programs.Lookup(r.Program)
	called := calledBy(r)
	all := f.below(root(f.at.Project, r.Dir.Abs))
	for n, name := range all {
		if n >= maxNames {
			f.more = true
			break
		}
		how := Loaded
		switch {
		case starts(r, path.Base(name)), isOf(r, name), setsUp(r, name):
			how = Started
		case len(called) > 0 && carries(called, rest(name, r.Dir.Abs)):
		case !known && configuration(name) && path.Dir(name) == r.Dir.Abs && !own(r):
		case extension(name, r.Dir.Abs) && !own(r), tests(r, called, name), r.Program == "rake" && path.Ext(name) == ".rake":
		case f.configured(r, name), runsHere(r, name):
		case builds(r, name), !known && codeIn(r, rest(name, root(f.at.Project, r.Dir.Abs))) && recipes.Language(name) == "unknown":
			how = Built
		case commandOf(r, name), !known && codeIn(r, rest(name, root(f.at.Project, r.Dir.Abs))):
		default:
			continue
		}
		f.take(model.Path{Text: path.Base(name), Abs: name, Real: name}, i, how, "")
	}
}

// isOf reports whether a file is the program of a run: it lies in a folder of programs and
// is called like it, as node_modules/.bin/tsc is what a script calls tsc.
func isOf(r *model.Run, name string) bool {
	folder := path.Base(path.Dir(name))
	return path.Base(name) == r.Path && (folder == ".bin" || folder == "bin")
}

// configured reports whether a file is a package.json in which a tool may have its settings,
// because npm or one of its kind starts the tool: "babel": {"plugins": ["./x.js"]}.
func (f *finder) configured(r *model.Run, name string) bool {
	if path.Base(name) != "package.json" || path.Dir(name) != r.Dir.Abs {
		return false
	}
	starts := oneOf(" npx pnpx bunx npm pnpm yarn bun ")
	return starts.has(r.Program) && !own(r) || r.By >= 0 && starts.has(f.set.Runs[r.By].Program)
}

// codeIn reports whether a file is code of a program that nothing here knows, which the
// project itself may have built or installed: tidy/cli.py and cmd/tidy/main.go of tidy.
func codeIn(r *model.Run, file string) bool {
	name := plain(r.Program)
	if codeOf(file) == "" || strings.Contains(r.Path, "/") || name == "" {
		return false
	}
	parts := strings.Split(strings.TrimSuffix(file, path.Ext(file)), "/")
	return slices.ContainsFunc(parts, func(part string) bool { return plain(part) == name })
}

// runsHere reports whether a file is a workflow of CI that act runs on this machine, and not
// in a container.
func runsHere(r *model.Run, name string) bool {
	return r.Program == "act" && strings.Contains(name, "/.github/workflows/") &&
		slices.ContainsFunc(r.Args, func(w model.Word) bool { return strings.HasSuffix(w.Text, "=-self-hosted") })
}

// commandOf reports whether a file is the code of a command that a program of the project is
// told to run: management/commands/tidy.py for manage.py tidy.
func commandOf(r *model.Run, name string) bool {
	folder := strings.ToLower(path.Base(path.Dir(name)))
	if codeOf(name) == "" || folder != "commands" && folder != "tasks" && folder != "scripts" && folder != "generators" {
		return false
	}
	stem := plain(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	return slices.ContainsFunc(r.Args, func(w model.Word) bool { return w.Known && stem != "" && plain(w.Text) == stem })
}

// setsUp reports whether a file has the settings of git or Mercurial, which name programs
// that these start.
func setsUp(r *model.Run, name string) bool {
	a := programs.Parse(r)
	return (r.Program == "git" && strings.HasSuffix(name, "/.git/config") || r.Program == "hg" && strings.HasSuffix(name, "/.hg/hgrc")) &&
		a.Word(0) != "config"
}

func root(project, dir string) string {
	if project != "" && paths.Within(dir, project) {
		return project
	}
	return dir
}

// rest is a name without the folder that it is in.
func rest(name, dir string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, dir), "/")
}

// mentioned takes the written files that a file names.
func (f *finder) mentioned(file File) {
	if prose(file.Path.Abs) || file.How == Built || file.Idle {
		return
	}
	dir := f.set.Runs[file.Run].Dir
	own := path.Dir(file.Path.Abs)
	seen := 0
	for word := range strings.FieldsFuncSeq(file.Text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`,;:=()[]{}<>@", r) }) {
		if word = strings.TrimPrefix(word, "--"); len(word) < 3 || !strings.ContainsAny(word, "./") || strings.Contains(word, "://") {
			continue
		}
		if seen++; seen > 4*maxArgs {
			f.more = true
			return
		}
		for _, from := range [...]model.Path{dir, {Text: own, Abs: own, Real: own}} {
			if p := f.place(word, from); f.written(&p) && !prose(p.Abs) && (recipes.Language(p.Abs) != "unknown" || path.Ext(p.Abs) == "") {
				f.take(p, file.Run, Mentioned, "")
			} else if p.Known() && p.Abs != own && p.Abs != dir.Abs { // a folder: uses: ./.github/actions/x
				for _, name := range f.below(p.Abs) {
					if path.Dir(name) == p.Abs && !prose(name) {
						f.take(model.Path{Text: name, Abs: name, Real: name}, file.Run, Mentioned, "")
					}
				}
			}
		}
	}
}
