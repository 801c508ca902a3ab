package shellguard

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
)

// fromPipe reports whether a shell runs what comes out of a named pipe, or what is added to
// a file while it runs: sh < pipe, tail -f file | sh.
func (j *judge) fromPipe(c *model.Code) bool {
	if c.Run < 0 {
		return false
	}
	if c.Origin == model.OnDisk {
		return j.isPipe(&c.File)
	}
	for run, steps := j.set.Runs[c.Run].From, 0; run >= 0 && steps < len(j.set.Runs); run, steps = j.set.Runs[run].From, steps+1 {
		r := &j.set.Runs[run]
		if r.Program == "tail" && slices.ContainsFunc(r.Args, func(w model.Word) bool {
			return strings.HasPrefix(w.Text, "--follow") || strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") &&
				strings.ContainsAny(w.Text, "fF")
		}) {
			return true
		}
		if slices.ContainsFunc(j.set.Files, func(f effects.File) bool {
			return f.Op == effects.Read && f.Run == run && j.isPipe(&f.Path)
		}) {
			return true
		}
	}
	return false
}

// isPipe reports whether a file is a named pipe: it is there, or this call or an earlier
// one makes it.
func (j *judge) isPipe(p *effects.Path) bool {
	if !p.Known() || p.Glob {
		return false
	}
	if info, err := j.at.Lstat(p.Real); err == nil {
		return info.Mode()&fs.ModeNamedPipe != 0
	}
	for i := range j.set.Files {
		f := &j.set.Files[i]
		if f.Op == effects.Write && f.Run >= 0 && f.Path.Abs == p.Abs && makesPipes(j.set.Runs[f.Run].Program) {
			return true
		}
	}
	made, found, _ := j.at.Recall(trammel.WroteFile, p)
	return found && makesPipes(made.By)
}

func makesPipes(program string) bool { return program == "mkfifo" || program == "mknod" }
