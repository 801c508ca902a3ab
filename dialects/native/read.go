package native

import (
	"cmp"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// DecodeEvent reads an event.
func (d Dialect) DecodeEvent(raw []byte, name string) (*trammel.Event, error) {
	ev := &trammel.Event{Raw: raw, Name: name, Host: d.Name()}
	ev.Kind, _ = trammel.ParseKind(name)
	obj, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		guess(ev, strict.Peek(raw, "event"))
		return ev, err
	}
	f := strict.FieldsOf(obj, "")
	sentName := f.String("event")
	guess(ev, []string{sentName})
	read(f, ev)
	if err := f.Done(); err != nil {
		return ev, inputError(err)
	}
	switch kind, known := trammel.ParseKind(sentName); {
	case sentName == "":
		return ev, trammel.Fail(trammel.CodeInput, `found no "event", expected the name of one`)
	case name != "" && !agree(name, sentName, kind, known):
		return ev, trammel.Fail(trammel.CodeInput, "called for event %q, but the payload says %q", name, sentName)
	}
	if ev.Kind.FailsClosed() && strict.MayHoldNUL(raw) {
		if err := strict.NUL(map[string]any{"tool": toolText(ev.Tool), "prompt": promptText(ev.Prompt)}); err != nil {
			return ev, err
		}
	}
	if ev.Tool != nil {
		if err := strict.FoldedTwins(ev.Tool.Input); err != nil {
			return ev, err
		}
	}
	return ev, nil
}

// guess determines the kind from all names of the event. If they disagree, the
// kind that fails closed counts.
func guess(ev *trammel.Event, sentName []string) {
	for _, name := range sentName {
		if kind, ok := trammel.ParseKind(name); ok && (ev.Kind == trammel.Other || kind.FailsClosed() && !ev.Kind.FailsClosed()) {
			ev.Kind = kind
		}
		ev.Name = cmp.Or(ev.Name, name)
	}
}

func agree(name, sentName string, kind trammel.Kind, known bool) bool {
	if called, ok := trammel.ParseKind(name); ok || known {
		return ok == known && called == kind
	}
	return name == sentName
}

// inputError is for payloads of a host, in which an unknown field is an error.
func inputError(err error) error { return trammel.Fail(trammel.CodeInput, "%w", err) }

func toolText(t *trammel.ToolCall) any {
	if t == nil {
		return nil
	}
	a := &t.Action
	return map[string]any{"name": t.Name, "input": t.Input, "command": a.Command, "dir": a.Dir, "url": a.URL, "paths": anyList(a.Paths)}
}

func anyList(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

func promptText(p *trammel.Prompt) any {
	if p == nil {
		return nil
	}
	return p.Text
}

// read takes every part of an event but its name.
func read(f *strict.Fields, ev *trammel.Event) {
	if name := f.String("name"); name != "" {
		ev.Name = name
	}
	if host := f.String("host"); host != "" {
		ev.Host = host
	}
	f.Part("session", func(f *strict.Fields) {
		ev.Session = trammel.Session{
			ID: f.String("id"), Dir: f.String("dir"), Project: f.String("project"), Agent: f.String("agent"), AgentID: f.String("agent_id"),
			Parents: f.Strings("parents"), Model: f.String("model"), Mode: f.String("mode"), Bypass: f.Bool("bypass"),
			User: f.String("user"), Org: f.String("org"), Transcript: f.String("transcript"), Turn: f.String("turn"),
		}
	})
	f.Part("tool", func(f *strict.Fields) { ev.Tool = readTool(f, ev.Kind) })
	f.Part("prompt", func(f *strict.Fields) {
		ev.Prompt = &trammel.Prompt{Text: f.String("text"), Synthetic: f.Bool("synthetic"), Command: f.String("command")}
	})
	f.Part("model", func(f *strict.Fields) { ev.Model = readModel(f) })
	f.Part("stop", func(f *strict.Fields) {
		ev.Stop = &trammel.StopInfo{Message: f.String("message"), Active: f.Bool("active")}
	})
	f.Part("compaction", func(f *strict.Fields) {
		ev.Compaction = &trammel.Compaction{Reason: f.String("reason"), Instructions: f.String("instructions"),
			InputTokens:  f.Int("input_tokens"),
			OutputTokens: f.Int("output_tokens"), ContextLimit: f.Int("context_limit"), Summary: f.String("summary")}
	})
	f.Part("switch", func(f *strict.Fields) {
		ev.Switch = &trammel.Switch{Kind: f.String("kind"), From: f.String("from"), To: f.String("to")}
	})
	f.Part("notice", func(f *strict.Fields) {
		ev.Notice = &trammel.NoticeInfo{Level: f.String("level"), Kind: f.String("kind"), Title: f.String("title"), Message: f.String("message")}
	})
	f.Part("approval", func(f *strict.Fields) {
		ev.Approval = &trammel.Approval{Decision: f.String("decision"), Source: f.String("source"), Label: f.String("label")}
	})
	f.Part("task", func(f *strict.Fields) {
		ev.Task = &trammel.TaskInfo{ID: f.String("id"), Subject: f.String("subject"), Description: f.String("description"),
			Status: f.String("status")}
	})
	ev.Source, ev.Reason = f.String("source"), f.String("reason")
	if text := f.String("time"); text != "" {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			f.Refuse("time", "a time like 2026-01-31T15:04:05Z")
		}
		ev.Time = at
	}
	ev.Fields = f.Object("fields")
}

func readTool(f *strict.Fields, kind trammel.Kind) *trammel.ToolCall {
	t := &trammel.ToolCall{
		ID: f.String("id"), Name: f.String("name"), Input: f.Object("input"),
		Output: f.String("output"), Response: f.Any("response"), Error: f.String("error"), Failed: f.Bool("failed"),
		Duration: time.Duration(f.Int("duration_ms")) * time.Millisecond, Category: f.String("category"), Confirm: f.Bool("confirm"),
	}
	if t.Name == "" {
		f.Refuse("name", "the name of the tool")
	}
	switch kind {
	case trammel.PostToolUse, trammel.PostToolFailure, trammel.ToolResponseTransform:
		t.Done = true
	}
	f.Part("action", func(f *strict.Fields) {
		t.Action = trammel.Action{Command: f.String("command"), Dir: f.String("dir"), Paths: f.Strings("paths"), Content: f.String("content"),
			URL: f.String("url"), Query: f.String("query"), Server: f.String("server"), Tool: f.String("tool"), Agent: f.String("agent")}
		var err error
		if t.Action.Kind, err = trammel.ParseActionKind(f.String("kind")); err != nil {
			f.Refuse("kind", "shell, write, edit, read, delete, fetch, search, mcp, agent or other")
		}
	})
	return t
}

func readModel(f *strict.Fields) *trammel.ModelCall {
	m := &trammel.ModelCall{ID: f.String("id"), Messages: f.List("messages"), Iteration: int(f.Int("iteration")),
		Response: f.String("response"), LastPrompt: f.String("last_prompt"), Cost: f.Float("cost")}
	f.Part("usage", func(f *strict.Fields) {
		m.Usage = trammel.Usage{Input: f.Int("input"), Output: f.Int("output"), CachedInput: f.Int("cached_input"),
			CachedWrite: f.Int("cached_write")}
	})
	return m
}
