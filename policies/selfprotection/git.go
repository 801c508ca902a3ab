package selfprotection

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/internal/layers"
)

// maxIndex is the size above which a git index is not read.
const maxIndex = 16 << 20

// git judges commands that replace existing files. A stash with untracked files
// removes a file that git does not track. Another commit may have other rules, or
// none, in a file that git tracks; which is unknown.
func (j *judgement) git(r *effects.Run) {
	call, _ := programs.ReadGit(r)
	j.gitElsewhere(&call, r)
	file := filepath.Join(j.ev.Session.Project, layers.FileName)
	here := &grounds{world: effects.At(j.ev).World}
	if j.ev.Session.Project == "" || r.Remote || call.Help || !here.exists(file) {
		return
	}
	tracked, known := here.tracked(file)
	o := call.Options()
	switch call.Sub {
	case "stash":
		verb := o.Word(0)
		if o.Has("include-untracked", "all") && (verb == "" || verb == "push" || verb == "save") && !(tracked && known) && namesAll(o.Operands) {
			j.removed(file)
		}
		return
	case "checkout", "switch":
		if len(o.Operands) == 0 || o.Has("b", "B", "c", "C", "create", "force-create") {
			return
		}
		if here.unborn(file) && !o.Has("f", "force", "discard-changes", "overwrite-ignore", "pathspec-from-file") && !r.More {
			return
		}
	case "restore":
		if !namesAll(o.Operands) || o.Has("staged") && !o.Has("worktree") {
			return
		}
	case "reset":
		if !o.Has("hard", "merge", "keep") {
			return
		}
	case "sparse-checkout", "read-tree":
	default:
		return
	}
	if tracked || !known {
		j.add(trammel.DecisionOf(j.Unknown), "unknown_path", file, "git "+call.Sub+" may put another version of "+file+
			" in place, with other rules for this very agent, or none. A person should decide.")
	}
}

// gitElsewhere judges a work tree other than the project's: if it contains
// something of ours, git overwrites it.
func (j *judgement) gitElsewhere(call *programs.Git, r *effects.Run) {
	if r.Remote || call.Help || !r.Dir.Known() {
		return
	}
	switch call.Sub {
	case "init", "checkout", "switch", "restore", "reset", "pull", "merge", "rebase", "read-tree", "checkout-index", "clean",
		"stash", "apply", "am", "cherry-pick", "revert", "sparse-checkout":
	default:
		return
	}
	at := effects.At(j.ev)
	at.Dir = r.Dir.Abs
	dirs := call.Dirs
	if call.WorkTree != nil {
		dirs = append(dirs[:len(dirs):len(dirs)], *call.WorkTree)
	}
	if operands := call.Options().Operands; call.Sub == "init" && len(operands) > 0 {
		dirs = append(dirs[:len(dirs):len(dirs)], operands[0])
	}
	for _, w := range dirs {
		at.Dir = effects.Resolve(at, w.Text).Abs
	}
	if at.Dir == "" || j.ev.Session.Project != "" && within(at.Dir, j.ev.Session.Project) {
		return
	}
	here := j.grounds()
	p := effects.Path{Text: at.Dir, Abs: at.Dir, Real: at.Dir}
	inside, _ := here.named(at.Dir, effects.NewTouch(j.ev, effects.Write, p, false))
	k, hit := here.given(at.Dir, effects.NewTouch(j.ev, effects.Delete, p, true))
	switch {
	case inside != nothing:
		j.refuse(inside, at.Dir)
	case k != nothing && call.Sub != "init":
		j.add(trammel.Ask, k.code(), hit, "git "+call.Sub+" in "+at.Dir+" may put other files in the place of "+hit+
			". A person should decide; work in the project.")
	}
}

// namesAll reports whether pathspecs are empty, or cover the whole tree.
func namesAll(words []effects.Word) bool {
	for _, w := range words {
		if w.Text == "." || w.Text == ":/" || w.Text == "push" || w.Text == "save" {
			return true
		}
	}
	return len(words) == 0
}

// cleaned reports whether a touch is from git clean, and git tracks the file and so
// leaves it alone.
func (j *judgement) cleaned(here *grounds, t *effects.Touch, file string) bool {
	if t.Run < 0 {
		return false
	}
	call, ok := programs.ReadGit(&j.set.Runs[t.Run])
	tracked, _ := here.tracked(file)
	return ok && call.Sub == "clean" && tracked
}

// tracked reports whether git tracks a file in the root of a repository. known
// is false if the index cannot be read.
func (g *grounds) tracked(file string) (tracked, known bool) {
	index, err := g.world.ReadFile(filepath.Join(filepath.Dir(file), ".git", "index"), maxIndex)
	if err != nil {
		return false, !g.exists(filepath.Join(filepath.Dir(file), ".git"))
	}
	return bytes.Contains(index, []byte(filepath.Base(file)+"\x00")), true
}

// unborn reports whether the repository of a file in its root has no index yet. Then
// git tracks nothing there, and refuses to overwrite the file.
func (g *grounds) unborn(file string) bool {
	dir := filepath.Join(filepath.Dir(file), ".git")
	_, err := g.world.Lstat(filepath.Join(dir, "index"))
	return errors.Is(err, fs.ErrNotExist) && g.exists(filepath.Join(dir, "HEAD"))
}
