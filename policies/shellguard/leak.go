package shellguard

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/policies/shellguard/variables"
)

// readsSecrets reports whether anything confidential is read.
func (j *judge) readsSecrets() bool {
	for i := range j.set.Files {
		f := &j.set.Files[i]
		if (f.Op == effects.Read || f.Op == effects.Move || f.Op == effects.Link) &&
			(j.secret(f) || j.withVariables(f) || j.private(f) || f.Tree && j.ground.CopiedBelow(&f.Path)) {
			return true
		}
	}
	for i := range j.set.Runs {
		if j.dumps(i) || j.reveals(i) || j.recordsLive(i) {
			return true
		}
	}
	return slices.ContainsFunc(j.set.Far, func(f effects.File) bool { return j.farSecret(&f) })
}

// sends judges outgoing data: secrets that the sender reads itself, gets through a
// pipe, or has in its arguments.
func (j *judge) sends(n *model.Net, feeds map[int]bool) {
	for i := range j.set.Files {
		f := &j.set.Files[i]
		if f.Op != effects.Read || f.Run < 0 || !feeds[f.Run] || j.identity(f) || n.InURL && ownToken(f, n) {
			continue
		}
		if j.secret(f) || j.holdsSecret(f.Path.Abs) || j.holdsDump(f.Path.Abs) || j.packs(f) || j.hasSecretBelow(f) ||
			j.holdsFolder(f.Path.Abs) {
			j.add("exfiltration", where(f.Path)+" → "+j.goal(n))
		} else if j.private(f) || j.holdsPrivate(f.Path.Abs) {
			j.add("sends_private", where(f.Path)+" → "+j.goal(n))
		}
	}
	for i := range j.set.Far {
		if f := &j.set.Far[i]; f.Run >= 0 && feeds[f.Run] && j.farSecret(f) {
			j.add("exfiltration", where(f.Path)+" → "+j.goal(n))
		}
	}
	for run := range feeds {
		if run != n.Run && (j.dumps(run) || j.exportsKey(run) || j.recordsLive(run)) {
			j.add("exfiltration", j.line(run)+" → "+j.goal(n))
		}
	}
	// A token in a header is a login; a token in a pipe is sent.
	for run, times := j.set.Runs[n.Run].From, 0; run >= 0 && times < len(j.set.Runs); run, times = j.set.Runs[run].From, times+1 {
		if j.reveals(run) {
			j.add("exfiltration", j.line(run)+" → "+j.goal(n))
		}
	}
}

// goal is where a connection goes: its host, or the program that knows it.
func (j *judge) goal(n *model.Net) string {
	if n.Host == "" && n.Run >= 0 {
		return j.set.Runs[n.Run].Program
	}
	return n.Host
}

// recordsLive reports whether a run records the screen, keys or the network.
func (j *judge) recordsLive(i int) bool {
	area, class := programs.ClassOf(&j.set.Runs[i])
	return area == "recording" && class == programs.Change
}

// packs reports whether a run passes on a whole folder that contains an environment
// file: tar c . | …, croc send .
func (j *judge) packs(f *effects.File) bool {
	if !j.withVariables(f) {
		return false
	}
	to, _ := programs.Fetches(&j.set.Runs[f.Run])
	return to == "paste" || slices.ContainsFunc(j.set.Runs, func(r effects.Run) bool { return r.From == f.Run })
}

// withVariables reports whether a run takes a whole folder that contains an environment file,
// and does not leave it out.
func (j *judge) withVariables(f *effects.File) bool {
	if !f.Tree || f.Run < 0 || f.Path.Abs == "" ||
		slices.ContainsFunc(j.set.Runs[f.Run].Args, func(a effects.Word) bool { return strings.Contains(a.Text, ".env") }) {
		return false
	}
	_, err := j.at.Lstat(path.Join(f.Path.Abs, ".env"))
	return err == nil
}

// reveals reports whether a run prints stored secrets.
func (j *judge) reveals(i int) bool {
	return programs.Reveals(&j.set.Runs[i])
}

// dumps reports whether a run prints all variables, or output that may contain secrets.
func (j *judge) dumps(i int) bool {
	return j.set.Dumps(i) || programs.Dumps(&j.set.Runs[i])
}

func (j *judge) secret(f *effects.File) bool {
	return !plainVariable(f) && j.ground.Holds(f) || f.Path.Glob && j.picksSecret(f.Path.Abs)
}

// plainVariable reports whether code reads a single variable whose name is not that
// of a secret: os.environ["PACKAGE"].
func plainVariable(f *effects.File) bool {
	name, ok := strings.CutPrefix(f.Path.Text, "$")
	return ok && f.Code && f.Path.Abs == "/proc/self/environ" && variables.Plain(name)
}

// ownToken reports whether code reads only one token, and sends it to the service
// it is for. In a body it could become visible to others there, as in a gist.
func ownToken(f *effects.File, n *model.Net) bool {
	name, ok := strings.CutPrefix(f.Path.Text, "$")
	return ok && f.Code && strings.HasPrefix(n.URL, "https://") && model.TokenFor(name, n.Host)
}

// picksSecret reports whether a pattern with patterns for folders, too, matches an
// existing secret: ~/.s?h/id_*.
func (j *judge) picksSecret(pattern string) bool {
	if !strings.ContainsAny(path.Dir(pattern), "*?[{") || strings.Contains(pattern, "**") {
		return false
	}
	names, _ := paths.NewLister(j.at).Expand(pattern)
	return slices.ContainsFunc(names, func(name string) bool { return j.ground.Secret(effects.Path{Abs: name, Real: name}) })
}

// holdsSecret reports whether this line has put a secret into a file: a copy,
// an archive, the output of a program that reads one.
func (j *judge) holdsSecret(abs string) bool {
	return j.holdsSecretFrom(abs, map[string]bool{"": true}, j.secret)
}

// holdsFolder reports whether this line has packed a whole folder with an environment file.
func (j *judge) holdsFolder(abs string) bool {
	return j.holdsSecretFrom(abs, map[string]bool{"": true}, j.withVariables)
}

// hasSecretBelow reports whether this line or an earlier call has put a secret somewhere
// below a folder: cp .env dist/ && rsync -a dist/ host:.
func (j *judge) hasSecretBelow(f *effects.File) bool {
	return f.Tree && j.ground.CopiedBelow(&f.Path) || f.Path.Abs != "" && slices.ContainsFunc(j.set.Files, func(w effects.File) bool {
		return w.Op == effects.Write && w.Run >= 0 && w.Path.Abs != f.Path.Abs && paths.Within(w.Path.Abs, f.Path.Abs) &&
			j.holdsSecret(w.Path.Abs)
	})
}

// holdsDump reports whether this line has written all variables, a picture of the screen,
// or output that may contain secrets, to a file.
func (j *judge) holdsDump(abs string) bool {
	return j.holdsOutput(abs, func(run int) bool { return j.dumps(run) || j.recordsLive(run) })
}

// holdsOutput reports whether this line has written the output of such a run to a file.
func (j *judge) holdsOutput(abs string, of func(run int) bool) bool {
	return abs != "" && slices.ContainsFunc(j.set.Files, func(w effects.File) bool {
		if w.Op != effects.Write || w.Run < 0 || w.Path.Abs != abs {
			return false
		}
		from := j.set.Runs[w.Run].From
		return of(w.Run) || from >= 0 && of(from)
	})
}

// holdsSecretFrom follows moves back to where a file was. It visits each name once,
// because files can be moved back and forth.
func (j *judge) holdsSecretFrom(abs string, seen map[string]bool, secret func(*effects.File) bool) bool {
	if seen[abs] {
		return false
	}
	seen[abs] = true
	for i := range j.set.Files {
		w := &j.set.Files[i]
		if (w.Op == effects.Move || w.Op == effects.Link) && w.To.Abs == abs && (secret(w) || j.holdsSecretFrom(w.Path.Abs, seen, secret)) {
			return true
		}
		if w.Op != effects.Write || w.Run < 0 || w.Path.Abs != abs {
			continue
		}
		from := map[int]bool{w.Run: true, j.set.Runs[w.Run].From: true}
		for run := range from {
			if run >= 0 && j.reveals(run) {
				return true
			}
		}
		for k := range j.set.Files {
			if r := &j.set.Files[k]; r.Op == effects.Read && r.Run >= 0 && from[r.Run] && secret(r) {
				return true
			}
		}
	}
	return false
}

// feeds returns the runs whose input can end up in what a connection sends: the
// sender, those before it in a pipe, those in its arguments, and what these start.
func (j *judge) feeds(n *model.Net) map[int]bool {
	sender := &j.set.Runs[n.Run]
	feeds := make(map[int]bool, 4)
	var take func(run int)
	take = func(run int) {
		if run < 0 || run >= len(j.set.Runs) || feeds[run] {
			return
		}
		feeds[run] = true
		r := &j.set.Runs[run]
		take(r.From)
		for _, used := range r.Uses {
			take(used)
		}
	}
	if n.Sends || netcat(sender.Program) {
		take(n.Run)
	}
	for _, used := range sender.Uses { // a URL can carry everything
		take(used)
	}
	for i := range n.Run { // -Body (…): PowerShell's values are not followed
		if n.Sends && strings.HasPrefix(sender.Program, "invoke-") && j.set.Runs[i].By == sender.By {
			take(i)
		}
	}
	for by, times := sender.By, 0; by >= 0 && len(feeds) > 0 && times < 50; by, times = j.set.Runs[by].By, times+1 {
		take(j.set.Runs[by].From)
	}
	for i := range j.set.Runs {
		if by := j.set.Runs[i].By; by >= 0 && feeds[by] && (by != n.Run || speaks(sender.Program)) {
			take(i)
		}
	}
	return feeds
}

// speaks reports whether a program is an interpreter, whose inline code can send
// the output of programs that it starts.
func speaks(program string) bool {
	return slices.Contains([]string{"python", "perl", "ruby", "node", "php", "deno", "bun", "lua", "osascript"},
		strings.TrimRight(program, "0123456789."))
}

// identity reports whether a secret is only used to log in or passed on unchanged,
// but neither sent nor shown.
func (j *judge) identity(f *effects.File) bool {
	if f.Login || f.Run < 0 {
		return f.Login
	}
	args := j.set.Runs[f.Run].Args
	for i, a := range args {
		if a.Text == "--env-file="+f.Path.Text {
			return true
		}
		if i == 0 || a.Text != f.Path.Text {
			continue
		}
		switch args[i-1].Text {
		case "-i", "-E", "-o":
			if _, known := programs.Lookup(j.set.Runs[f.Run].Program); known {
				continue // its row says what logs in
			}
			return true
		case "--key", "--cert", "--cacert", "--identity", "--netrc-file", "--proxy-cert", "--proxy-key", "--env-file":
			return true
		}
	}
	return false
}
