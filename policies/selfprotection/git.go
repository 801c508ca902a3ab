package selfprotection

import (
	"bytes"
	"path/filepath"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/internal/layers"
)

// maxIndex is the size up to which an index of git is read.
const maxIndex = 16 << 20

// git judges what puts other files in the place of those that are there. A
// stash with untracked files takes a file away that git does not know. Another
// commit may have other rules, or none, where git does know it: which, is
// unknown.
func (j *judgement) git(r *effects.Run) {
	call, _ := programs.ReadGit(r)
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
	case "restore":
		if !namesAll(o.Operands) {
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

// namesAll reports whether paths are none, or the whole tree.
func namesAll(words []effects.Word) bool {
	for _, w := range words {
		if w.Text == "." || w.Text == ":/" || w.Text == "push" || w.Text == "save" {
			return true
		}
	}
	return len(words) == 0
}

// cleaned reports whether a touch is that of git clean, which leaves the file
// alone: git knows it.
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
