package rule

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/effects/programs"
)

// environment is what expressions can name. Parts that an event does not have
// are empty, so that a condition about them is false rather than an error.
type environment struct {
	Event       string               `expr:"event"`
	Name        string               `expr:"name"`
	Host        string               `expr:"host"`
	Project     string               `expr:"project"`
	Session     session              `expr:"session"`
	Tool        tool                 `expr:"tool"`
	Input       map[string]any       `expr:"input"`
	Action      action               `expr:"action"`
	Command     string               `expr:"command"`
	Program     string               `expr:"program"`
	Args        args                 `expr:"args"`
	Interactive bool                 `expr:"interactive"`
	Commands    []command            `expr:"commands"`
	Effects     effectLists          `expr:"effects"`
	Runs        func(...string) bool `expr:"runs"`
	Reads       func(...string) bool `expr:"reads"`
	Writes      func(...string) bool `expr:"writes"`
	Deletes     func(...string) bool `expr:"deletes"`
	TalksTo     func(...string) bool `expr:"talks_to"`
	Sends       func(...string) bool `expr:"sends"`

	// The same of which only what is certain counts: see certain.
	SureRuns    func(...string) bool `expr:"#runs"`
	SureReads   func(...string) bool `expr:"#reads"`
	SureWrites  func(...string) bool `expr:"#writes"`
	SureDeletes func(...string) bool `expr:"#deletes"`
	SureTalksTo func(...string) bool `expr:"#talks_to"`
	SureSends   func(...string) bool `expr:"#sends"`

	Path      string                    `expr:"path"`
	Paths     []string                  `expr:"paths"`
	Prompt    string                    `expr:"prompt"`
	Synthetic bool                      `expr:"synthetic"`
	Stop      stop                      `expr:"stop"`
	Source    string                    `expr:"source"`
	Reason    string                    `expr:"reason"`
	Facts     map[string]map[string]any `expr:"facts"`
	Fields    map[string]any            `expr:"fields"`

	// Tick counts the rounds of loops. No expression can spell its name.
	Tick func() bool `expr:"#tick"`
}

type session struct {
	ID      string   `expr:"id"`
	Dir     string   `expr:"dir"`
	Agent   string   `expr:"agent"`
	AgentID string   `expr:"agent_id"`
	Parents []string `expr:"parents"`
	Model   string   `expr:"model"`
	Mode    string   `expr:"mode"`
	Bypass  bool     `expr:"bypass"`
	User    string   `expr:"user"`
	Org     string   `expr:"org"`
}

type tool struct {
	Name   string `expr:"name"`
	ID     string `expr:"id"`
	Output string `expr:"output"`
	Error  string `expr:"error"`
	Failed bool   `expr:"failed"`
	Done   bool   `expr:"done"`
}

type action struct {
	Kind    string   `expr:"kind"`
	Command string   `expr:"command"`
	Dir     string   `expr:"dir"`
	Paths   []string `expr:"paths"`
	Content string   `expr:"content"`
	URL     string   `expr:"url"`
	Query   string   `expr:"query"`
	Server  string   `expr:"server"`
	Tool    string   `expr:"tool"`
	Agent   string   `expr:"agent"`
}

type args struct {
	Has     func(any ...string) bool     `expr:"has"`
	Starts  func(any ...string) bool     `expr:"starts"`
	Value   func(names ...string) string `expr:"value"`
	List    []string                     `expr:"list"`
	Text    string                       `expr:"text"`
	Unknown bool                         `expr:"unknown"`

	SureHas    func(any ...string) bool `expr:"#has"`
	SureStarts func(any ...string) bool `expr:"#starts"`
}

type stop struct {
	Active  bool   `expr:"active"`
	Message string `expr:"message"`
}

// Term is one name of the vocabulary of conditions.
type Term struct{ Name, Type, About string }

// Vocabulary lists what expressions can name, for documentation. A test holds
// it against the types above.
func Vocabulary() []Term {
	return []Term{
		{"event", "string", "the kind of event: pre_tool_use"},
		{"name", "string", "what the host calls the event"},
		{"host", "string", "which host reported it: claude-code"},
		{"project", "string", "the project's root directory"},
		{"session.id", "string", "the session"},
		{"session.dir", "string", "the agent's working directory"},
		{"session.agent", "string", "which agent"},
		{"session.agent_id", "string", "which instance of it"},
		{"session.parents", "[]string", "the sessions or agents above this one, nearest first"},
		{"session.model", "string", "the model"},
		{"session.mode", "string", "the host's permission mode, as it calls it"},
		{"session.bypass", "bool", "the mode switches the host's own questions off"},
		{"session.user", "string", "the user"},
		{"session.org", "string", "the organisation"},
		{"tool.name", "string", "the tool, as the host calls it"},
		{"tool.id", "string", "the call"},
		{"tool.output", "string", "what the tool gave back, after it ran"},
		{"tool.error", "string", "its error, if it failed"},
		{"tool.failed", "bool", "it failed"},
		{"tool.done", "bool", "it has run"},
		{"input", "map[string]any", "the tool's arguments; a missing one is nil"},
		{"action.kind", "string", "what the call does: shell, write, edit, read, delete, fetch, search, mcp, agent, other"},
		{"action.command", "string", "the shell command line"},
		{"action.dir", "string", "where it runs, if the call says so"},
		{"action.paths", "[]string", "the files it names, as given"},
		{"action.content", "string", "text that would be put into the file"},
		{"action.url", "string", "the address it would fetch"},
		{"action.query", "string", "what it would search for"},
		{"action.server", "string", "the MCP server"},
		{"action.tool", "string", "the tool's name on that server"},
		{"action.agent", "string", "which kind of sub-agent"},
		{"command", "string", "short for action.command"},
		{"program", "string", "the program of the command at hand; empty if it is unknown"},
		{"args.has", "func(...string) bool", "any of these words is among the command's arguments; where they are unknown, the rule's unknown " +
			"counts"},
		{"args.starts", "func(...string) bool", "an argument begins with one of these: args.starts(\"+\") for git push origin +main"},
		{"args.value", "func(...string) string", "what one of these options is given: args.value(\"--context\", \"-c\"); empty if none is there"},
		{"args.list", "[]string", "the command's arguments"},
		{"args.text", "string", "the command's arguments, joined by blanks"},
		{"args.unknown", "bool", "there may be arguments that are unknown"},
		{"interactive", "bool", "the command at hand opens a shell, an interpreter or a client that takes commands of its own: the last chance " +
			"to decide"},
		{"commands", "[]command", "every program that runs, however deep, each with program and args"},
		{"effects.runs", "[]command", "the same"},
		{"effects.files", "[]touched", "every file that is touched, each with op (read, write, delete, move, link, mode, search), path, tree, " +
			"program"},
		{"effects.nets", "[]net", "every host that is talked to, each with host, port, url, sends, program"},
		{"effects.unknown", "[]string", "what could not be looked at, so that it may do anything"},
		{"runs", "func(...string) bool", "a program runs, however deep, with all of these words: runs(\"git\", \"push\")"},
		{"reads", "func(...string) bool", "a file that one of these globs matches is read"},
		{"writes", "func(...string) bool", "one is created or changed"},
		{"deletes", "func(...string) bool", "one is removed or moved away"},
		{"talks_to", "func(...string) bool", "one of these hosts is talked to: talks_to(\"*.example.com\")"},
		{"sends", "func(...string) bool", "a file that one of these globs matches is read and sent to a host"},
		{"path", "string", "the file that the match is about; without a path in the match, the first that the action names"},
		{"paths", "[]string", "short for action.paths"},
		{"prompt", "string", "what is said to the agent"},
		{"synthetic", "bool", "no person wrote the prompt: the host repeats it for tool results or a stop hook's reason"},
		{"stop.active", "bool", "a stop hook has already made the agent go on"},
		{"stop.message", "string", "the last thing the model said"},
		{"source", "string", "what set the event off: startup, resume, manual, auto"},
		{"reason", "string", "why something ended"},
		{"facts", "map[string]map[string]any", "what earlier hooks have computed, by hook id"},
		{"fields", "map[string]any", "the host's own fields that no other name holds"},
	}
}

func environmentOf(ev *trammel.Event) *environment {
	s := &ev.Session
	env := &environment{
		Event: ev.Kind.String(), Name: ev.Name, Host: ev.Host, Project: s.Project,
		Session: session{s.ID, s.Dir, s.Agent, s.AgentID, s.Parents, s.Model, s.Mode, s.Bypass, s.User, s.Org},
		Source:  ev.Source, Reason: ev.Reason, Facts: ev.Facts, Fields: ev.Fields,
	}
	if t := ev.Tool; t != nil {
		a := &t.Action
		env.Tool = tool{t.Name, t.ID, t.Output, t.Error, t.Failed, t.Done}
		env.Input = t.Input
		env.Action = action{a.Kind.String(), a.Command, a.Dir, a.Paths, a.Content, a.URL, a.Query, a.Server, a.Tool, a.Agent}
		env.Command, env.Path, env.Paths = a.Command, firstPath(ev), a.Paths
	}
	if ev.Prompt != nil {
		env.Prompt, env.Synthetic = ev.Prompt.Text, ev.Prompt.Synthetic
	}
	if ev.Stop != nil {
		env.Stop = stop{ev.Stop.Active, ev.Stop.Message}
	}
	return env
}

// bind makes program and args those of one program.
func (env *environment) bind(w match.Words) {
	env.Program, env.Args, env.Interactive = "", argsOf(w), false
	if w.Run != nil {
		env.Program, env.Interactive = w.Run.Program, programs.Interactive(w.Run)
	}
}

func argsOf(w match.Words) args {
	sure := match.Words{Run: w.Run}
	return args{Has: w.Has, Starts: w.Starts, Value: w.Value, List: w.List(), Text: w.Text(), Unknown: w.Unknown(),
		SureHas: sure.Has, SureStarts: sure.Starts}
}
