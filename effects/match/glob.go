package match

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/world"
)

// Globs matches files against globs, in a world and a project. ** matches any
// number of folders. A glob that begins with / or ~/ is an absolute path, one
// without a slash is compared with the file's name, and any other is relative to
// the project, or with ** to any folder. A glob that ends in a plain name may name
// a folder, and then also matches everything in it.
//
// A glob that names a link also matches the link's target, and ~/ matches every
// home directory (world.Homes).
//
// Globs caches links. It is not safe for concurrent use.
type Globs struct {
	folds   bool
	world   trammel.World
	project string
	links   paths.Resolver
	known   map[string][]spelling
}

// In returns Globs for a project, "" if there is none.
func In(w trammel.World, project string) *Globs {
	if project = filepath.ToSlash(project); project != "" {
		project = path.Clean(project)
	}
	return &Globs{folds: folds, world: w, project: project, links: paths.Resolver{World: w}}
}

// Match reports whether a clean absolute path is matched by one of the globs and
// by none with a leading !; globs that are all exclusions match every other file.
func (g *Globs) Match(globs []string, abs string) bool {
	return len(globs) > 0 && g.any(globs, filepath.ToSlash(abs))
}

// Permits is Match for globs that make an exception from a rule. It does not follow
// links in them, because otherwise whoever can make a link could make exceptions.
// The same is true of globs with a leading !.
func (g *Globs) Permits(globs []string, abs string) bool {
	abs = fold(path.Clean(filepath.ToSlash(abs)), g.folds)
	permits, named := false, false
	for _, glob := range globs {
		rest, excludes := strings.CutPrefix(glob, "!")
		if excludes && g.one(rest, abs) {
			return false
		}
		named = named || !excludes
		permits = permits || !excludes && g.one("!"+glob, abs)
	}
	return permits || !named && len(globs) > 0
}

func (g *Globs) any(globs []string, abs string) bool {
	abs = fold(path.Clean(abs), g.folds)
	wanted, named := false, false
	for _, glob := range globs {
		if strings.HasPrefix(glob, "!") {
			if g.one(glob, abs) {
				return false
			}
			continue
		}
		named = true
		wanted = wanted || g.one(glob, abs)
	}
	return wanted || !named
}

func (g *Globs) one(glob, abs string) bool {
	for _, s := range g.spelled(glob) {
		if s.matches(abs) || s.dir == "" && isPlain(s.rest) && g.inFolder(s.rest, abs) {
			return true
		}
	}
	return false
}

// inFolder reports whether a file is in a folder of this name, in the project if
// that is where the file is.
func (g *Globs) inFolder(name, abs string) bool {
	if name = "/" + name + "/"; !strings.Contains(abs, name) {
		return false
	}
	for _, root := range []string{g.project, g.real(g.project)} {
		if rel := below(abs, fold(root, g.folds)); root != "" && rel != "" {
			return strings.Contains("/"+rel, name)
		}
	}
	return true
}

// meets reports whether a pattern can mean a file that one of the globs matches.
// Of a tree it is enough that a glob begins below it.
func (g *Globs) meets(globs []string, pattern string, tree bool) bool {
	pattern = fold(pattern, g.folds)
	hidden := strings.Contains(pattern, "**") // find looks at hidden names, too
	for _, glob := range globs {
		if glob[0] == '!' {
			continue
		}
		for _, s := range g.spelled(glob) {
			if meet(strings.TrimPrefix(pattern, "/"), strings.TrimPrefix(s.absolute(), "/"), tree, hidden) {
				return true
			}
		}
	}
	return false
}

// Below sorts globs by what they can match below a directory. A glob that begins
// at a fixed path there is in fixed, under that path; one that depends on the
// names there is in open. Exclusions are in neither.
func (g *Globs) Below(globs []string, dir string) (fixed map[string]string, open []string) {
	dir = fold(path.Clean(filepath.ToSlash(dir)), g.folds)
	for _, glob := range globs {
		if strings.HasPrefix(glob, "!") {
			continue
		}
		for _, s := range g.spelled(glob) {
			begin := s.begin()
			switch {
			case s.anywhere(), below(dir, begin) != "":
				open = append(open, glob)
			case begin == dir || below(begin, dir) != "":
				if fixed == nil {
					fixed = map[string]string{}
				}
				fixed[begin] = glob
			}
		}
	}
	return fixed, open
}

// spelled returns the absolute globs that a glob means. If it has a leading !, its
// links are not followed.
func (g *Globs) spelled(given string) []spelling {
	if out, ok := g.known[given]; ok {
		return out
	}
	glob, kept := strings.CutPrefix(given, "!")
	var out []spelling
	add := func(dir, rest string) {
		s := split(dir, rest)
		out = append(out, s.folded(g.folds))
		if kept || s.anywhere() {
			return
		}
		begin := s.begin()
		real := g.real(begin)
		switch {
		case real == begin:
		case s.dir == begin:
			out = append(out, spelling{real, s.rest}.folded(g.folds))
		default:
			out = append(out, split(path.Dir(real), path.Base(real)).folded(g.folds))
		}
	}
	switch plain := strings.TrimPrefix(glob, "./"); {
	case strings.IndexByte(glob, '/') < 0:
		out = []spelling{spelling{"", glob}.folded(g.folds)}
	case strings.HasPrefix(plain, "~/"):
		for _, home := range world.Homes(g.world) {
			home = filepath.ToSlash(home)
			add(home, plain[2:])
			if real := g.real(home); kept && real != home {
				add(real, plain[2:])
			}
		}
	case isAbs(plain):
		add("", plain)
	case strings.HasPrefix(plain, "**"):
		add("/", plain)
	case g.project != "":
		add(g.project, plain)
		if real := g.real(g.project); kept && real != g.project {
			add(real, plain)
		}
	}
	if g.known == nil {
		g.known = make(map[string][]spelling)
	}
	g.known[given] = out
	return out
}

// real is where a place is once links are followed.
func (g *Globs) real(place string) string {
	if p := g.links.Resolve(paths.Word{Text: place, Known: true}, paths.Path{}); p.Real != "" {
		return filepath.ToSlash(p.Real)
	}
	return place
}
