package shellguard

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
)

// handsOut judges what is no secret, and still not for strangers: what a database, a log or
// a repository holds, and the project as a whole.
func (j *judge) handsOut(n *model.Net, feeds map[int]bool) {
	area, _ := programs.ClassOf(&j.set.Runs[n.Run])
	if area == "database" || nickname(n.Host) || j.knownHost(n.Host) {
		return // another database is a migration
	}
	for run := range j.set.Runs {
		if feeds[run] && run != n.Run && programs.Exports(&j.set.Runs[run]) {
			j.add(j.exported(run), j.line(run)+" → "+j.goal(n))
		}
	}
	for i := range j.set.Files {
		f := &j.set.Files[i]
		if f.Op != effects.Read || f.Run < 0 || !feeds[f.Run] {
			continue
		}
		if j.wholeProject(f) {
			j.add("sends_project", where(f.Path)+" → "+j.goal(n))
		}
		j.holdsOutput(f.Path.Abs, func(run int) bool {
			if programs.Exports(&j.set.Runs[run]) {
				j.add(j.exported(run), j.line(run)+" → "+j.goal(n))
			}
			return false
		})
	}
}

// exportsAny reports whether there is anything for handsOut to judge.
func (j *judge) exportsAny() bool {
	return slices.ContainsFunc(j.set.Runs, func(r effects.Run) bool { return programs.Exports(&r) }) ||
		slices.ContainsFunc(j.set.Files, func(f effects.File) bool { return f.Op == effects.Read && j.wholeProject(&f) })
}

func (j *judge) wholeProject(f *effects.File) bool {
	return f.Tree && j.ground.ProjectOf(f.Path) >= paths.All
}

// nickname reports whether a host has a short name, which a person has set up, or one that is
// not known.
func nickname(host string) bool {
	return host == "" || !strings.ContainsAny(host, ".:") && (host[0] < '0' || host[0] > '9')
}

// exported is the code of sending what a run exports.
func (j *judge) exported(run int) code {
	if area, _ := programs.ClassOf(&j.set.Runs[run]); area == "git" {
		return "sends_project"
	}
	return "sends_data"
}
