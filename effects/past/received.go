package past

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/hostname"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// received lists files that come from another machine in ways that the interpreter does
// not follow: what a program makes of a file that an earlier call has fetched, what
// somebody sends to a port, packages that are fetched and not installed, what a tool saves.
func (l *lesson) received() {
	if !l.wants(trammel.FetchedFile) {
		return
	}
	for i := range l.set.Files {
		f := &l.set.Files[i]
		if f.Op != effects.Write || f.Run < 0 || f.Tree || !f.Path.Known() || f.Device {
			continue
		}
		if from, ok := l.madeOf(f.Run); ok {
			l.add(trammel.FetchedFile, f.Path.Real, from)
		}
	}
	for i := range l.set.Runs {
		if r := &l.set.Runs[i]; !r.Remote {
			l.packs(r)
			l.copiedFrom(r)
		}
	}
	l.saved()
}

// madeOf returns the host of what a run writes, if it makes that of a fetched file, or
// takes it from a port.
func (l *lesson) madeOf(run int) (from string, ok bool) {
	for steps := 0; run >= 0 && run < len(l.set.Runs) && steps < len(l.set.Runs); run, steps = l.set.Runs[run].From, steps+1 {
		r := &l.set.Runs[run]
		if programs.Language(r) != "" && !isAwk(r.Program) { // it may make anything of it
			return "", false
		}
		if slices.ContainsFunc(l.set.Nets, func(n model.Net) bool { return n.Run == run && n.Listens }) {
			return "a port", true
		}
		for _, p := range l.set.Reads(run) {
			if r, found, _ := l.at.Recall(trammel.FetchedFile, &p); found {
				return r.By, true
			}
		}
	}
	return "", false
}

func isAwk(program string) bool { return strings.HasSuffix(program, "awk") || program == "sed" }

// packs lists the archives that a run fetches and leaves as they are: npm pack x,
// pip download x, crane export x y.tar.
func (l *lesson) packs(r *effects.Run) {
	a := programs.Parse(r)
	at := -1
	for i := range min(len(a.Operands), 3) {
		switch a.Word(i) {
		case "pack", "download", "fetch", "pull", "export", "save", "copy":
			at = i
		}
		if at >= 0 {
			break
		}
	}
	area, _ := programs.ClassOf(r)
	host, fetches := programs.Fetches(r)
	if at < 0 || area != "registry" && !fetches || a.Help() {
		return
	}
	dir := r.Dir
	if to, ok := a.Value("d", "dest", "destination", "pack-destination", "destination-directory", "output-dir"); ok {
		dir = l.place(to, r.Dir)
	}
	host = cmp.Or(host, "a registry")
	for _, w := range a.Operands[at+1:] {
		p := l.place(w, dir)
		if !w.Known || !p.Known() || p.Glob {
			continue
		}
		if isArchive(w.Text) && !strings.Contains(w.Text, "://") {
			l.add(trammel.FetchedFile, p.Real, host)
			continue
		}
		if _, err := l.at.Lstat(p.Real); err == nil || strings.HasPrefix(w.Text, ".") { // the project's own
			continue
		}
		name := strings.TrimPrefix(path.Base(w.Text), "@")
		name, _, _ = strings.Cut(name, "@")
		name, _, _ = strings.Cut(name, "=")
		for _, name := range slices.Compact([]string{name, strings.ReplaceAll(name, "-", "_")}) {
			for _, ext := range [...]string{".tgz", ".tar.gz", ".whl", ".gem", ".zip", ".crate", ".deb", ".rpm"} {
				if name != "" && !strings.ContainsAny(name, "*?[") {
					l.add(trammel.FetchedFile, path.Join(dir.Real, name+"*"+ext), host)
				}
			}
		}
	}
	if to, ok := a.Value("o", "output", "O"); ok && isArchive(to.Text) {
		p := l.place(to, r.Dir)
		l.add(trammel.FetchedFile, p.Real, host)
	}
}

// copiedFrom lists the files that a run copies from a pod or another machine that its
// program knows: kubectl cp pod:/x ./x.
func (l *lesson) copiedFrom(r *effects.Run) {
	switch r.Program {
	case "kubectl", "oc", "lxc", "incus", "multipass", "vagrant", "adb":
	default:
		return
	}
	a := programs.Parse(r)
	n := len(a.Operands)
	if n < 3 || !a.Says("cp", "pull", "transfer", "scp", "rsync") {
		return
	}
	from, to := a.Operands[n-2], a.Operands[n-1]
	far := strings.Contains(from.Text, ":") || r.Program == "adb" || strings.Contains(from.Text, "/")
	if !far || strings.Contains(to.Text, ":") {
		return
	}
	if p := l.place(to, r.Dir); p.Known() && !p.Glob {
		host, _, _ := strings.Cut(from.Text, ":")
		l.add(trammel.FetchedTree, p.Real, host)
		l.add(trammel.FetchedTree, p.Real+"/", host)
	}
}

// saved lists the files into which a tool that is no shell saves what it fetches.
func (l *lesson) saved() {
	if l.ev.Tool.Action.Command != "" || len(l.set.Runs) > 0 ||
		!recipes.Means(recipes.Parts(strings.ReplaceAll(l.ev.Tool.Name, "_", ".")), "download", "save", "fetch", "pull", "get") {
		return
	}
	host := ""
	for i := range l.set.Nets {
		if n := &l.set.Nets[i]; n.Run < 0 && n.URL != "" && !hostname.Local(n.Host) {
			host = n.Host
		}
	}
	for i := range l.set.Files {
		if f := &l.set.Files[i]; host != "" && f.Run < 0 && f.Path.Known() && !f.Path.Glob {
			l.add(trammel.FetchedFile, f.Path.Real, host)
		}
	}
}

// place resolves a word of a run.
func (l *lesson) place(w effects.Word, dir effects.Path) effects.Path {
	resolver := paths.Resolver{World: l.at.World}
	return resolver.Resolve(w, dir)
}
