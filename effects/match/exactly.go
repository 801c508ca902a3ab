package match

import (
	"cmp"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
)

// Exactly is the condition of an exception for command lines. It is true for a
// call that is one of them, made in the project's root, if the line itself shows
// everything that it does. A line that runs a script is not covered, because the
// script may change; nor is one with anything unknown. Hosts that it contacts must
// be among those in to.
func Exactly(lines, to []string) trammel.Condition {
	normal := make([]string, len(lines))
	for i, line := range lines {
		normal[i] = NormalLine(line)
	}
	return exactly{normal, to}
}

// NormalLine is the normal form of a command line. Blanks between words are one, unless
// something in the line may give them a meaning.
func NormalLine(command string) string {
	if strings.ContainsAny(command, "'\"`\\$\n\r<#") {
		return strings.Trim(command, " \t\r\n")
	}
	return strings.Join(strings.Fields(command), " ")
}

type exactly struct{ lines, to []string }

func (e exactly) String() string { return "the command is " + strings.Join(e.lines, " or ") }

// Holds implements trammel.Condition.
func (e exactly) Holds(ev *trammel.Event) bool { return e.Why(ev) == "" }

// Why says why a call is not covered, "" if it is.
func (e exactly) Why(ev *trammel.Event) string {
	switch {
	case ev.Tool == nil || ev.Tool.Action.Kind != trammel.ShellAction || !slices.Contains(e.lines, NormalLine(ev.Tool.Action.Command)):
		return "it is another command"
	case !only(ev.Tool):
		return "an argument beside the command changes what comes of it"
	}
	at := effects.At(ev)
	dir := effects.Resolve(at, ".")
	if a := ev.Tool.Action.Dir; a != "" {
		dir = effects.Resolve(at, a)
	}
	if at.Project == "" || !dir.Known() || !In(at.World, "").sameDir(dir.Abs, at.Project) {
		return "it is not made in the root of the project"
	}
	set := effects.Of(ev)
	if why := Uncertain(set); why != "" {
		return why
	}
	if !shown(set, ev.Tool.Action.Command, at) {
		return "it runs something that the line does not show, or that lies in the project and may change"
	}
	if i := slices.IndexFunc(set.Nets, func(n model.Net) bool { return n.Host == "" || n.Listens || !isHost(e.to, n.Host) }); i >= 0 {
		return "talks to " + cmp.Or(set.Nets[i].Host, "an unknown host") + ", which the exception does not name"
	}
	return ""
}

func (g *Globs) sameDir(a, b string) bool { return a == b || g.real(a) == g.real(b) }

// only reports whether a call has no argument beside its command that changes
// what comes of it.
func only(t *trammel.ToolCall) bool { return len(Beside(t)) == 0 }

// Beside returns the arguments of a call that its action does not have, and that may change
// what comes of it: a right, a variable, a method. Of a call on files, the texts and numbers are
// what is read or written, and where.
func Beside(t *trammel.ToolCall) map[string]any {
	out := map[string]any{}
	a := &t.Action
	files := !slices.Contains([]trammel.ActionKind{trammel.ShellAction, trammel.FetchAction, trammel.OtherAction, trammel.MCPAction,
		trammel.AgentAction}, a.Kind)
	for name, v := range t.Input {
		switch v := v.(type) {
		case nil:
			continue
		case bool:
			if !v {
				continue
			}
		case string:
			fetch := a.Kind == trammel.FetchAction && (v == a.URL || v == a.Query)
			if v == a.Command || v == a.Dir || name == "description" || fetch || files {
				continue
			}
		case map[string]any:
		default:
			if name == "command" || strings.HasPrefix(name, "timeout") || files {
				continue
			}
		}
		out[name] = v
	}
	return out
}

// InProject reports whether a call does not ask for a working directory outside of the project.
func InProject(ev *trammel.Event) bool {
	n := namedRun{at: effects.At(ev), Run: new(effects.Run)}
	dir := effects.Resolve(n.at, ev.Tool.Action.Dir)
	return ev.Tool.Action.Dir == "" || dir.Known() && !n.outside(dir, false)
}

// Unconfined reports whether a call asks for more than its command, with an argument that a
// rule about the command does not mean: to run outside of the sandbox, in a shell of the
// agent's choice, with further variables. The arguments in asked are meant.
func Unconfined(t *trammel.ToolCall, asked []string) bool {
	if t.Action.Kind != trammel.ShellAction {
		return false
	}
	for name, v := range t.Input {
		text, isText := v.(string)
		switch word := strings.ToLower(name); {
		case v == nil || v == false || isText && (text == "" || strings.HasPrefix(text, "use_default")) || slices.Contains(asked, name):
		case strings.Contains(word, "sandbox"), strings.Contains(word, "escalate"), strings.Contains(word, "elevate"),
			strings.Contains(word, "dangerous"), strings.Contains(word, "privilege"), word == "env", word == "environment":
			return true
		case word == "shell" && isText && isPath(text) && !paths.OfSystem(text, ""):
			return true
		}
	}
	return false
}

// shown reports whether a line itself names all that it runs, and runs nothing
// that lies in the project.
func shown(set *model.Set, line string, at *model.Setting) bool {
	there := func(text string) bool { return text != "" && strings.Contains(line, text) }
	for i := range set.Runs {
		r := &set.Runs[i]
		if !there(r.Path) || strings.ContainsAny(r.Path, `/\`) && strings.HasPrefix(effects.Resolve(at, r.Path).Abs+"/", at.Project+"/") ||
			slices.ContainsFunc(r.Args, func(w model.Word) bool { return w.Text != "" && !there(w.Text) }) {
			return false
		}
	}
	return !slices.ContainsFunc(set.Codes, func(c model.Code) bool { return c.Origin != model.Inline || !there(c.Text) })
}
