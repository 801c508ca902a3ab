package match

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// spelling is one absolute glob: a folder, and a pattern for paths in it. Without a
// folder it is a pattern for a file's name in any folder.
type spelling struct{ dir, rest string }

const meta = `*?[{\`

// split moves the folders that begin a pattern, and have plain names, to dir.
func split(dir, pattern string) spelling {
	plain := pattern
	if i := strings.IndexAny(pattern, meta); i >= 0 {
		plain = pattern[:i]
	}
	i := strings.LastIndexByte(plain, '/')
	if i < 0 {
		return spelling{dir, pattern}
	}
	if dir == "" && plain[0] != '/' { // C:/x
		return spelling{path.Clean(plain[:i]), pattern[i+1:]}
	}
	return spelling{path.Join(dir, "/", plain[:i]), pattern[i+1:]}
}

func (s spelling) folded(folds bool) spelling {
	return spelling{fold(s.dir, folds), fold(s.rest, folds)}
}

// matches takes a clean path in slashes. A folder is matched by all that is in it.
func (s spelling) matches(abs string) bool {
	switch rel := below(abs, s.dir); {
	case s.dir == "":
		return doublestar.MatchUnvalidated(s.rest, path.Base(abs))
	case abs == s.dir:
		return s.rest == "**" || s.rest == ""
	default:
		return rel != "" && doublestar.MatchUnvalidated(whole(s.rest), rel)
	}
}

// isPlain reports whether a glob ends in a name without wildcards.
func isPlain(glob string) bool {
	last := glob[strings.LastIndexByte(glob, '/')+1:]
	return last != "" && !strings.ContainsAny(last, meta+"]}")
}

// whole is a glob with all that is in the folder that it may name.
func whole(glob string) string {
	if isPlain(glob) {
		return glob + "/**"
	}
	return glob
}

// anywhere reports whether the glob has no fixed beginning.
func (s spelling) anywhere() bool {
	return s.dir == "" || s.dir == "/" && strings.HasPrefix(s.rest, "**")
}

// begin is the place at or below which everything is that the glob matches.
func (s spelling) begin() string {
	if strings.ContainsAny(s.rest, meta) {
		return s.dir
	}
	return path.Join(s.dir, s.rest)
}

func (s spelling) absolute() string {
	if s.dir == "" {
		return "/**/" + whole(s.rest)
	}
	return path.Join(s.dir, whole(s.rest))
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
