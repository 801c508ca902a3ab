package template

import "github.com/trammel-dev/trammel"

// Input is what a template can name. The names are those of docker-agent's
// hook input, so that its prompts work unchanged; Action says what a tool call
// does in the words that are the same for every host.
type Input struct {
	SessionID       string
	Cwd             string
	Project         string
	HookEventName   string
	Host            string
	AgentName       string
	ModelID         string
	ToolName        string
	ToolUseID       string
	ToolInput       map[string]any
	ToolResponse    string
	ToolError       bool
	Action          Action
	Prompt          string
	Source          string
	Reason          string
	StopResponse    string
	LastUserMessage string
	Summary         string
}

// Action is what a tool call does.
type Action struct {
	Kind    string
	Command string
	Paths   []string
	Content string
	URL     string
	Query   string
	Server  string
	Tool    string
	Agent   string
}

func (a Action) fields() map[string]any {
	out := map[string]any{"kind": a.Kind}
	for name, value := range map[string]string{"command": a.Command, "content": a.Content, "url": a.URL, "query": a.Query,
		"server": a.Server, "tool": a.Tool, "agent": a.Agent} {
		if value != "" {
			out[name] = value
		}
	}
	if len(a.Paths) > 0 {
		out["paths"] = a.Paths
	}
	return out
}

// inputOf is what an event says under these names.
func inputOf(ev *trammel.Event) Input {
	in := Input{
		SessionID: ev.Session.ID, Cwd: ev.Session.Dir, Project: ev.Session.Project, HookEventName: ev.Kind.String(), Host: ev.Host,
		AgentName: ev.Session.Agent, ModelID: ev.Session.Model, ToolInput: map[string]any{}, Source: ev.Source, Reason: ev.Reason,
	}
	if t := ev.Tool; t != nil {
		in.ToolName, in.ToolUseID, in.ToolResponse, in.ToolError = t.Name, t.ID, t.Output, t.Failed
		if t.Input != nil {
			in.ToolInput = t.Input
		}
		a := &t.Action
		in.Action = Action{Kind: a.Kind.String(), Command: a.Command, Paths: a.Paths, Content: a.Content, URL: a.URL, Query: a.Query,
			Server: a.Server, Tool: a.Tool, Agent: a.Agent}
	}
	if p := ev.Prompt; p != nil {
		in.Prompt = p.Text
	}
	if m := ev.Model; m != nil {
		in.StopResponse, in.LastUserMessage = m.Response, m.LastPrompt
	}
	if s := ev.Stop; s != nil && s.Message != "" {
		in.StopResponse = s.Message
	}
	if c := ev.Compaction; c != nil {
		in.Summary = c.Summary
	}
	return in
}
