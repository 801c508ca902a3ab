package shellguard

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/policies/shellguard/emptied"
	"github.com/trammel-dev/trammel/policies/shellguard/lent"
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
	case !f.Append && lent.Library(at.Abs) && !j.ground.Scratch(at) && !paths.Within(at.Abs, j.ground.Project) && j.cloned(at.Abs) == "" &&
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

func where(p effects.Path) string {
	return cmp.Or(p.Abs, p.Text)
}
