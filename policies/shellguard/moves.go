package shellguard

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/paths"
)

// movesOf returns what this line moves.
func (j *judge) movesOf() []*effects.File {
	if j.moves == nil {
		j.moves = []*effects.File{}
		for i := range j.set.Files {
			if f := &j.set.Files[i]; f.Op == effects.Move && f.Path.Known() && f.To.Known() && !paths.Within(f.Path.Abs, f.To.Abs) {
				j.moves = append(j.moves, f)
			}
		}
	}
	return j.moves
}

// moved judges what is moved away. What is moved is not lost, so only the
// machine's own trees are worth a denial.
func (j *judge) moved(f *effects.File) {
	p := f.Path
	_, extent := j.ground.System(p)
	switch {
	case !p.Known():
	case f.To.Abs == "/dev/null": // what somebody writes who means to remove it
		j.gone(&effects.File{Op: effects.Delete, Path: p, Tree: true, Run: f.Run, Code: f.Code})
	case extent == paths.All && j.sweeping(f):
		j.add("destroys_system_tree", where(p))
	case extent >= paths.All, j.ground.HomeOf(p) >= paths.All, j.ground.ProjectOf(p) >= paths.All:
		j.add("moves_tree", where(p))
	case j.ground.PersonalOf(p) >= paths.All && strings.HasPrefix(f.To.Abs, "/dev/shm"): // which is lost with the power
		j.add("moves_tree", where(p))
	case paths.GitData(p) && !j.ground.Scratch(p):
		j.add("destroys_git_data", where(p))
	default:
		j.special(p, extent)
	}
}

// sweeping reports whether a move of all children of a tree would really
// happen: into a directory that is there, and not into the tree itself. Where
// the target's option comes last or nothing may be overwritten, systems differ
// in what mv does, and it is only warned about.
func (j *judge) sweeping(f *effects.File) bool {
	if f.Run >= 0 {
		operands := false
		for _, w := range j.set.Runs[f.Run].Args {
			switch {
			case !strings.HasPrefix(w.Text, "-"):
				operands = true
			case operands, w.Text == "-n", w.Text == "--no-clobber", w.Text == "-i", w.Text == "-u":
				return false
			}
		}
	}
	dir := path.Dir(f.To.Abs)
	if f.To.Known() {
		if info, err := j.at.Lstat(f.To.Abs); err == nil && info.IsDir() {
			dir = f.To.Abs
		} else if err == nil {
			return false
		} else if info, err := j.at.Lstat(dir); err != nil || !info.IsDir() {
			return false
		}
	}
	return dir != path.Dir(f.Path.Abs)
}
