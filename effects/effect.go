package effects

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs/options"
	"github.com/trammel-dev/trammel/effects/shell"
	"github.com/trammel-dev/trammel/effects/shell/parse"
	"github.com/trammel-dev/trammel/effects/world"
)

// The parts of a reading that most who ask need. Package model describes each,
// and the others.
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

// Of returns what the event's tool call does, worked out once per dispatch. An
// event without a tool call has no effects. It must not be changed.
func Of(ev *trammel.Event) *Set {
	if ev.Tool == nil {
		return &Set{}
	}
	return ev.Memo(memoKey{ev.Tool.Action.Command}, func() any {
		_, known := ev.Tools[ev.Tool.Name]
		return read(ev.Tool, known, At(ev))
	}).(*Set)
}

// Derive works out what an action does in the given setting. It takes any input,
// never runs anything, and always returns soon.
func Derive(a *trammel.Action, at *model.Setting) *Set {
	return read(&trammel.ToolCall{Action: *a}, false, at)
}

// reading works out what one call does.
type reading struct {
	shell.Machine
	set      *Set
	call     *trammel.ToolCall
	resolver paths.Resolver
	packages int // that were looked up
}

// read reads a call, of a tool whose arguments are known or are not.
func read(call *trammel.ToolCall, known bool, at *model.Setting) *Set {
	if at.World == nil {
		at = &model.Setting{World: &world.Frozen{}, Dir: at.Dir, Project: at.Project, Past: at.Past}
	}
	a, r := &call.Action, &reading{set: &Set{}, call: call}
	r.resolver.World = at.World
	r.Machine = shell.Machine{Setting: at, Paths: &r.resolver, Dir: Path{Text: at.Dir, Abs: at.Dir, Real: at.Dir}}
	if a.Dir != "" {
		r.Dir = r.Paths.Resolve(r.Paths.Tilde(a.Dir), r.Dir)
	}
	r.tool()
	if a.Command != "" {
		if language := windowsShell(call.Name); language != "" {
			r.Code(r.set, language, a.Command)
		} else {
			r.Interpret(r.set, parse.Bash(a.Command))
		}
	}
	switch {
	case a.Kind == trammel.MCPAction, !known && a.Kind != trammel.FetchAction:
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

// Each file of a call is judged by every policy, and each pattern is compared with
// what is there: so many are.
const (
	maxFiles    = 2500
	maxPatterns = 400
)

// bound leaves out what would take too long to judge. The doubt is about all of it.
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

// At is the setting of an event's call.
func At(ev *trammel.Event) *model.Setting {
	return &model.Setting{World: world.Of(ev), Dir: world.Dir(ev), Project: ev.Session.Project, Past: ev.Past}
}

// Resolve says which place a name means in a setting, as tools take names: ~ is
// the home directory.
func Resolve(at *model.Setting, name string) Path {
	r := paths.Resolver{World: at.World}
	return r.Resolve(r.Tilde(name), Path{Text: at.Dir, Abs: at.Dir, Real: at.Dir})
}
