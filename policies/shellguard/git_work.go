package shellguard

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs/gitprefs"
	"github.com/trammel-dev/trammel/policies/shellguard/builds"
)

func (c *gitCall) clean() code {
	o := c.Options()
	force := o.Has("force")
	if required, set := c.Get("clean.requireforce"); set && !force {
		force = gitprefs.Falsy(required.Text)
	}
	switch {
	case !force || o.Has("dry-run", "interactive") || o.Help() || c.scratch:
		return ""
	case len(o.Operands) == 0 && c.atRoot(), c.everything(o.Operands):
		return "git_discards_work"
	}
	return "git_may_discard"
}

func (c *gitCall) checkout() code {
	o := c.Options()
	if o.Help() || o.Has("patch", "merge") || c.scratch {
		return ""
	}
	trees, paths := o.Operands, []effects.Word(nil)
	if o.Separator >= 0 {
		trees, paths = o.Operands[:o.Separator], o.Operands[o.Separator:]
	}
	creates := o.Has("b", "B", "orphan", "detach")
	switch {
	case len(paths) > 0 && len(trees) > 1:
		return "" // git refuses
	case c.everything(paths):
		return "git_discards_work"
	case len(paths) > 0:
		return "git_may_discard"
	case o.Has("force") && (creates || len(trees) == 0 || trees[0].Text == "-" || strings.HasPrefix(trees[0].Text, "HEAD") ||
		strings.HasPrefix(trees[0].Text, "@")):
		return "git_discards_work"
	case len(trees) > 1 && !creates && c.everything(trees[1:]), len(trees) == 1 && !creates && c.named(trees[0]) && c.everything(trees):
		return "git_discards_work"
	case o.Has("force") || !creates && (len(trees) > 1 || len(trees) == 1 && c.named(trees[0])) || o.Has("pathspec-from-file"):
		return "git_may_discard"
	}
	return ""
}

// named reports whether a word can only be a path, not a branch.
func (c *gitCall) named(w effects.Word) bool {
	return w.Text == "." || w.Text == "*" || strings.HasPrefix(w.Text, "./") || strings.HasPrefix(w.Text, "..") ||
		strings.HasPrefix(w.Text, "/") || strings.HasPrefix(w.Text, ":")
}

func (c *gitCall) restore() code {
	o := c.Options()
	switch {
	case o.Help() || o.Has("patch", "merge") || o.Has("staged") && !o.Has("worktree") || c.scratch:
		return ""
	case c.everything(o.Operands):
		return "git_discards_work"
	case len(o.Operands) > 0 || o.Has("pathspec-from-file"):
		return "git_may_discard"
	}
	return ""
}

// atRoot reports whether the call affects the whole tree. An unknown directory, or
// one outside of the project, may be the root of another tree.
func (c *gitCall) atRoot() bool {
	return !paths.Below(c.dir, c.j.ground.Project)
}

// everything reports whether pathspecs name the whole work tree.
func (c *gitCall) everything(specs []effects.Word) bool {
	for _, w := range specs {
		text := w.Text
		if !w.Known || strings.HasPrefix(text, ":") {
			continue
		}
		if c.dir == "" {
			if text == "." || text == "*" {
				return true
			}
			continue
		}
		p := effects.Path{Abs: path.Clean(text), Glob: strings.ContainsAny(text, "*?[")}
		if !path.IsAbs(text) {
			p.Abs = path.Join(c.dir, text)
		}
		root := paths.Ground{Project: c.j.ground.Project}
		if !paths.Within(c.dir, root.Project) {
			root.Project = c.dir
		}
		if root.ProjectOf(p) >= paths.All {
			return true
		}
	}
	return false
}

// commits judges adding secrets to the repository, because they will be pushed: by
// name, or by force together with all ignored files.
func (c *gitCall) commits() {
	switch c.Sub {
	case "add", "stage", "commit", "hash-object", "update-index", "tag", "notes", "merge", "commit-tree":
	default:
		return
	}
	o := c.Options()
	for _, w := range append(o.Operands[:len(o.Operands):len(o.Operands)], o.All("file")...) { // a message from a file
		p := builds.Place(c.dir, w.Text)
		if p.Glob = w.Glob; w.Known && (c.j.secret(&effects.File{Op: effects.Read, Path: p}) || c.j.holdsSecret(p.Abs)) {
			c.j.add("commits_secret", p.Abs)
		}
	}
	if c.Sub == "add" && o.Has("f", "force") && (o.Has("A", "all") || len(o.Operands) > 0 && o.Word(0) == ".") {
		if _, err := c.j.at.Lstat(path.Join(c.dir, ".env")); err == nil {
			c.j.add("commits_secret", ".env")
		}
	}
}
