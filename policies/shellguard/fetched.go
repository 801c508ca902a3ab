package shellguard

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/names"
	"github.com/trammel-dev/trammel/effects/past"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/policies/shellguard/builds"
)

// foreign judges running something from a tree that an earlier call has fetched.
// Existing text files have been read and are judged by their effects; binaries
// have not.
func (j *judge) foreign() {
	j.shared()
	for i := range j.set.Files {
		if f := &j.set.Files[i]; f.Op == model.Write && f.Run >= 0 && f.Path.Known() && (f.Tree || j.set.Runs[f.Run].Program != "curl") {
			j.runsClone(f)
			j.runsUnpacked(f)
		}
	}
	if j.at.Past == nil {
		return
	}
	if trees, err := j.at.Past.Recall(trammel.FetchedTree); err == nil && len(trees.Items) == 0 {
		return
	}
	for i := range j.set.Runs {
		r := &j.set.Runs[i]
		switch {
		case r.Remote || r.Dir.Abs == "":
		case strings.Contains(r.Path, "/"):
			j.fetched(builds.Place(r.Dir.Abs, r.Path))
		case builds.Is(r.Program) && j.absent(builds.In(r).Abs): // otherwise its recipes were read
			j.fetched(builds.Place(builds.In(r).Abs, "Makefile"))
		}
	}
	for i := range j.set.Codes {
		if c := &j.set.Codes[i]; c.Origin == model.OnDisk && c.File.Known() {
			j.fetched(c.File)
		}
	}
}

// shared judges running something from the share of another machine: \\host\share\a.exe.
func (j *judge) shared() {
	from := func(place string) {
		host, _, _ := strings.Cut(strings.TrimLeft(strings.ReplaceAll(place, `\`, "/"), "/"), "/")
		switch {
		case !strings.HasPrefix(place, `\\`) || local(host) || host == "." || host == "?" || strings.HasPrefix(host, "wsl"):
		case strings.Contains(host, "."):
			j.add("fetched_code", place)
		default: // a server of the company, by its short name
			j.add("foreign_source", place)
		}
	}
	for i := range j.set.Runs {
		from(j.set.Runs[i].Path)
	}
	for i := range j.set.Codes {
		from(j.set.Codes[i].File.Text)
	}
}

// runsClone judges running something from a tree that the call itself clones, or copies
// from another machine, so that nobody could read it.
func (j *judge) runsClone(tree *effects.File) {
	from := slices.IndexFunc(j.set.Nets, func(n model.Net) bool { return n.Run == tree.Run && !n.Own && !n.Sends && !local(n.Host) })
	by := &j.set.Runs[tree.Run]
	clones := slices.Contains(strings.Fields("git hg svn gh bzr brz darcs pijul"), by.Program) && tree.Tree
	if from < 0 || by.Remote || j.knownHost(j.set.Nets[from].Host) {
		return
	}
	found, built := code("fetched_code"), code("fetched_code")
	if names.Registry(j.set.Nets[from].Host) {
		found, built = "foreign_source", ""
	}
	within := func(file string) bool {
		return paths.Within(file, tree.Path.Abs) && (clones || file != tree.Path.Abs && j.absent(file))
	}
	j.runsIn(within, tree.Run, found, built, j.set.Nets[from].Host)
}

// absent reports whether a file is not there, and nothing in the call makes it.
func (j *judge) absent(file string) bool {
	_, err := j.at.Lstat(file)
	return errors.Is(err, fs.ErrNotExist) && !slices.ContainsFunc(j.set.Files, func(f effects.File) bool {
		return f.Op == model.Write && !f.Tree && f.Path.Abs == file
	})
}

// runsUnpacked judges running something from an archive that the call itself
// fetches, from a host that is not known for its projects, and unpacks. Building it
// is how people install from source.
func (j *judge) runsUnpacked(tree *effects.File) {
	archive, host := j.archive(tree.Run)
	if !tree.Tree || host == "" || local(host) || j.knownHost(host) || names.Registry(host) {
		return
	}
	j.runsIn(past.FromArchive(j.at, j.set.Files, archive, tree.Path.Abs), tree.Run, "fetched_code", "foreign_source", host)
}

// archive is what a run unpacks, if this call has fetched it, and from which host.
func (j *judge) archive(run int) (name, host string) {
	for i := range j.set.Nets {
		if n := &j.set.Nets[i]; n.Run >= 0 && n.Run == j.set.Runs[run].From {
			return n.URL, n.Host
		}
	}
	for i := range j.set.Files {
		read := &j.set.Files[i]
		if read.Op != model.Read || read.Run != run || !read.Path.Known() {
			continue
		}
		by := slices.IndexFunc(j.set.Files, func(f effects.File) bool { return f.Op == model.Write && f.Path.Real == read.Path.Real })
		for k := range j.set.Nets {
			if n := &j.set.Nets[k]; by >= 0 && n.Run >= 0 && n.Run == j.set.Files[by].Run {
				return read.Path.Abs, n.Host
			}
		}
	}
	return "", ""
}

// runsIn adds a finding for each program and each code in a tree that is run after
// the run that made it; built is the finding for building what is in it.
func (j *judge) runsIn(within func(file string) bool, after int, found, built code, host string) {
	for i := after + 1; i < len(j.set.Runs); i++ {
		r := &j.set.Runs[i]
		if r.Remote || r.Dir.Abs == "" {
			continue
		}
		direct := strings.Contains(r.Path, "/") && within(builds.Place(r.Dir.Abs, r.Path).Abs)
		switch {
		case built != "" && (direct && r.Program == "configure" || builds.Is(r.Program) && within(builds.In(r).Abs)):
			j.add(built, j.line(i)+", from "+host)
		case direct:
			j.add(found, j.line(i)+", from "+host)
		}
	}
	for i := range j.set.Codes {
		c := &j.set.Codes[i]
		if c.Run > after && (c.Origin == model.OnDisk || c.Origin == model.Made) && c.File.Known() && within(c.File.Abs) {
			j.add(found, c.File.Abs+", from "+host)
		}
	}
}

// fetched adds a finding for a file in a fetched tree that cannot be read.
func (j *judge) fetched(p effects.Path) {
	from, found, _ := j.at.Recall(trammel.FetchedTree, &p)
	if !found {
		return
	}
	if text, err := j.at.ReadFile(p.Real, 128<<10); err != nil || strings.IndexByte(string(text), 0) >= 0 {
		j.add("fetched_code", p.Abs+", from "+from.By+when(from))
	}
}

// applied judges giving a cluster or a cloud what another host just said: curl … | kubectl
// apply -f -. That of the cluster itself is its own.
func (j *judge) applied(i int) {
	if !slices.ContainsFunc(j.set.Nets, j.strange) {
		return
	}
	switch area, _ := programs.ClassOf(&j.set.Runs[i]); area {
	case "cluster", "cloud", "infrastructure":
	default:
		return
	}
	sources := slices.Clone(j.set.Runs[i].Uses) // kubectl apply -f <(curl …)
	for from := j.set.Runs[i].From; from >= 0 && len(sources) <= len(j.set.Runs); from = j.set.Runs[from].From {
		sources = append(sources, from)
	}
	for _, n := range j.set.Nets {
		if !j.strange(n) || !slices.Contains(sources, n.Run) {
			continue
		}
		trap := "stranger"
		if names.Registry(n.Host) {
			trap = "foreign"
		}
		j.add(trapCode(trap), j.line(i)+", from "+n.Host)
	}
}

// strange reports whether something is fetched from a host that is not known.
func (j *judge) strange(n model.Net) bool {
	return !n.Own && n.URL != "" && !local(n.Host) && !j.knownHost(n.Host)
}
