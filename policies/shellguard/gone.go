package shellguard

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
)

// whole reports whether a removal takes everything it names: a tree, or all
// children of one.
func whole(f *effects.File, e paths.Extent) bool {
	return e == paths.Itself && f.Tree || e == paths.All
}

// gone judges a removal. If this line has moved the tree there, its original path
// counts, too.
func (j *judge) gone(f *effects.File) {
	p := f.Path
	for _, was := range j.movesOf() {
		if f.Tree && f.Op == effects.Delete && f.Run >= 0 && was.Run < f.Run && p.Known() && paths.Within(was.To.Abs, p.Abs) {
			j.gone(&effects.File{Op: effects.Delete, Path: was.Path, Tree: true, Run: was.Run})
		}
	}
	name := where(p)
	tree, extent := j.ground.System(p)
	if found, under := through(p); found {
		// find /usr -name x -delete goes through all of it.
		if top, all := j.ground.System(under); all == paths.Itself && !scratch(top) {
			tree, extent = top, all
			every := *f
			every.Tree = true
			f = &every
		}
	}
	switch {
	case !p.Known() && f.Device && !j.confirms(f) && (paths.NamesDisk(name) || f.Run >= 0 && j.set.Runs[f.Run].More): // lsblk | xargs
		j.add("raw_device", name)
	case !p.Known():
		j.sweeps(f)
		if f.Tree && !inScratch(p.Text) && !inFolder(p.Text) && !packed(p.Text) {
			j.add("deletes_unknown", name)
		}
	case f.Tree && strings.HasPrefix(p.Abs, paths.Volumes):
		j.add("container_destroy", name)
	case f.Device && j.confirms(f):
	case paths.Device(p):
		j.add("raw_device", name)
	case f.Device && paths.Special(p.Abs):
		j.add("storage_destroy", name)
	case whole(f, extent) && !(scratch(tree) && (extent == paths.All || j.picks(f))):
		j.add("destroys_system_tree", name)
	case whole(f, j.ground.HomeOf(p)), whole(f, j.ground.PersonalOf(p)) && !j.picks(f), j.documents(p):
		j.add("destroys_home", name)
	case whole(f, j.ground.ProjectOf(p)) && !j.picks(f):
		j.add("destroys_project", name)
	case whole(f, j.ground.ProjectOf(p)) && j.picksGit(f):
		j.add("destroys_git_data", name)
	case f.Run >= 0 && !j.set.Runs[f.Run].Astray && j.freshClone(p.Abs):
	case (paths.GitData(p) || f.Tree && paths.CoversGit(p)) && !j.ground.Scratch(p):
		j.add("destroys_git_data", name)
	case f.Tree && j.ground.Repository(p) && !j.ground.Scratch(p) && !j.ground.Artefact(p):
		j.add("destroys_repository", name)
	case f.Tree && j.ground.SecretTree(p), j.ground.Secret(p) && (strings.Contains(p.Abs, "/.ssh/") || strings.Contains(p.Abs, "/.gnupg/")):
		j.add("destroys_credentials", name)
	case j.record(p):
		j.add("covers_tracks", name)
	case paths.Refilled(p.Abs), paths.Manual(p.Abs):
	case j.special(p, extent):
	case j.profile(p.Abs) == "shell_profile":
		j.add("shell_profile", name)
	case j.ground.Scratch(p) || paths.Within(p.Abs, j.ground.Project):
	case paths.Backup(p.Abs) && (f.Tree || p.Glob && !p.Some) && !j.picks(f):
		j.add("destroys_backup", name)
	case f.Tree, strings.HasSuffix(p.Abs, "/**") && !p.Some:
		j.add("deletes_outside", name)
	}
}

// documents reports whether a pattern matches people's documents and recordings,
// in a home directory outside of the project: ~/**/*.docx.
func (j *judge) documents(p effects.Path) bool {
	if !p.Glob || paths.Within(p.Abs, j.ground.Project) || j.ground.Scratch(p) ||
		!slices.ContainsFunc(j.ground.Homes(), func(home string) bool { return paths.Within(p.Abs, home) }) &&
			!strings.HasPrefix(strings.ToLower(p.Abs), `c:\users\`) {
		return false
	}
	switch strings.ToLower(path.Ext(p.Abs)) {
	case ".doc", ".docx", ".odt", ".rtf", ".pages", ".xls", ".xlsx", ".ods", ".numbers", ".ppt", ".pptx", ".odp", ".pdf", ".jpg", ".jpeg",
		".heic", ".raw", ".cr2", ".nef", ".psd", ".mov", ".mp4", ".m4v", ".mp3", ".m4a", ".flac", ".kdbx", ".pst", ".mbox":
		return true
	case ".txt", ".md", ".tex", ".ipynb", ".eml", ".epub": // in one folder they may be a program's
		return slices.ContainsFunc(j.ground.Homes(), func(home string) bool { return strings.HasPrefix(p.Abs, home+"/**/") })
	}
	return false
}

// inScratch reports whether an unknown path is below the directory for temporary
// files: $TMPDIR/build.
func inScratch(text string) bool {
	text = strings.Replace(strings.Replace(strings.Trim(text, `"`), "{", "", 1), "}", "", 1)
	for _, variable := range [...]string{"$TMPDIR/", "$TMP/", "$TEMP/", "$RUNNER_TEMP/", "$XDG_RUNTIME_DIR/", "/tmp/",
		"/var/tmp/"} {
		if name, ok := strings.CutPrefix(text, variable); ok {
			return name != "" && !strings.ContainsAny(name[:1], "*?[{$.") && !strings.Contains(name, "..")
		}
	}
	return false
}

// inFolder reports whether an unknown path is below a named folder: build/$TARGET.
func inFolder(text string) bool {
	folder, name, ok := strings.Cut(strings.Trim(text, `"`), "/")
	return ok && folder != "" && !strings.ContainsAny(folder, "$`*?[{~.") && !strings.Contains(name, "..") && !strings.HasPrefix(name, "/")
}

// packed reports whether a name that is not known ends like that of an archive, which
// is no folder: $HASH.tar.
func packed(text string) bool {
	return slices.Contains([]string{".tar", ".tgz", ".gz", ".xz", ".bz2", ".zst", ".zip", ".7z"}, path.Ext(strings.Trim(text, `"`)))
}

// confirms reports whether the program asks before it does it, and so does
// nothing for an agent.
func (j *judge) confirms(f *effects.File) bool {
	if f.Run < 0 || j.set.Runs[f.Run].Program != "cryptsetup" {
		return false
	}
	w := programs.Parse(&j.set.Runs[f.Run])
	return !w.Has("batch-mode")
}
