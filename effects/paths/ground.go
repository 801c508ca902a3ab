package paths

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/world"
)

// Ground is where places are measured from.
type Ground struct {
	Project string // the project's root, or the session's directory
	world   *model.Setting
	homes   []string
}

// On returns the ground of a setting.
func On(at *model.Setting) Ground {
	g := Ground{Project: strings.TrimSuffix(at.Project, "/"), world: at}
	if g.Project == "" {
		g.Project = strings.TrimSuffix(at.Dir, "/")
	}
	return g
}

// Homes are the home directories, by every name: as they are given, and with
// links resolved. The account's are last.
func (g *Ground) Homes() []string {
	if g.homes != nil || g.world == nil {
		return g.homes
	}
	r := Resolver{World: g.world}
	for _, home := range world.Homes(g.world) {
		g.homes = append(g.homes, home)
		if real := r.Resolve(Word{Text: home, Known: true}, Path{}).Real; real != "" && real != home {
			g.homes = append(g.homes, real)
		}
	}
	return g.homes
}

// InHome reports whether a place is a home directory or in one.
func (g *Ground) InHome(abs string) bool {
	return slices.ContainsFunc(g.Homes(), func(home string) bool { return Within(abs, home) })
}

// Extent is how much of a tree a path covers.
type Extent uint8

// The extents.
const (
	Nothing Extent = iota
	Part           // something below it, or a pattern that picks some of its children
	All            // all of its children
	Itself         // the tree, or one above it
)

// reach is a path, ready to be compared with trees.
type reach struct {
	base  string // without the parts that sweep everything
	swept bool
	glob  bool // base is a pattern
}

// reachOf strips what sweeps from the end: /usr/* is all of /usr.
func reachOf(p Path) reach {
	r := reach{base: slashes(p.Abs)}
	if !p.Glob {
		return r
	}
	for {
		dir, last := path.Split(r.base)
		if dir == "" || !sweeps(last) {
			break
		}
		r.swept = true
		if r.base = strings.TrimSuffix(dir, "/"); r.base == "" {
			r.base = "/"
			break
		}
	}
	r.glob = strings.ContainsAny(r.base, "*?[")
	return r
}

// slashes makes one form of the paths of all systems: C:\Program Files\ is
// c:/program_files.
func slashes(p string) string {
	if len(p) > 1 && p[1] == ':' || strings.HasPrefix(p, `\\`) {
		p = strings.ToLower(strings.NewReplacer(`\`, "/", " ", "_").Replace(p))
		return strings.TrimSuffix(p, "/")
	}
	return p
}

// sweeps reports whether a pattern for one name leaves (almost) nothing out:
// *, .*, **, ?*, .[!.]*, [a-z]*, !(keep).
func sweeps(name string) bool {
	if strings.HasPrefix(name, "!(") && strings.HasSuffix(name, ")") {
		return true
	}
	star, rest := false, name
	for rest != "" {
		switch c := rest[0]; {
		case c == '*':
			star, rest = true, rest[1:]
		case c == '?', c == '.', c == '{', c == ',', c == '}': // {.,}* are those with a dot in front as well
			rest = rest[1:]
		case c == '[':
			end := strings.IndexByte(rest[1:], ']')
			if end < 0 {
				return false
			}
			rest = rest[end+2:]
		default:
			return false
		}
	}
	return star
}

// of returns how much of tree the path covers.
func (r *reach) of(tree string) Extent {
	at := r.base
	if r.glob {
		at = expand(r.base, tree)
	} else if len(at) > 1 && len(tree) > 1 && at[1] != tree[1] {
		return Nothing // the common case, at once
	}
	switch {
	case at == tree && r.swept:
		return All
	case at == tree, Below(tree, at):
		return Itself
	case Below(at, tree):
		return Part
	}
	return Nothing
}

// expand replaces the patterns in base by the names of tree that they match,
// part by part, so that what is left can be compared as plain text.
func expand(base, tree string) string {
	names, patterns := strings.Split(tree, "/"), strings.Split(base, "/")
	for i := range min(len(names), len(patterns)) {
		if patterns[i] != names[i] && strings.ContainsAny(patterns[i], "*?[") {
			if ok, err := path.Match(patterns[i], names[i]); ok && err == nil {
				patterns[i] = names[i]
			}
		}
	}
	return strings.Join(patterns, "/")
}

// Below reports whether p is really below dir. Both are absolute and clean.
func Below(p, dir string) bool {
	if dir == "" || p == dir {
		return false
	}
	return dir == "/" && strings.HasPrefix(p, "/") || strings.HasPrefix(p, dir) && p[len(dir)] == '/'
}

// Within reports whether p is dir or below it.
func Within(p, dir string) bool { return dir != "" && (p == dir || Below(p, dir)) }
