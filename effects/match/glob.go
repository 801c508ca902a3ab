package match

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Globs reports whether a clean absolute path is matched by globs as Paths
// takes them, for those who know places rather than what a call names.
func Globs(globs []string, abs, project string) bool {
	p := paths{globs: globs, folds: folds, home: os.UserHomeDir}
	return len(globs) > 0 && p.match(p.within(filepath.ToSlash(abs), project))
}

// within is place for a path that is absolute already.
func (p paths) within(abs, project string) place {
	out := place{abs: fold(path.Clean(abs), p.folds)}
	if project != "" {
		out.rel = below(out.abs, fold(path.Clean(filepath.ToSlash(project)), p.folds))
	}
	return out
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
	p := paths{folds: folds, home: os.UserHomeDir}
	dir = fold(path.Clean(filepath.ToSlash(dir)), p.folds)
	for _, g := range globs {
		glob := fold(p.expand(strings.TrimPrefix(g, "./")), p.folds)
		if strings.HasPrefix(g, "!") {
			continue
		}
		if strings.IndexByte(glob, '/') < 0 || strings.HasPrefix(glob, "**") {
			open = append(open, g)
			continue
		}
		if !isAbs(glob) {
			glob = path.Join(fold(filepath.ToSlash(project), p.folds), glob)
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
			fixed[begin] = g
		case below(dir, begin) != "":
			open = append(open, g)
		}
	}
	return fixed, open
}
