package shellguard

import (
	"strings"

	"github.com/trammel-dev/trammel/internal/effect"
	"github.com/trammel-dev/trammel/internal/place"
)

// windowsDelete judges the ways in which PowerShell and cmd remove trees.
func (j *judge) windowsDelete(i int) {
	r := &j.set.Runs[i]
	tree := false
	for _, a := range r.Args {
		switch strings.ToLower(a.Text) {
		case "/s", "-recurse", "-r", "-rec", "-recurs":
			tree = true
		case "-whatif":
			return
		}
	}
	if !tree {
		return
	}
	for _, a := range r.Args {
		if text := a.Text; a.Known && text != "" && text[0] != '-' && !(text[0] == '/' && len(text) == 2) {
			j.gone(&effect.File{Op: effect.Delete, Tree: true, Run: i, Path: j.windowsPath(text, a.Glob)})
		}
	}
}

func (j *judge) windowsPath(text string, glob bool) effect.Path {
	abs := text
	switch {
	case text == "." || text == "*":
		abs, glob = j.ground.Project, false
	case text == "~", strings.EqualFold(text, "$home"), strings.EqualFold(text, "%userprofile%"), strings.EqualFold(text, "$env:userprofile"):
		abs = j.ground.Home
	case strings.EqualFold(text, `%systemroot%`), strings.EqualFold(text, "$env:systemroot"):
		abs = `c:\windows`
	case strings.EqualFold(text, `%systemdrive%\`), strings.EqualFold(text, `$env:systemdrive\`):
		abs = `c:\`
	case len(text) > 1 && text[1] == ':', strings.HasPrefix(text, "/"):
		abs, glob = strings.TrimSuffix(strings.TrimSuffix(text, "*"), "."), false
	default:
		abs = ""
	}
	return effect.Path{Text: text, Abs: abs, Real: abs, Glob: glob}
}

// elsewhere judges removals on another machine, whose files are no files of
// ours: there only what every machine has is known.
func (j *judge) elsewhere(i int) {
	r := &j.set.Runs[i]
	if !r.Remote || !j.over(i, "ssh") {
		return
	}
	w := operands(r, "")
	tree := r.Program != "rm" || w.has("-r", "-R", "--recursive")
	for _, a := range w.list {
		if of, ok := strings.CutPrefix(a, "of="); ok {
			a = of
		}
		p := effect.Path{Text: a, Abs: a, Glob: strings.ContainsAny(a, "*?[")}
		switch _, extent := j.ground.System(p); {
		case r.Program != "rm" && place.Device(p):
			j.add("raw_device", j.line(i))
		case tree && r.Program == "rm" && (extent >= place.All || a == "~" || a == "~/*" || a == "$HOME" || a == "~/"):
			j.add("destroys_system_tree", j.line(i))
		}
	}
}

// over reports whether a run is started by a program, however far up.
func (j *judge) over(i int, program string) bool {
	for at, n := j.set.Runs[i].By, 0; at >= 0 && n < 100; at, n = j.set.Runs[at].By, n+1 {
		if j.set.Runs[at].Program == program {
			return true
		}
	}
	return false
}
