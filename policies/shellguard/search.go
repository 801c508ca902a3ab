package shellguard

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/policies/shellguard/emptied"
)

// through splits a pattern that comes from searching a tree: /usr/**/x.
func through(p effects.Path) (found bool, under effects.Path) {
	if !p.Glob {
		return false, p
	}
	dir, _, found := strings.Cut(p.Abs, "/**/")
	dir = cmp.Or(dir, "/")
	return found, effects.Path{Text: p.Text, Abs: dir, Real: dir}
}

// listed judges removing what a search or a listing returns: find /etc | xargs rm
// -rf.
func (j *judge) listed(i int) {
	r := &j.set.Runs[i]
	by := r.By
	for by >= 0 && !goesThrough(j.set.Runs[by].Program) { // xargs sudo rm
		by = j.set.Runs[by].By
	}
	if by < 0 || j.set.Runs[by].From < 0 || !r.More && !(isAwk(j.set.Runs[by].Program) && slices.ContainsFunc(r.Args, unknown)) {
		return
	}
	from := j.set.Runs[by].From
	w := programs.Parse(r)
	for _, f := range j.searched(from) {
		switch r.Program {
		case "rm", "shred", "unlink", "trash":
			j.gone(&effects.File{Op: effects.Delete, Path: f.Path, Tree: true, Run: from})
		case "chmod", "chown", "chgrp":
			j.mode(&effects.File{Op: effects.Mode, Path: f.Path, Tree: f.Tree && !chooses(j.set.Runs[from].Args) || w.Has("recursive"),
				Run: from})
		}
	}
}

// tracked judges what empties or removes all files that git knows, by the list that git
// makes of them: git ls-files | xargs rm, truncate -s 0 $(git ls-files).
func (j *judge) tracked(i int) {
	r := &j.set.Runs[i]
	from := append([]int(nil), r.Uses...)
	if by := r.By; by >= 0 && goesThrough(j.set.Runs[by].Program) {
		from = append(append(from, j.set.Runs[by].From), j.set.Runs[by].Uses...)
	}
	all := slices.ContainsFunc(from, func(k int) bool {
		if k < 0 || j.set.Runs[k].Program != "git" {
			return false
		}
		o := programs.Parse(&j.set.Runs[k])
		return o.Word(0) == "ls-files" && len(o.Operands) == 1 && !o.Has("d", "o", "i", "deleted", "others", "ignored")
	})
	if all && emptied.By(r) {
		j.add("destroys_project", "git ls-files")
	}
}

// goesThrough reports whether a program runs others for each line that it reads.
func goesThrough(program string) bool {
	return program == "xargs" || program == "parallel" || isAwk(program)
}

// isAwk: awk '{system("rm " $0)}' runs a program for each line, as xargs does.
func isAwk(program string) bool { return strings.HasSuffix(program, "awk") }

func unknown(w effects.Word) bool { return !w.Known }

// commands judges a shell that reads the lines of a search as commands: find ~ |
// sed 's/^/rm /' | sh.
func (j *judge) commands(i int) {
	by := j.set.Runs[i].From
	if by < 0 || j.set.Runs[by].From < 0 || j.set.Runs[by].Program != "sed" && !isAwk(j.set.Runs[by].Program) {
		return
	}
	if slices.ContainsFunc(j.set.Runs[by].Args, func(a effects.Word) bool { return strings.Contains(a.Text, "rm ") }) {
		j.removes(j.set.Runs[by].From)
	}
}

// removes judges removing everything that a run has searched, if that is a tree to
// protect and nothing narrows the search.
func (j *judge) removes(run int) {
	for _, s := range j.searched(run) {
		if s.Tree && !chooses(j.set.Runs[run].Args) && j.keeps(s.Path) {
			j.gone(&effects.File{Op: effects.Delete, Path: s.Path, Tree: true, Run: run, Code: true})
		}
	}
}

// keeps reports whether a path is all of a tree of the system, a home or a personal
// folder.
func (j *judge) keeps(p effects.Path) bool {
	tree, extent := j.ground.System(p)
	return extent == paths.Itself && !scratch(tree) || j.ground.HomeOf(p) == paths.Itself || j.ground.PersonalOf(p) == paths.Itself
}

// sweeps judges code that removes what it finds in a tree, or reads from a search,
// under names that are known only at run time.
func (j *judge) sweeps(f *effects.File) {
	if !f.Code || f.Run < 0 {
		return
	}
	if from := j.set.Runs[f.Run].From; from >= 0 {
		j.removes(from)
	}
	for _, s := range j.searched(f.Run) {
		if !s.Tree || !j.keeps(s.Path) {
			continue
		}
		if slices.ContainsFunc(j.set.Runs[f.Run].Args, func(a effects.Word) bool {
			return strings.Contains(a.Text, "if ") || strings.Contains(a.Text, "if(")
		}) {
			j.add("deletes_outside", where(s.Path)) // some of it
			continue
		}
		j.gone(&effects.File{Op: effects.Delete, Path: s.Path, Tree: true, Run: f.Run, Code: true})
	}
}

// searched returns the paths that a run searches, or what it starts.
func (j *judge) searched(run int) []*effects.File {
	if j.searches == nil {
		j.searches = map[int][]*effects.File{}
		for i := range j.set.Files {
			if f := &j.set.Files[i]; f.Op == effects.Search {
				j.searches[f.Run] = append(j.searches[f.Run], f)
				if f.Run >= 0 && j.set.Runs[f.Run].By >= 0 {
					j.searches[j.set.Runs[f.Run].By] = append(j.searches[j.set.Runs[f.Run].By], f)
				}
			}
		}
	}
	return j.searches[run]
}

// picks reports whether a search narrows what is removed: find . -name '*.o'
// -delete removes some files of the project, not the project. In a system tree that
// makes no difference.
func (j *judge) picks(f *effects.File) bool {
	if f.Run < 0 || f.Path.Some {
		return f.Path.Some
	}
	for run := f.Run; run >= 0; run = j.set.Runs[run].By {
		if r := &j.set.Runs[run]; r.Program == "find" || r.Program == "fd" || r.Program == "fdfind" {
			return chooses(r.Args)
		}
	}
	return false
}

// picksGit reports whether a search chooses the data of git.
func (j *judge) picksGit(f *effects.File) bool {
	for run := f.Run; run >= 0; run = j.set.Runs[run].By {
		args := j.set.Runs[run].Args
		for i := 1; i < len(args); i++ {
			test := args[i-1].Text
			if !strings.HasSuffix(args[i].Text, ".git") && !strings.Contains(args[i].Text, ".git/") ||
				!strings.HasSuffix(test, "name") && !strings.HasSuffix(test, "path") {
				continue
			}
			if turned := i > 1 && (args[i-2].Text == "!" || args[i-2].Text == "-not"); !turned && !prunes(args[i:]) {
				return true
			}
		}
	}
	return false
}

// prunes reports whether a search skips what its last test has found.
func prunes(args []effects.Word) bool {
	for _, w := range args {
		switch w.Text {
		case "-prune":
			return true
		case "-delete", "-exec", "-execdir", "-ok", "-okdir":
			return false
		}
	}
	return false
}

// chooses reports whether only some files pass the tests of a search. A negated
// test (! -name keep) lets almost everything pass.
func chooses(args []effects.Word) bool {
	for i, w := range args {
		if i > 0 && (args[i-1].Text == "!" || args[i-1].Text == "-not") {
			continue
		}
		if i+1 < len(args) && (args[i+1].Text == "*" || args[i+1].Text == ".*" || args[i+1].Text == "*.*") {
			continue
		}
		switch w.Text {
		case "-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex", "-size", "-empty", "-mtime", "-mmin", "-ctime", "-atime",
			"-newer", "-user", "-perm", "-links", "-lname", "-xtype", "-e", "-g", "--extension", "--glob":
			return true
		}
	}
	return false
}
