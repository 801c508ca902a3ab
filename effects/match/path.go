package match

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/trammel-dev/trammel"
)

// Paths holds for events whose action names a file that one of the globs
// matches and none with a leading ! does; globs that are all exclusions match
// every other file. ** stands for any number of folders. A glob is tried on
// the absolute path and on the path within the project, one without a slash on
// the file's name, and ~/ is the home directory.
func Paths(globs []string) trammel.Condition {
	return paths{globs: globs, folds: folds, home: os.UserHomeDir}
}

type paths struct {
	globs []string
	folds bool
	home  func() (string, error)
}

func (p paths) String() string {
	var want, not []string
	for _, g := range p.globs {
		if rest, ok := strings.CutPrefix(g, "!"); ok {
			not = append(not, rest)
		} else {
			want = append(want, g)
		}
	}
	switch {
	case len(not) == 0:
		return "path matches " + strings.Join(want, " or ")
	case len(want) == 0:
		return "path does not match " + strings.Join(not, " or ")
	}
	return "path matches " + strings.Join(want, " or ") + " but not " + strings.Join(not, " or ")
}

func (p paths) Holds(ev *trammel.Event) bool {
	if ev.Tool == nil {
		return false
	}
	for _, file := range ev.Tool.Action.Paths {
		if file != "" && p.match(p.place(file, ev)) {
			return true
		}
	}
	return false
}

// place is a file's absolute path and its path within the project, in slashes.
type place struct{ abs, rel string }

func (p paths) place(file string, ev *trammel.Event) place {
	file = p.expand(filepath.ToSlash(file))
	if !isAbs(file) {
		dir := filepath.ToSlash(ev.Tool.Action.Dir)
		if !isAbs(dir) {
			dir = path.Join(filepath.ToSlash(ev.Session.Dir), dir)
		}
		file = path.Join(dir, file)
	}
	project := ev.Session.Project
	if project == "" {
		project = ev.Session.Dir
	}
	out := place{abs: fold(path.Clean(file), p.folds)}
	root := fold(path.Clean(filepath.ToSlash(project)), p.folds)
	switch {
	case project == "" && !isAbs(out.abs):
		out.rel = out.abs
	case project == "":
	case root == "/":
		out.rel = out.abs[1:]
	default:
		if rest, ok := strings.CutPrefix(out.abs, root+"/"); ok {
			out.rel = rest
		}
	}
	return out
}

func (p paths) match(f place) bool {
	wanted, named := false, false
	for _, glob := range p.globs {
		glob, excludes := strings.CutPrefix(glob, "!")
		if excludes {
			if p.glob(glob, f) {
				return false
			}
			continue
		}
		named = true
		wanted = wanted || p.glob(glob, f)
	}
	return wanted || !named
}

func (p paths) glob(glob string, f place) bool {
	glob = fold(p.expand(glob), p.folds)
	if strings.IndexByte(glob, '/') < 0 {
		return doublestar.MatchUnvalidated(glob, path.Base(f.abs))
	}
	return doublestar.MatchUnvalidated(glob, f.abs) || f.rel != "" && doublestar.MatchUnvalidated(strings.TrimPrefix(glob, "./"), f.rel)
}

// expand resolves a leading ~/. Without a known home directory the text stays.
func (p paths) expand(s string) string {
	if rest, ok := strings.CutPrefix(s, "~/"); ok {
		if home, err := p.home(); err == nil {
			return path.Join(filepath.ToSlash(home), rest)
		}
	}
	return s
}

// isAbs takes /x and C:/x, the latter on every system: it is never a relative path that is meant.
func isAbs(s string) bool {
	return strings.HasPrefix(s, "/") || len(s) > 2 && s[1] == ':' && s[2] == '/'
}

// CheckGlob says what is wrong with a glob of Paths.
func CheckGlob(s string) error {
	glob := strings.TrimPrefix(s, "!")
	switch {
	case glob == "":
		return fmt.Errorf("glob %q is empty, expected a pattern like **/*.go", s)
	case strings.HasSuffix(glob, "/"):
		return fmt.Errorf("glob %q ends in a slash and would match no file, expected %q", s, s+"**")
	case !doublestar.ValidatePattern(glob):
		return fmt.Errorf("glob %q is malformed, expected every [ and { to be closed and nothing after the last \\ missing", s)
	}
	return nil
}
