package pathguard

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/world"
)

// rule has the globs for one action.
type rule struct {
	action  string
	deny    [2][]string // both count
	allow   []string    // the more specific list replaces the other
	outside string
}

// rules returns the rules for a touch. A link makes its target readable and
// writable under another name, so both sets of rules apply.
func (g *guard) rules(t *effects.Touch) []rule {
	read := rule{"read", [2][]string{g.Deny.Read}, g.Allow.Read, g.OutsideRead}
	write := rule{"write", [2][]string{g.Deny.Write}, g.Allow.Write, g.Outside}
	switch t.Op {
	case effects.Read:
		return []rule{read}
	case effects.Search:
		return []rule{{"search", [2][]string{g.Deny.Read, g.Deny.Search}, either(g.Allow.Search, g.Allow.Read), g.OutsideRead}}
	case effects.Delete, effects.Move:
		return []rule{{"delete", [2][]string{g.Deny.Write, g.Deny.Delete}, either(g.Allow.Delete, g.Allow.Write), g.Outside}}
	case effects.Link:
		return []rule{read, write}
	}
	return []rule{write}
}

func either(particular, general []string) []string {
	if len(particular) > 0 {
		return particular
	}
	return general
}

func (j *judgement) touch(t *effects.Touch) {
	if !j.restrictsChanges() && t.Changes() && t.Op != effects.Link || !j.restrictsReads() && !t.Changes() {
		return
	}
	if t.Narrows && (j.secret(t.Path) || j.keeps(t.Path.Abs) || j.keeps(filepath.Dir(t.Path.Abs))) {
		return // such as chmod 600 of a key: nobody gains access
	}
	if !t.Path.Known() {
		j.add(trammel.DecisionOf(j.Unknown), "unknown_path", t.Path.Text,
			fmt.Sprintf("It is unknown which file %q is, and some are off limits here. Name the file.", t.Path.Text))
		return
	}
	for _, r := range j.rules(t) {
		for _, name := range t.Names() {
			j.hold(&r, t, name)
		}
	}
	if t.Partial() && !j.artefact(t.Path) {
		j.tooMuch(t.Path.Abs)
	}
}

func (j *judgement) secret(p effects.Path) bool {
	g := paths.On(effects.At(j.ev))
	return g.Secret(p)
}

// keeps reports whether a directory is one that usually contains secrets.
func (j *judgement) keeps(dir string) bool {
	g := paths.On(effects.At(j.ev))
	return g.SecretTree(effects.Path{Abs: dir, Real: dir})
}

// opens reports whether a denied path is only created as an empty directory:
// the files that would be denied are not there yet.
func (j *judgement) opens(t *effects.Touch, name string, denied func(string) bool) bool {
	return t.Run >= 0 && t.Op == effects.Write && j.set.Runs[t.Run].Program == "mkdir" && denied(filepath.Join(name, "x")) &&
		!denied(filepath.Dir(name))
}

func (j *judgement) artefact(p effects.Path) bool {
	g := paths.On(effects.At(j.ev))
	return g.Artefact(p)
}

// tooMuch notes that a tree, or what a pattern matches, was looked at only in part.
func (j *judgement) tooMuch(place string) {
	j.add(trammel.DecisionOf(j.Unknown), "unknown_path", place,
		fmt.Sprintf("%s stands for too much to tell whether something is out of reach in it. Name what is meant.", j.short(place)))
}

// hold checks one path against the rules of one action.
func (j *judgement) hold(r *rule, t *effects.Touch, name string) {
	denied := func(file string) bool {
		return j.in.Match(r.deny[0], file) || j.in.Match(r.deny[1], file)
	}
	hit, found := name, denied(name) && !j.opens(t, name, denied)
	if !found && t.Removes() {
		hit, found = j.below(r, name)
	}
	if found {
		j.add(trammel.Deny, "denied_path", hit, fmt.Sprintf("%s is out of reach: path-guard denies the action %q there. Do "+
			"without it, or ask the person.", j.short(hit), r.action))
		return
	}
	if len(r.allow) > 0 && !j.in.Permits(r.allow, name) && !harmless(name) {
		j.add(trammel.Deny, "path_not_allowed", name, fmt.Sprintf("%s is out of reach: path-guard allows the action %q only in "+
			"%s.", j.short(name), r.action, strings.Join(r.allow, ", ")))
		return
	}
	if r.outside != "allow" && !j.inside(name) && !j.exempt(name, t.Changes()) {
		j.add(trammel.DecisionOf(r.outside), "outside_project", name, fmt.Sprintf("%s is outside of the project %s, and the action %q is kept "+
			"inside of it. Use a place in the project or a temporary directory.", name, j.root, r.action))
	}
}

// below finds something denied in a tree that is affected as a whole.
func (j *judgement) below(r *rule, tree string) (string, bool) {
	for _, globs := range r.deny {
		fixed, open := j.in.Below(globs, tree)
		for begin, glob := range fixed {
			if _, err := world.Of(j.ev).Lstat(begin); err != nil {
				continue
			}
			if glob = strings.TrimSuffix(glob, "/**"); !strings.ContainsAny(glob, `*?[{`) {
				return begin, true
			}
			if hit, found := j.inTree(begin, func(file string) bool { return j.in.Match(globs, file) }); found {
				return hit, true
			}
		}
		if len(open) == 0 {
			continue
		}
		hit, found := j.inTree(tree, func(file string) bool {
			return j.in.Match(open, file) && j.in.Match(globs, file)
		})
		if found {
			return hit, true
		}
	}
	return "", false
}

// inTree finds something below a directory. It notes what was not looked at.
func (j *judgement) inTree(dir string, denied func(string) bool) (string, bool) {
	hit, found, all := (&paths.Search{World: world.Of(j.ev)}).Inside(dir, denied)
	if !found && !all && !j.artefact(effects.Path{Abs: dir, Real: dir}) {
		j.tooMuch(dir)
	}
	return hit, found
}

func (j *judgement) inside(name string) bool {
	return paths.Within(name, j.root) || j.root != "" && paths.Within(name, effects.Resolve(effects.At(j.ev), j.root).Real)
}

// short returns a path relative to the project, if it is inside.
func (j *judgement) short(name string) string {
	if rel, err := filepath.Rel(j.root, name); j.root != "" && err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return name
}

// harmless reports whether a path is a device that stores nothing.
func harmless(name string) bool {
	return slices.Contains([]string{"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "/dev/zero", "/dev/random",
		"/dev/urandom", "NUL"}, name)
}

// exempt reports whether a path outside of all projects is always allowed:
// temporary directories, and for reading those of the system.
func (j *judgement) exempt(name string, changes bool) bool {
	if paths.Temp(effects.Path{Abs: name, Real: name}) || paths.Within(name, world.Temp(world.Of(j.ev))) || harmless(name) {
		return true
	}
	if changes {
		return false
	}
	for _, dir := range [...]string{"/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/dev", "/proc", "/System", "/Library", `C:\Windows`,
		`C:\Program Files`, "/sys/fs/cgroup", "/etc/os-release", "/etc/lsb-release", "/etc/debian_version", "/etc/alpine-release",
		"/etc/redhat-release"} {
		if paths.Within(name, dir) {
			return true
		}
	}
	return false
}
