package effects

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/languages/windows"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs/options"
	"github.com/trammel-dev/trammel/effects/shell"
	"github.com/trammel-dev/trammel/effects/shell/parse"
	"github.com/trammel-dev/trammel/effects/world"
)

// The types that most callers need. Package model documents them, and the others.
type (
	Set  = model.Set
	Run  = model.Run
	Word = model.Word
	Path = model.Path
	File = model.File
)

// What happens to a file.
const Read, Search, Write, Delete, Move, Link, Mode = model.Read, model.Search, model.Write, model.Delete, model.Move, model.Link,
	model.Mode

type memoKey struct{ command string }

// Of returns what the event's tool call does, computed once per dispatch. An
// event without a tool call has no effects. The Set must not be changed.
func Of(ev *trammel.Event) *Set {
	if ev.Tool == nil {
		return &Set{}
	}
	return ev.Memo(memoKey{ev.Tool.Action.Command}, func() any {
		_, known := ev.Tools[ev.Tool.Name]
		return read(ev.Tool, known, At(ev))
	}).(*Set)
}

// Derive computes what an action does in the given setting. It accepts any input,
// never runs anything, and always returns soon.
func Derive(a *trammel.Action, at *model.Setting) *Set {
	return read(&trammel.ToolCall{Action: *a}, false, at)
}

// DeriveCode lists what code in a language does; shell is one.
func DeriveCode(language, text string, at *model.Setting) *Set {
	if language == "shell" {
		return Derive(&trammel.Action{Kind: trammel.ShellAction, Command: text}, at)
	}
	set, resolver := &Set{}, &paths.Resolver{World: at.World}
	m := shell.Machine{Setting: at, Paths: resolver, Dir: Path{Text: at.Dir, Abs: at.Dir, Real: at.Dir}}
	m.Code(set, language, text)
	return set
}

// reading is the state while one call is read.
type reading struct {
	shell.Machine
	set      *Set
	call     *trammel.ToolCall
	resolver paths.Resolver
	packages int // how many have been looked up
	does     doing
}

// read reads a call. known says whether the tool's arguments are known.
func read(call *trammel.ToolCall, known bool, at *model.Setting) *Set {
	if at.World == nil {
		at = &model.Setting{World: &world.Frozen{}, Dir: at.Dir, Project: at.Project, Past: at.Past}
	}
	a, r := &call.Action, &reading{set: &Set{}, call: call}
	r.does = doing{nameOf(call), trammel.Operation(call.Input), a.Content != ""}
	r.resolver.World = at.World
	r.Machine = shell.Machine{Setting: at, Paths: &r.resolver, Dir: Path{Text: at.Dir, Abs: at.Dir, Real: at.Dir}}
	if a.Dir != "" {
		r.Dir = r.Paths.Resolve(r.Paths.Tilde(a.Dir), r.Dir)
	}
	r.tool()
	_, types := terminal(call)
	switch language := windowsShell(call.Name); {
	case a.Command == "":
	case language != "":
		r.Code(r.set, language, a.Command)
	case types:
		r.typed(a.Command)
	case r.foreign() && forWindows(a.Command):
		r.Code(r.set, windows.Batch, a.Command)
	default:
		r.Interpret(r.set, parse.Bash(a.Command))
	}
	switch {
	case a.Kind == trammel.MCPAction, !known && a.Kind != trammel.FetchAction,
		a.Kind == trammel.ShellAction && a.Command == "": // it has its command somewhere else
		r.arguments()
	case a.Kind == trammel.FetchAction:
		r.urls()
	}
	if r.resolver.Full {
		r.set.Doubt("size", "too many paths to follow", -1)
	}
	r.traps()
	r.bound()
	return r.set
}

// Every policy judges each file of a call, and compares each pattern with the
// files that exist, so their numbers are limited.
const (
	maxFiles    = 2500
	maxPatterns = 400
)

// bound drops effects that would take too long to judge. The doubt covers all of them.
func (r *reading) bound() {
	for i := range r.set.Runs {
		if len(r.set.Runs[i].Args) > options.MaxArgs {
			r.set.Doubt("size", "more arguments than are looked at", i)
		}
	}
	patterns := 0
	for i := range r.set.Files {
		if r.set.Files[i].Path.Glob {
			patterns++
		}
		if i >= maxFiles || patterns > maxPatterns {
			r.set.Files = r.set.Files[:i]
			r.set.Doubt("size", "more files than are looked at", -1)
			return
		}
	}
}

// At returns the setting of an event's call.
func At(ev *trammel.Event) *model.Setting {
	return &model.Setting{World: world.Of(ev), Dir: world.Dir(ev), Project: ev.Session.Project, Past: ev.Past}
}

// Resolve returns the path that a name means in a setting, as tools interpret
// names: ~ is the home directory.
func Resolve(at *model.Setting, name string) Path {
	r := paths.Resolver{World: at.World}
	return r.Resolve(r.Tilde(name), Path{Text: at.Dir, Abs: at.Dir, Real: at.Dir})
}
