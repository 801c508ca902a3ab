package rule

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/effects/programs"
)

// scope provides the values of the Vocabulary: an event, and the effect for
// which an expression is evaluated.
type scope struct {
	ev    *trammel.Event
	words match.Words // of the program that program and args are about
	path  string
	only  string // if it is set, the only one of the paths
	turn  int    // which of several values of an option counts, 0 for the last
	loose bool   // an unknown value counts as any possible value
	lists *lists
	of    *condition // the expression
}

// program is the name of a program as the expression spells it.
func (s *scope) program(name string) string {
	if s.of == nil {
		return name
	}
	return match.CalledAs(name, s.of.texts)
}

// Text is the value of a name that is text.
func (s *scope) Text(name string) (string, bool) {
	ev := s.ev
	switch name {
	case "event":
		return ev.Kind.String(), true
	case "name":
		return ev.Name, true
	case "host":
		return ev.Host, true
	case "project":
		return ev.Session.Project, true
	case "session.id":
		return ev.Session.ID, true
	case "session.dir":
		return ev.Session.Dir, true
	case "session.agent":
		return ev.Session.Agent, true
	case "session.agent_id":
		return ev.Session.AgentID, true
	case "session.model":
		return ev.Session.Model, true
	case "session.mode":
		return ev.Session.Mode, true
	case "session.user":
		return ev.Session.User, true
	case "session.org":
		return ev.Session.Org, true
	case "program":
		if s.words.Run == nil {
			return "", true
		}
		return s.program(s.words.Run.Program), true
	case "args.text":
		return s.words.Text(), true
	case "path":
		return s.path, true
	case "prompt":
		if ev.Prompt == nil {
			return "", true
		}
		return ev.Prompt.Text, true
	case "stop.message":
		if ev.Stop == nil {
			return "", true
		}
		return ev.Stop.Message, true
	case "source":
		return ev.Source, true
	case "reason":
		return ev.Reason, true
	}
	if ev.Tool == nil {
		_, ok := toolText(new(trammel.ToolCall), name)
		return "", ok
	}
	return toolText(ev.Tool, name)
}

func toolText(t *trammel.ToolCall, name string) (string, bool) {
	a := &t.Action
	switch name {
	case "tool.name":
		return t.Name, true
	case "tool.id":
		return t.ID, true
	case "tool.output":
		return t.Output, true
	case "tool.error":
		return t.Error, true
	case "action.kind":
		return a.Kind.String(), true
	case "command", "action.command":
		return a.Command, true
	case "action.dir":
		return a.Dir, true
	case "action.content":
		return a.Content, true
	case "action.url":
		return a.URL, true
	case "action.query":
		return a.Query, true
	case "action.server":
		return a.Server, true
	case "action.tool":
		return a.Tool, true
	case "action.agent":
		return a.Agent, true
	}
	return "", false
}

// Value is the value of a name that is not text.
func (s *scope) Value(name string) (any, bool) {
	ev := s.ev
	t := ev.Tool
	if t == nil {
		t = new(trammel.ToolCall)
	}
	switch name {
	case "session.parents":
		return ev.Session.Parents, true
	case "session.bypass":
		return ev.Session.Bypass, true
	case "tool.failed":
		return t.Failed, true
	case "tool.done":
		return t.Done, true
	case "tool.confirm":
		return t.Confirm, true
	case "input":
		return t.Input, true
	case "paths", "action.paths":
		if s.only != "" {
			return []string{s.only}, true
		}
		return t.Action.Paths, true
	case "args.list", "args.unknown":
		return arguments{s.words}.Field(name[len("args."):])
	case "interactive":
		return s.words.Run != nil && programs.Interactive(s.words.Run), true
	case "commands", "effects.runs":
		return s.effects().runs, true
	case "effects.files":
		return s.effects().files, true
	case "effects.nets":
		return s.effects().nets, true
	case "effects.unknown":
		return s.effects().unknown, true
	case "effects.traps":
		return traps(s.ev), true
	case "synthetic":
		return ev.Prompt != nil && ev.Prompt.Synthetic, true
	case "stop.active":
		return ev.Stop != nil && ev.Stop.Active, true
	case "facts":
		return ev.Facts, true
	case "fields":
		return ev.Fields, true
	case "session", "tool", "action", "args", "stop", "effects":
		return &group{s, name + "."}, true
	}
	return s.pastValue(name)
}

// group is all names with one prefix, as a value: let s = session; s.mode.
type group struct {
	scope *scope
	dot   string
}

func (g *group) Field(name string) (any, bool) {
	if text, ok := g.scope.Text(g.dot + name); ok {
		return text, true
	}
	return g.scope.Value(g.dot + name)
}

func (g *group) Ask(name string, words []string) (any, bool) { return g.scope.Ask(g.dot+name, words) }
