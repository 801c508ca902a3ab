package past

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/hostname"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
)

// trees lists folders that come from a host: clones, and unpacked archives that
// this call or an earlier one has fetched.
func (l *lesson) trees() {
	if !l.wants(trammel.FetchedTree) {
		return
	}
	for i := range l.set.Files {
		f := &l.set.Files[i]
		if f.Op != effects.Write || f.Run < 0 || !f.Path.Known() || f.Path.Glob {
			continue
		}
		if !f.Tree { // ditto -xk a.zip out: a folder that is made
			if _, err := l.at.Lstat(f.Path.Abs); err == nil || path.Ext(f.Path.Abs) != "" {
				continue
			}
		}
		if l.set.Runs[f.Run].Program == "git" {
			for k := range l.set.Nets {
				if n := &l.set.Nets[k]; n.Run == f.Run && !hostname.Local(n.Host) && l.cloned(f.Run) {
					l.add(trammel.FetchedTree, f.Path.Real+"/", n.Host)
				}
			}
			continue
		}
		for k := range l.set.Files {
			if a := &l.set.Files[k]; a.Op == effects.Read && a.Run == f.Run && (f.Tree || isArchive(a.Path.Abs)) {
				l.unpacked(&a.Path, &f.Path)
			}
		}
	}
}

// isArchive reports whether a file is an archive by its name.
func isArchive(name string) bool {
	switch path.Ext(name) {
	case ".zip", ".tar", ".tgz", ".gz", ".xz", ".zst", ".bz2", ".7z", ".rar", ".deb", ".rpm", ".cpio", ".xar", ".pkg", ".whl", ".jar", ".cab":
		return true
	}
	return false
}

func (l *lesson) cloned(run int) bool {
	for _, w := range l.set.Runs[run].Args {
		if w.Text == "clone" {
			return true
		}
	}
	return false
}

// unpacked notes where the files of an archive are now, if it was fetched.
func (l *lesson) unpacked(archive, to *effects.Path) {
	from, fetched := "", false
	if r, found, _ := l.at.Recall(trammel.FetchedFile, archive); found {
		from, fetched = r.By, true
	}
	for _, o := range l.set.Origins {
		if o.Program == "" && o.Path == archive.Real {
			from, fetched = l.from(), true
		}
	}
	if !fetched {
		return
	}
	for _, tree := range Unpacked(l.at, archive.Abs, to.Real) {
		l.add(trammel.FetchedTree, tree+"/", from)
	}
}

// Unpacked is where the files of an archive are when it was unpacked into a folder.
// In one that was there before, they are taken to be in one that is called like the
// archive, with its version or without.
func Unpacked(at *model.Setting, archive, to string) []string {
	if _, err := at.Lstat(to); err != nil {
		return []string{to}
	}
	name := path.Base(archive)
	for ext := path.Ext(name); ext != "" && len(ext) < 6 && strings.Trim(ext[1:], "0123456789") != ""; ext = path.Ext(name) {
		name = strings.TrimSuffix(name, ext)
	}
	trees := []string{path.Join(to, name)}
	if strings.HasSuffix(archive, ".tgz") { // of npm
		trees = append(trees, path.Join(to, "package"))
	}
	if plain := strings.TrimRight(name, "-_.v0123456789"); plain != name && plain != "" {
		trees = append(trees, path.Join(to, plain))
	}
	if end := strings.IndexAny(name, "-_"); end > 2 { // tool-linux-amd64.tar.gz
		if first := path.Join(to, name[:end]); !slices.Contains(trees, first) {
			if _, err := at.Lstat(first); err != nil {
				trees = append(trees, first)
			}
		}
	}
	return trees
}

// FromArchive says of a file that is run whether it is one of an archive that the same
// call unpacks into a folder: it is where such are, or it is in the folder, was not
// there before, and nothing else writes it.
func FromArchive(at *model.Setting, files []model.File, archive, to string) func(file string) bool {
	trees := Unpacked(at, archive, to)
	return func(file string) bool {
		if slices.ContainsFunc(trees, func(tree string) bool { return paths.Within(file, tree) }) {
			return true
		}
		if _, err := at.Lstat(file); err == nil || !paths.Within(file, to) {
			return false
		}
		return !slices.ContainsFunc(files, func(f model.File) bool { return f.Op == model.Write && f.Path.Abs == file })
	}
}
