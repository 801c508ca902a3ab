// Package past says what a session has to remember about a call, to judge later
// calls.
package past

import (
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/hostname"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
)

// Sorts are all sorts of things that can be remembered.
func Sorts() []trammel.PastSort {
	return []trammel.PastSort{trammel.WroteFile, trammel.FetchedFile, trammel.FetchedTree, trammel.CopiedProgram, trammel.HoldsSecret,
		trammel.ReadSecret, trammel.ForeignText, trammel.AddedRemote, trammel.AddedPackage}
}

// Of lists what a session will have done of some sorts once the event's call is
// done.
func Of(ev *trammel.Event, sorts []trammel.PastSort) map[trammel.PastSort][]trammel.Remembered {
	if ev.Tool == nil {
		return nil
	}
	l := &lesson{ev: ev, set: effects.Of(ev), at: effects.At(ev), sorts: sorts}
	l.ground = paths.On(l.at)
	l.files()
	l.received()
	l.trees()
	l.secrets()
	l.texts()
	for i := range l.set.Runs {
		if l.set.Runs[i].Program == "git" {
			l.remotes(i)
		} else if l.wants(trammel.AddedPackage) {
			l.packages(i)
		}
	}
	return l.learned
}

type lesson struct {
	ev      *trammel.Event
	set     *effects.Set
	at      *model.Setting
	ground  paths.Ground
	sorts   []trammel.PastSort
	learned map[trammel.PastSort][]trammel.Remembered
	held    map[string]bool // the files into which this call has put a secret
}

func (l *lesson) wants(sort trammel.PastSort) bool { return slices.Contains(l.sorts, sort) }

func (l *lesson) add(sort trammel.PastSort, what, by string) {
	if what == "" || !l.wants(sort) {
		return
	}
	if l.learned == nil {
		l.learned = map[trammel.PastSort][]trammel.Remembered{}
	}
	l.learned[sort] = append(l.learned[sort], trammel.Remembered{What: what, By: by, At: l.ev.Now()})
}

// by returns the program that does something, or the tool itself.
func (l *lesson) by(run int) string {
	if run < 0 {
		return l.ev.Tool.Name
	}
	return l.set.Runs[run].Program
}

// files lists the files that the call writes, and where their content comes from.
func (l *lesson) files() {
	file := "" // where one file was moved to
	for i := range l.set.Files {
		f := &l.set.Files[i]
		to := written(f)
		if to == nil || to.Glob || f.Device || f.Kept {
			continue
		}
		if info, err := l.at.Lstat(f.Path.Real); f.Op == effects.Move && err == nil && info.Mode().IsRegular() {
			file = to.Real
		}
		if what := to.Real; f.Tree && what != "" && what != "/" && what != file {
			l.add(trammel.WroteFile, what+"/", l.by(f.Run))
		} else {
			l.add(trammel.WroteFile, what, l.by(f.Run))
		}
	}
	for _, m := range l.set.Origins {
		if m.Program != "" {
			l.add(trammel.CopiedProgram, m.Path, m.Program)
		} else {
			l.add(trammel.FetchedFile, m.Path, l.from())
		}
	}
}

// written returns the path that an effect changes, nil if there is none.
func written(f *effects.File) *effects.Path {
	switch f.Op {
	case effects.Write:
		return &f.Path
	case effects.Move, effects.Link:
		return &f.To
	}
	return nil
}

// from is the first host that the call talks to.
func (l *lesson) from() string {
	for i := range l.set.Nets {
		if host := l.set.Nets[i].Host; host != "" {
			return host
		}
	}
	return "the network"
}

// texts lists the foreign texts that the call reads.
func (l *lesson) texts() {
	if !l.wants(trammel.ForeignText) {
		return
	}
	if a := &l.ev.Tool.Action; a.Kind == trammel.MCPAction {
		l.add(trammel.ForeignText, a.Server, l.ev.Tool.Name)
	}
	for i := range l.set.Nets {
		n := &l.set.Nets[i]
		if n.Sends || n.Listens || hostname.Local(n.Host) {
			continue
		}
		if n.Run >= 0 {
			r := &l.set.Runs[n.Run]
			if _, installs := programs.Fetches(r); installs || r.Program == "git" {
				continue
			}
		}
		l.add(trammel.ForeignText, n.Host, l.by(n.Run))
	}
}

// packages are those that a run installs.
func (l *lesson) packages(i int) {
	r := &l.set.Runs[i]
	if _, ok := programs.Fetches(r); !ok {
		return
	}
	a := programs.Parse(r)
	for k, w := range a.Operands {
		switch w.Text {
		case "install", "add", "i", "get", "require":
			for _, name := range a.Operands[k+1:] {
				l.add(trammel.AddedPackage, name.Text, r.Program)
			}
			return
		}
	}
}
