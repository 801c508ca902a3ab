package match

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/trammel-dev/trammel/effects/world"
)

// Globs reports whether a clean absolute path is matched by one of the globs and
// by none with a leading !; globs that are all exclusions match every other
// file. ** stands for any number of folders. A glob that begins with / or ~/ is
// an absolute path, one without a slash is tried on the file's name, and any
// other begins in the project, or with ** anywhere.
func Globs(globs []string, abs, project string) bool {
	return len(globs) > 0 && globbing{folds: folds, home: world.System{}.Home}.any(globs, filepath.ToSlash(abs), rootsAt(project, ""))
}

// globbing is how globs are read.
type globbing struct {
	folds bool
	home  func() string
}

func (g globbing) any(globs []string, abs string, at roots) bool {
	abs = fold(path.Clean(abs), g.folds)
	wanted, named := false, false
	for _, glob := range globs {
		glob, excludes := strings.CutPrefix(glob, "!")
		if excludes {
			if g.one(glob, abs, at) {
				return false
			}
			continue
		}
		named = true
		wanted = wanted || g.one(glob, abs, at)
	}
	return wanted || !named
}

func (g globbing) one(glob, abs string, at roots) bool {
	base := strings.IndexByte(glob, '/') < 0
	glob = fold(g.expand(strings.TrimPrefix(glob, "./")), g.folds)
	if base {
		return doublestar.MatchUnvalidated(glob, path.Base(abs))
	}
	if doublestar.MatchUnvalidated(glob, abs) {
		return true
	}
	for _, root := range at {
		if rel := below(abs, fold(root, g.folds)); root != "" && rel != "" && doublestar.MatchUnvalidated(glob, rel) {
			return true
		}
	}
	return false
}

// meets reports whether a pattern can mean a file that one of the globs matches.
// Of a tree it is enough that a glob begins below it.
func (g globbing) meets(globs []string, pattern string, at roots, tree bool) bool {
	pattern = fold(pattern, g.folds)
	hidden := strings.Contains(pattern, "**") // find looks at hidden names, too
	for _, glob := range globs {
		if glob[0] == '!' {
			continue
		}
		for i, root := range at {
			if i > 0 && root == "" {
				break
			}
			if meet(strings.TrimPrefix(pattern, "/"), strings.TrimPrefix(fold(g.anchored(glob, root), g.folds), "/"), tree, hidden) {
				return true
			}
		}
	}
	return false
}

// anchored is a glob as an absolute one.
func (g globbing) anchored(glob, root string) string {
	if strings.IndexByte(glob, '/') < 0 {
		return "/**/" + glob
	}
	glob = g.expand(strings.TrimPrefix(glob, "./"))
	switch {
	case isAbs(glob):
		return glob
	case strings.HasPrefix(glob, "**"):
		return "/" + glob
	}
	return root + "/" + glob
}

// expand resolves a leading ~/. Without a known home directory the text stays.
func (g globbing) expand(s string) string {
	if rest, ok := strings.CutPrefix(s, "~/"); ok && g.home != nil {
		if home := g.home(); home != "" {
			return path.Join(filepath.ToSlash(home), rest)
		}
	}
	return s
}

// isAbs takes /x and C:/x, the latter on every system: it is never a relative path that is meant.
func isAbs(s string) bool {
	return strings.HasPrefix(s, "/") || len(s) > 2 && s[1] == ':' && s[2] == '/'
}

// below is the path of a file from a directory above it on, "" if it is not there.
func below(abs, root string) string {
	if root == "/" {
		return abs[1:]
	}
	if len(abs) > len(root) && abs[:len(root)] == root && abs[len(root)] == '/' {
		return abs[len(root)+1:]
	}
	return ""
}

// Below sorts the globs by what they can match below a directory. One that
// begins at a fixed place there is in fixed, by that place; one that a look at
// the names there has to decide is in open. Exclusions are in neither.
func Below(globs []string, dir, project string) (fixed map[string]string, open []string) {
	g := globbing{folds: folds, home: world.System{}.Home}
	dir = fold(path.Clean(filepath.ToSlash(dir)), g.folds)
	for _, given := range globs {
		if strings.HasPrefix(given, "!") {
			continue
		}
		glob := fold(g.anchored(given, fold(filepath.ToSlash(project), g.folds)), g.folds)
		if strings.HasPrefix(glob, "/**") {
			open = append(open, given)
			continue
		}
		begin, _ := doublestar.SplitPattern(glob)
		if !strings.ContainsAny(glob, `*?[{\`) {
			begin = glob
		}
		switch {
		case begin == dir || below(begin, dir) != "":
			if fixed == nil {
				fixed = map[string]string{}
			}
			fixed[begin] = given
		case below(dir, begin) != "":
			open = append(open, given)
		}
	}
	return fixed, open
}
