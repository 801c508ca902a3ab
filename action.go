package trammel

import (
	"slices"
)

// ActionKind is the sort of thing that a tool call does, whatever the host
// calls the tool.
type ActionKind uint8

// The kinds of actions. OtherAction is what no table knows.
const (
	OtherAction ActionKind = iota
	ShellAction
	WriteAction
	EditAction
	ReadAction
	DeleteAction
	FetchAction
	SearchAction
	MCPAction
	AgentAction
	actionKinds
)

// Action is what a tool call does, in words that are the same for every host.
// Policies judge Actions; a policy that reads a host's tool names is in the
// wrong place. Command, Paths and URL are filled whenever the arguments carry
// them, also for tools of kind mcp and other, so that an unknown tool with a
// command in it does not pass as harmless.
type Action struct {
	Kind ActionKind
	// Also are further kinds, for a call that does several things at once: a
	// patch that edits one file and deletes another.
	Also    []ActionKind
	Command string   // the shell command line
	Dir     string   // where it runs, if the call says so
	Paths   []string // files it names, as given; relative ones are relative to Dir or the session's directory
	Content string   // text that a write or edit would put into the file
	URL     string
	Query   string
	Server  string // mcp: the server
	Tool    string // mcp: the tool's name on that server
	Agent   string // agent: which kind of sub-agent
}

// Shape says where a host's tool keeps the parts of an Action among its
// arguments. Names are tried in order.
type Shape struct {
	Kind    ActionKind
	Command []string
	Dir     []string
	Paths   []string // a string or a list of strings under each name
	Content []string
	URL     []string
	Query   []string
	Agent   []string
	// Parse, if set, fills what names alone cannot (a patch body, a list of edits).
	Parse func(input map[string]any, a *Action)
}

// Shapes translates a host's tools into Actions, by tool name. A tool that is
// not in it is read loosely: whatever looks like a command, a path or a URL
// among its arguments is taken for one.
type Shapes map[string]Shape

// Action reads the Action out of a tool call.
func (s Shapes) Action(call *ToolCall) Action {
	shape, known := s[call.Name]
	if !known {
		return looseAction(call)
	}
	a := Action{Kind: shape.Kind}
	shape.fill(call.Input, &a)
	if shape.Parse != nil {
		shape.Parse(call.Input, &a)
	}
	return a
}

func (s *Shape) fill(input map[string]any, a *Action) {
	first := func(dst *string, names []string) {
		for _, name := range names {
			if text, ok := textOf(input[name]); ok {
				*dst = text
				return
			}
		}
	}
	first(&a.Command, s.Command)
	first(&a.Dir, s.Dir)
	first(&a.Content, s.Content)
	for _, name := range s.URL {
		if a.URL = firstOf(input[name]); a.URL != "" {
			break
		}
	}
	first(&a.Query, s.Query)
	first(&a.Agent, s.Agent)
	for _, name := range s.Paths {
		a.Paths = appendPaths(a.Paths, input[name])
	}
}

// Is reports whether the action is, also, of this kind.
func (a *Action) Is(kind ActionKind) bool { return a.Kind == kind || slices.Contains(a.Also, kind) }

func (a *Action) unset() bool {
	return a.Kind == OtherAction && a.Command == "" && len(a.Paths) == 0 && a.URL == "" && a.Server == "" && a.Content == "" && a.Query == ""
}
