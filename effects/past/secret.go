package past

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/programs/gitbypass"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// secrets are those that the call shows to the model, and the files that it puts
// some into.
func (l *lesson) secrets() {
	if !l.wants(trammel.HoldsSecret) && !l.wants(trammel.ReadSecret) {
		return
	}
	from := map[int]string{} // what a run reads that is secret
	for i := range l.set.Runs {
		switch r := &l.set.Runs[i]; {
		case programs.Reveals(r):
			from[i] = r.Program
			l.add(trammel.ReadSecret, r.Program, l.by(i))
		case l.set.Dumps(i), programs.Dumps(r): // it may be looked at, but not sent
			from[i] = r.Program
		}
	}
	for i := range l.set.Files {
		f := &l.set.Files[i]
		if f.Login || f.Op != effects.Write && !l.secret(f) {
			continue
		}
		switch f.Op {
		case effects.Move, effects.Link:
			l.copied(&f.To, f.Path.Abs)
		case effects.Read:
			if from[f.Run] = f.Path.Abs; l.shown(f) {
				l.add(trammel.ReadSecret, f.Path.Abs, l.by(f.Run))
			}
		case effects.Write: // what comes later on the line may read it again
			l.holds(f, from)
		}
	}
	for i := range l.set.Files { // a run may get it from one that is listed later
		l.holds(&l.set.Files[i], from)
	}
	l.carried()
}

// carried notes the files to which a tool that is no shell copies or moves a secret.
func (l *lesson) carried() {
	name := recipes.Parts(strings.ReplaceAll(l.ev.Tool.Name, "_", "."))
	if len(l.set.Runs) > 0 || !recipes.Means(name, "move", "copy", "rename", "mv", "cp") {
		return
	}
	at := slices.IndexFunc(l.set.Files, func(f effects.File) bool { return f.Run < 0 && l.ground.Secret(f.Path) })
	for i := range l.set.Files {
		if f := &l.set.Files[i]; at >= 0 && f.Run < 0 && f.Op == effects.Write {
			l.copied(&f.Path, l.set.Files[at].Path.Abs)
		}
	}
}

// holds notes that a file holds a secret if what writes it got one.
func (l *lesson) holds(f *effects.File, from map[int]string) {
	if f.Op != effects.Write || f.Run < 0 || f.Tree || len(from) == 0 {
		return
	}
	if source, ok := l.source(f.Run, from, map[int]bool{}); ok {
		l.copied(&f.Path, source)
	}
}

// secret reports whether a file that is read holds a secret: by its name, because
// an earlier call has put one there, or as a folder with an environment file.
func (l *lesson) secret(f *effects.File) bool {
	if f.Op != effects.Read && f.Op != effects.Move && f.Op != effects.Link {
		return false
	}
	if l.ground.Holds(f) || f.Tree && l.ground.CopiedBelow(&f.Path) || l.held[f.Path.Real] {
		return true
	}
	_, err := l.at.Lstat(path.Join(f.Path.Abs, ".env"))
	return f.Tree && f.Path.Known() && err == nil
}

// copied notes that a file holds a secret now. One that is called like one does
// in any case.
func (l *lesson) copied(to *effects.Path, from string) {
	if to.Known() && !l.ground.Secret(*to) && !l.held[to.Real] {
		l.add(trammel.HoldsSecret, to.Real, from)
		if l.held == nil {
			l.held = map[string]bool{}
		}
		l.held[to.Real] = true
	}
}

// shown reports whether the model sees what is read. The project's own settings do
// not count: programs load them all the time.
func (l *lesson) shown(f *effects.File) bool {
	if f.Run < 0 {
		return true
	}
	for i := range l.set.Files {
		if w := &l.set.Files[i]; w.Op == effects.Write && w.Run == f.Run {
			return false // it goes there
		}
	}
	return l.ground.ProjectOf(f.Path) == paths.Nothing || programs.OnlyReads(&l.set.Runs[f.Run])
}

// source returns the secret that may be in a run's output: the run reads it itself,
// or gets the output of a run that does.
func (l *lesson) source(run int, from map[int]string, seen map[int]bool) (string, bool) {
	if run < 0 || run >= len(l.set.Runs) || seen[run] {
		return "", false
	}
	seen[run] = true // one output can be used many times
	if secret, ok := from[run]; ok {
		return secret, true
	}
	r := &l.set.Runs[run]
	for _, used := range append([]int{r.From}, r.Uses...) {
		if secret, ok := l.source(used, from, seen); ok {
			return secret, true
		}
	}
	for i := range l.set.Runs[run+1:] { // what it has started
		if child := run + 1 + i; l.set.Runs[child].By == run {
			if secret, ok := from[child]; ok {
				return secret, true
			}
		}
	}
	return "", false
}

// remotes are the addresses that a run of git gives to remotes.
func (l *lesson) remotes(i int) {
	r := &l.set.Runs[i]
	g, ok := programs.ReadGit(r)
	if !ok || !l.wants(trammel.AddedRemote) {
		return
	}
	if g.Sub != "remote" && g.Sub != "config" {
		return
	}
	name, address := "", ""
	if a := g.Options(); g.Sub == "remote" && len(a.Operands) > 2 && (a.Word(0) == "add" || a.Word(0) == "set-url") {
		name, address = a.Word(1), a.Word(2)
	}
	if s, removed, ok := gitbypass.ConfigChange(&g); ok && !removed {
		key := strings.TrimSuffix(strings.TrimSuffix(s.Key, ".url"), ".pushurl")
		switch {
		case strings.HasPrefix(s.Key, "remote.") && key != s.Key:
			name, address = key[len("remote."):], s.Value.Text
		case paths.SameRemote(s.Key, s.Value): // another login
		case strings.HasPrefix(s.Key, "url.") && strings.HasSuffix(s.Key, "insteadof"):
			name, address = anyRemote, s.Key
		}
	}
	if address != "" && !HasRemote(l.at, r.Dir.Abs, address) {
		l.add(trammel.AddedRemote, address, name)
	}
}

// anyRemote stands for all remotes.
const anyRemote = "*"

// Redirected finds what the session has done to where a push to a remote goes.
func Redirected(at *model.Setting, remote string) (trammel.Remembered, bool) {
	if at.Past == nil {
		return trammel.Remembered{}, false
	}
	all, _ := at.Past.Recall(trammel.AddedRemote)
	for _, r := range all.Items {
		if r.By == remote || r.By == anyRemote {
			return r, true
		}
	}
	return trammel.Remembered{}, false
}

// HasRemote reports whether the repository around a directory has an address
// already.
func HasRemote(w trammel.World, dir, address string) bool {
	return hasURL(w, dir, func(url string) bool { return paths.SamePlace(address, url) })
}

// HasOwner reports whether a remote of the repository around a directory belongs to an
// account at GitHub.
func HasOwner(w trammel.World, dir, owner string) bool {
	return hasURL(w, dir, func(url string) bool {
		return strings.HasPrefix(url, "https://github.com/"+owner+"/") || strings.HasPrefix(url, "git@github.com:"+owner+"/")
	})
}

func hasURL(w trammel.World, dir string, is func(url string) bool) bool {
	for ; dir != "" && dir != "/" && dir != "."; dir = path.Dir(dir) {
		if data, err := w.ReadFile(path.Join(dir, ".git/config"), 1<<16); err == nil {
			for line := range strings.Lines(string(data)) {
				key, value, _ := strings.Cut(line, "=")
				if key = strings.TrimSpace(key); (key == "url" || key == "pushurl") && is(strings.TrimSpace(value)) {
					return true
				}
			}
			return false
		}
	}
	return false
}
