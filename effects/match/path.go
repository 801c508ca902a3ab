package match

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/world"
)

// place matches the globs of a Spec against a touched path, and returns the file
// that matches if it is not the path itself. A tree that is affected as a whole
// matches if a glob begins below it, or if a file in it matches. A pattern matches
// if it and a glob can mean the same file, and the existing files do not rule that
// out.
func (m *matcher) place(t *effects.Touch) (Truth, string) {
	p := &t.Path
	if !p.Known() {
		if p.Text == model.Rest && !t.Changes() && m.listsFiles(t.Run) {
			return No, ""
		}
		return m.unknownPlace(p.Text), ""
	}
	sure := Yes
	if p.Some || t.Covers() && (t.Run < 0 || m.set.Runs[t.Run].Program != "git") { // git restores what is there
		sure = Unclear
	}
	g := m.call.globs()
	tree := t.Op != effects.Search && (t.Tree || t.Op == effects.Move)
	if p.Glob && strings.ContainsAny(p.Abs, "*?[{\\") {
		return m.pattern(g, t, tree, sure)
	}
	fits, file := m.named(g, t, p.Abs, tree, sure)
	if fits != Yes && p.Real != "" && p.Real != p.Abs {
		if real, inside := m.named(g, t, p.Real, tree, sure); real > fits {
			return real, inside
		}
	}
	return fits, file
}

// named matches the globs against a place that has a name.
func (m *matcher) named(g *Globs, t *effects.Touch, name string, tree bool, sure Truth) (Truth, string) {
	switch {
	case g.any(m.Paths, name):
		return Yes, ""
	case tree && g.meets(m.Paths, name, true) && (t.Changes() || m.there(g)) && !(m.hidden() && m.skipsHidden(t)):
		return sure, ""
	case tree:
		fits, file := m.inside(g, t, name)
		return min(fits, sure), file
	}
	return No, ""
}

// there reports whether something exists where one of the globs begins: reading a
// tree reads only what exists.
func (m *matcher) there(g *Globs) bool {
	w := world.Of(m.ev)
	for _, glob := range m.Paths {
		if glob[0] == '!' {
			continue
		}
		for _, at := range g.spelled(glob) {
			if _, err := w.Lstat(at.begin()); err == nil {
				return true
			}
		}
	}
	return false
}

// pattern matches the globs against what a pattern means.
func (m *matcher) pattern(g *Globs, t *effects.Touch, tree bool, sure Truth) (Truth, string) {
	pattern := t.Path.Abs
	if !g.meets(m.Paths, pattern, tree) && !tree {
		return No, ""
	}
	best, names := No, t.Names()
	for _, name := range names {
		if name == pattern {
			continue
		}
		fits, file := m.named(g, t, name, tree, sure)
		if file == "" {
			file = name
		}
		if fits == Yes {
			return sure, file
		}
		best = max(best, fits)
	}
	switch deep := strings.Index(pattern, "**"); {
	case t.Partial():
		return max(best, Unclear), ""
	case len(names) > 1 || !g.meets(m.Paths, pattern, tree):
		return best, ""
	case deep >= 0: // find sees only existing files
		if _, err := world.Of(m.ev).Lstat(path.Dir(pattern[:deep] + "x")); err == nil {
			return No, ""
		}
	}
	return sure, ""
}

// inside looks below a tree for a file that matches a glob without a fixed
// beginning. A tree that is too large to search may contain one; for reading that
// does not count.
func (m *matcher) inside(g *Globs, t *effects.Touch, tree string) (Truth, string) {
	open := false
	for _, glob := range m.Paths {
		open = open || glob[0] != '!' && (strings.Contains(glob, "**/") || strings.IndexByte(glob, '/') < 0)
	}
	if !open {
		return No, ""
	}
	skips := m.skipsHidden(t)
	file, found, all := (&paths.Search{World: world.Of(m.ev)}).Inside(tree, func(file string) bool {
		return g.any(m.Paths, file) && !(skips && strings.Contains(strings.TrimPrefix(file, tree), "/."))
	})
	switch {
	case found:
		return Yes, file
	case !all && t.Changes():
		return Unclear, ""
	}
	return No, ""
}

// hidden reports whether all globs are about places that begin with a dot.
func (m *matcher) hidden() bool {
	for _, glob := range m.Paths {
		if glob[0] != '!' && !strings.Contains("/"+strings.TrimPrefix(glob, "./"), "/.") {
			return false
		}
	}
	return true
}

// skipsHidden reports whether walking the tree leaves out names with a leading dot.
func (m *matcher) skipsHidden(t *effects.Touch) bool {
	return t.Run >= 0 && programs.SkipsHidden(&m.set.Runs[t.Run])
}

// unknownPlace matches the globs against a path that is only partly known: the name
// of $DIR/x.txt is x.txt.
func (m *matcher) unknownPlace(text string) Truth {
	text = strings.Trim(text, `"'`)
	base := text[strings.LastIndexByte(text, '/')+1:]
	base = strings.ReplaceAll(base, `"`, "")
	plain := base != "" && !strings.ContainsAny(base, "$`(") && base != model.Rest
	fits, named := No, false
	for _, glob := range m.Paths {
		if glob, excluded := strings.CutPrefix(glob, "!"); !excluded {
			named = true
			last := glob[strings.LastIndexByte(glob, '/')+1:]
			switch is := plain && sameName(base, last, false); {
			case is && !strings.ContainsAny(base, meta) && !strings.ContainsRune(glob, '/'):
				return Yes
			case is || !plain || last == "**":
				fits = Unclear
			}
		}
	}
	if !named {
		return Unclear
	}
	return fits
}

// listsFiles reports whether xargs gives a run the names of the project's files, and nothing that
// somebody has written into one: git ls-files | xargs wc -l.
func (m *matcher) listsFiles(run int) bool {
	for run >= 0 && m.set.Runs[run].From < 0 {
		run = m.set.Runs[run].By
	}
	if run < 0 {
		return false
	}
	from := &m.set.Runs[m.set.Runs[run].From]
	switch words := RunWords(from, false); from.Program {
	case "git":
		return words.Begins("ls-files") || words.Begins("ls-tree", "--name-only") || words.Begins("diff", "--name-only")
	case "grep", "rg", "ag":
		return words.Has("-l", "--files", "--files-with-matches")
	default:
		return from.Program == "fd"
	}
}

// describePaths says in words what globs demand.
func describePaths(globs []string) string {
	want, not := exceptions(globs)
	switch {
	case len(not) == 0:
		return "path matches " + strings.Join(want, " or ")
	case len(want) == 0:
		return "path does not match " + strings.Join(not, " or ")
	}
	return "path matches " + strings.Join(want, " or ") + " but not " + strings.Join(not, " or ")
}

// CheckGlob says what is wrong with a glob of Paths, and what is meant instead:
// one that can match no file is wrong, too.
func CheckGlob(s string) error {
	glob := strings.TrimPrefix(s, "!")
	clean := path.Clean(strings.TrimPrefix(glob, "./"))
	switch {
	case glob == "" || strings.TrimSpace(glob) != glob:
		return fmt.Errorf("glob %q is empty or has blanks around it, expected a pattern like **/*.go", s)
	case strings.HasSuffix(glob, "/"):
		return fmt.Errorf("glob %q ends in a slash and would match no file, expected %q", s, s+"**")
	case !doublestar.ValidatePattern(glob):
		return fmt.Errorf("glob %q is malformed, expected every [ and { to be closed and nothing after the last \\ missing", s)
	case isPermission(glob):
		return fmt.Errorf("glob %q is an agent's permission, expected only the path in it", s)
	case strings.HasPrefix(glob, "^"), strings.HasSuffix(glob, "$"), strings.Contains(glob, `\.`), strings.Contains(glob, ".*\\"),
		strings.HasPrefix(glob, ".*"), strings.Contains(glob, "(?"), strings.Contains(glob, `\w+`), strings.Contains(glob, `\d+`):
		return fmt.Errorf("glob %q is a regular expression, expected a glob like **/*.go or .env*", s)
	case strings.Contains(glob, "$"):
		return fmt.Errorf("glob %q names a variable, expected ~/ for the home directory, or a path in the project", s)
	case strings.Contains(glob, `\`) && (!strings.ContainsAny(glob, "*?[{") || strings.Contains(glob, `\**`) || escapesLetter(glob)):
		return fmt.Errorf("glob %q has backslashes, expected %q", s, strings.ReplaceAll(s, `\`, "/"))
	case strings.Contains(glob, "|"):
		return fmt.Errorf("glob %q has a |, expected a list: [%s]", s, strings.ReplaceAll(s, "|", ", "))
	case strings.HasPrefix(glob, "~") && glob != "~" && !strings.HasPrefix(glob, "~/"):
		return fmt.Errorf("glob %q names the home directory of somebody, expected an absolute path", s)
	case strings.HasPrefix(clean, "../") || clean == "..":
		return fmt.Errorf("glob %q leads out of the project, expected an absolute path or one that begins with **", s)
	case clean != strings.TrimPrefix(glob, "./"):
		return fmt.Errorf("glob %q would match no file, expected %q", s, strings.Replace(s, glob, clean, 1))
	}
	return nil
}

// escapesLetter reports whether a backslash stands before something that needs none: src\lib*.
func escapesLetter(glob string) bool {
	for i := 0; i+1 < len(glob); i++ {
		if c := glob[i+1]; glob[i] == '\\' {
			if c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' {
				return true
			}
			i++
		}
	}
	return false
}

// isPermission reports whether a glob is a rule about one of an agent's tools: Read(./.env).
func isPermission(glob string) bool {
	tool, inner, ok := strings.Cut(glob, "(")
	tools := []string{"Read", "Edit", "Write", "MultiEdit", "Bash", "Grep", "Glob", "Delete"}
	return ok && strings.HasSuffix(inner, ")") && slices.Contains(tools, tool)
}
