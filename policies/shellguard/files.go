package shellguard

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/policies/shellguard/emptied"
)

// file judges what happens to one file or tree.
func (j *judge) file(f *effects.File) {
	switch f.Op {
	case effects.Search:
		return
	case effects.Read:
		j.reads(f)
		return
	}
	if len(j.options.AllowPaths) > 0 && f.Path.Known() && match.In(j.at, j.ground.Project).Permits(j.options.AllowPaths, f.Path.Abs) {
		return
	}
	if f.Run >= 0 && j.set.Runs[f.Run].Program == "git" && (f.Op == effects.Delete || paths.GitData(f.Path)) {
		return // git's own files, and tracked ones, are judged by its arguments
	}
	switch f.Op {
	case effects.Delete:
		j.gone(f)
	case effects.Move:
		j.moved(f)
		j.written(&effects.File{Op: effects.Write, Path: f.To, Run: f.Run})
	case effects.Write:
		if j.written(f); f.Endless && !f.Device {
			j.add("fills_disk", where(f.Path))
		}
	case effects.Link:
		j.written(&effects.File{Op: effects.Write, Path: f.To, Run: f.Run})
	case effects.Mode:
		j.mode(f)
	}
}

// whole reports whether a removal takes everything it names: a tree, or all
// children of one.
func whole(f *effects.File, e paths.Extent) bool {
	return e == paths.Itself && f.Tree || e == paths.All
}

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

// special judges a change of a file that matters by itself, and reports whether
// it is one.
func (j *judge) special(p effects.Path, extent paths.Extent) bool {
	switch {
	case paths.Accounts(p.Abs):
		j.add("changes_accounts", where(p))
	case hookFile(p):
		j.add("hooks_removed", where(p))
	case paths.PackageSource(p.Abs):
		j.add("package_sources", where(p))
	case extent == paths.Part:
		j.add("system_file", where(p))
	default:
		return false
	}
	return true
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

// written judges what is created or overwritten.
func (j *judge) written(f *effects.File) {
	p := f.Path
	if !p.Known() {
		if text := strings.Trim(p.Text, `"`); f.Device && f.Tree && paths.NamesDisk(text) {
			j.add("raw_device", text)
		} else if paths.StartsWindows(text) {
			j.add("persistence", text)
		} else if paths.StartsPython(text) {
			j.add("shell_startup", text)
		} else if strings.HasPrefix(strings.ToLower(text), "$profile") { // of PowerShell
			j.add("shell_profile", text)
		}
		if !f.Append && f.Run >= 0 && slices.ContainsFunc(j.searched(f.Run), func(s *effects.File) bool {
			return s.Tree && j.ground.HomeOf(s.Path) >= paths.All
		}) {
			j.sweeps(f)
		}
		return
	}
	at := p
	if p.Real != "" {
		at.Abs = p.Real // who writes to a link writes to what it points to
	}
	_, extent := j.ground.System(at)
	if !f.Append && f.Run >= 0 && emptied.By(&j.set.Runs[f.Run]) { // what was in it is gone
		j.gone(&effects.File{Op: effects.Delete, Path: at, Run: f.Run, Code: f.Code})
		if paths.Backup(at.Abs) && !j.ground.Scratch(at) && !paths.Within(at.Abs, j.ground.Project) {
			j.add("destroys_backup", where(p))
		}
	}
	switch {
	case f.Device && j.confirms(f):
	case paths.Device(at):
		j.add("raw_device", where(p))
	case !f.Append && p.Glob && extent == paths.All && strings.Contains(p.Abs, "**"), f.Tree && extent == paths.Itself && j.covers(f):
		j.add("destroys_system_tree", where(p))
	case f.Tree && j.mounts(f) && (j.ground.HomeOf(p) == paths.Itself || j.ground.PersonalOf(p) == paths.Itself):
		j.add("hides", where(p))
	case !f.Append && p.Glob && j.ground.HomeOf(p) == paths.All && strings.Contains(p.Abs, "**") && !p.Some,
		!f.Append && p.Glob && j.ground.PersonalOf(p) == paths.All && !p.Some && !j.edits(f):
		j.add("destroys_home", where(p))
	case paths.GitData(at) && !j.ground.Scratch(at):
		j.add("destroys_git_data", where(p))
	case paths.Guards(at.Abs) && !j.harmless(f):
		j.add("security_disabled", where(p))
	case paths.Accounts(at.Abs):
		j.add("changes_accounts", where(p))
	case j.ground.Lasts(at) && !j.harmless(f):
		j.add("persistence", where(p))
	case serviceFile(at.Abs):
		j.add("service_file", where(p))
	case j.ground.Starts(at.Abs):
		if !j.setsUp(f) {
			j.add(j.profile(at.Abs), where(p))
		}
	case !f.Append && library(at.Abs) && !j.ground.Scratch(at) && !paths.Within(at.Abs, j.ground.Project) && j.cloned(at.Abs) == "" &&
		j.copies(f):
		j.add("replaces_library", where(p))
	case j.shadows(f):
		j.add("replaces_program", where(p))
	case hookFile(at):
		j.add("hooks_removed", where(p))
	case j.record(at) && !f.Append:
		j.add("covers_tracks", where(p))
	case paths.PackageSource(at.Abs) || j.harmless(f):
		j.add("package_sources", where(p))
	case paths.Manual(at.Abs) && !j.linked(at.Abs):
	case j.installs(at):
		j.add("installs_program", where(p))
	case extent == paths.Part && !strings.HasPrefix(at.Abs, "/proc/self/"):
		j.add("system_file", where(p))
	}
}

// linked reports whether this line makes a link at a path.
func (j *judge) linked(abs string) bool {
	return slices.ContainsFunc(j.set.Files, func(f effects.File) bool { return f.Op == effects.Link && f.To.Abs == abs })
}

// edits reports whether the run that writes a file reads it, too, and so keeps
// something of it.
func (j *judge) edits(f *effects.File) bool {
	return slices.ContainsFunc(j.set.Files, func(r effects.File) bool {
		return r.Op == effects.Read && r.Run == f.Run && r.Path.Abs == f.Path.Abs
	})
}

// covers reports whether a mount hides a tree that the machine cannot do without.
func (j *judge) covers(f *effects.File) bool {
	if f.Run < 0 || j.set.Runs[f.Run].Program != "mount" {
		return false
	}
	switch f.Path.Abs {
	case "/", "/bin", "/sbin", "/etc", "/lib", "/lib64", "/usr", "/usr/bin", "/usr/lib", "/home", "/root":
		return true
	}
	return false
}

// mounts reports whether a change is one of how a file system is mounted, other
// than taking away one that the machine needs.
func (j *judge) mounts(f *effects.File) bool {
	if f.Run < 0 {
		return false
	}
	switch j.set.Runs[f.Run].Program {
	case "mount":
		return true
	case "umount":
		switch f.Path.Abs {
		case "/mnt", "/media", "/Volumes", "/tmp", "/run", "/boot", "/boot/efi", "/proc", "/sys", "/dev", "/srv", "/opt":
			return true
		}
	}
	return false
}

// mode judges a change of permissions, owner or attributes.
func (j *judge) mode(f *effects.File) {
	p := f.Path
	_, extent := j.ground.System(p)
	tree := f.Tree || p.Glob && strings.Contains(p.Abs, "/**")
	switch {
	case !p.Known() || j.mounts(f) || f.Run >= 0 && otherVersion(&j.set.Runs[f.Run]):
	case tree && extent >= paths.All:
		j.add("destroys_system_tree", where(p))
	case tree && j.ground.HomeOf(p) >= paths.All:
		j.add("destroys_home", where(p))
	case !tree && j.installs(p):
		j.add("installs_program", where(p))
	case j.special(p, extent), j.ground.ProjectOf(p) == paths.Itself && j.ownsAgain(f.Run):
	case tree && (j.ground.ProjectOf(p) >= paths.All || !paths.Within(p.Abs, j.ground.Project) && !j.ground.Scratch(p)):
		j.add("permissions_tree", where(p))
	}
}

func where(p effects.Path) string {
	return cmp.Or(p.Abs, p.Text)
}
