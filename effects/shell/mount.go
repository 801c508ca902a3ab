package shell

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/shell/compute"
)

// mounted is a directory of this machine that a container sees under another name.
type mounted struct {
	here   model.Path
	at     string
	volume bool // it is kept by the program that runs containers
}

// mounts reads the options of docker run that let a container see files of
// this machine, and where it starts.
func (d *deriver) mounts(options *programs.Args, sub, st *state) {
	for _, w := range append(options.All("volume"), options.All("mount")...) {
		from, to := compute.Mounted(w.Text)
		if strings.Contains(from, "/") || from == "." || from == ".." || from == "~" {
			d.mount(model.Word{Text: from, Known: w.Known}, to, sub, st)
		} else if from != "" {
			d.volume(model.Word{Text: from, Known: w.Known}, to, sub, st)
		}
	}
	if w, ok := options.Value("workdir"); ok && path.IsAbs(w.Text) && w.Known {
		sub.dir = model.Path{Text: w.Text, Abs: path.Clean(w.Text), Real: path.Clean(w.Text)}
	}
}

// maxMounts bounds the directories of this machine that one container is given.
const maxMounts = 64

func (d *deriver) mount(from model.Word, to string, sub, st *state) {
	if strings.HasPrefix(from.Text, "~") && !strings.ContainsAny(from.Text, "$`") { // ~:/x is for docker to read
		from = d.paths.Tilde(from.Text)
	}
	here := d.paths.Resolve(from, d.here(st))
	switch {
	case !here.Known() || !path.IsAbs(to):
	case len(sub.mounts) >= maxMounts:
		d.doubt("size", "more mounts than are looked at", st.by)
	default:
		sub.mounts = append(sub.mounts[:len(sub.mounts):len(sub.mounts)], mounted{here: here, at: path.Clean(to)})
	}
}

// volume lets a container see a volume by its name, in the place where Docker keeps it.
func (d *deriver) volume(name model.Word, to string, sub, st *state) {
	before := len(sub.mounts)
	d.mount(model.Word{Text: paths.Volumes + name.Text + "/_data", Known: name.Known}, to, sub, st)
	for i := range sub.mounts[before:] {
		sub.mounts[before+i].volume = true
	}
}

// ours are the files of this machine that a container means by one of its own.
func (st *state) ours(f model.File) []model.File {
	var out []model.File
	for _, m := range st.mounts {
		rest, below := strings.CutPrefix(f.Path.Abs, strings.TrimSuffix(m.at, "/")+"/")
		one := f
		switch {
		case m.volume && (f.Op != model.Delete || below && strings.Trim(rest, "*.") != ""):
			continue // what a container does with some of its own files is ordinary work
		case f.Path.Abs == m.at:
			one.Path = m.here
		case below && f.Path.Abs != "":
			abs := path.Join(m.here.Real, rest)
			one.Path = model.Path{Text: f.Path.Text, Abs: abs, Real: abs, Glob: f.Path.Glob}
		// all of it, with what is mounted in it
		case f.Tree && f.Path.Abs != "" && strings.HasPrefix(m.at, strings.TrimSuffix(f.Path.Abs, "/")+"/"):
			one.Path = m.here
		default:
			continue
		}
		one.To = model.Path{}
		if one.Op == model.Move || one.Op == model.Link { // it may end up anywhere
			one.Op = model.Delete
			if f.Op == model.Link {
				continue
			}
		}
		out = append(out, one)
	}
	return out
}
