package repohooks

import (
	"maps"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/changed"
	"github.com/trammel-dev/trammel/internal/clip"
)

// EncodeEvent writes an event of any host as the context of a repository hook.
// Our own runtimes send it themselves.
func (d Dialect) EncodeEvent(ev *trammel.Event) ([]byte, error) {
	if ev.Host == Name && len(ev.Raw) > 0 {
		return ev.Raw, nil
	}
	c, err := d.context(ev)
	if err != nil {
		return nil, err
	}
	return c.AppendJSON(nil), nil
}

func (d Dialect) context(ev *trammel.Event) (Context, error) {
	event := EventOf(ev.Kind)
	if (event == PreAbilityCreateEvent || event == PreAbilityCallEvent || event == PostAbilityCallEvent) && ev.Tool == nil {
		return nil, trammel.Fail(trammel.CodeInput, "%s without a tool", ev.Kind)
	}
	session := ev.Session.ID
	caller := Caller{Source: AISession, SessionID: session}
	switch event {
	case PromptSubmitEvent:
		c := &PromptSubmit{SessionID: session}
		if ev.Prompt != nil {
			c.UserRawInput = ev.Prompt.Text
		}
		return c, nil
	case PreAbilityCreateEvent:
		return &PreAbilityCreate{SessionID: session, AbilityRef: AbilityRef{AbilityID, d.ability(ev)},
			InputSummary: Summary(arguments(ev.Tool)), Caller: caller}, nil
	case PreAbilityCallEvent:
		return &PreAbilityCall{SessionID: session, AbilityID: d.ability(ev), ArgsSummary: Summary(arguments(ev.Tool)), Caller: caller}, nil
	case PostAbilityCallEvent:
		t := ev.Tool
		c := &PostAbilityCall{SessionID: session, AbilityID: d.ability(ev), Status: Success, DurationMS: t.Duration.Milliseconds(),
			Timed:        t.Duration > 0,
			InputSummary: Summary(arguments(t)), OutputSummary: clip.Bytes(t.Output, maxText), ErrorMessage: clip.Bytes(t.Error, maxText)}
		if t.Failed || ev.Kind == trammel.PostToolFailure {
			c.Status = Failure
		}
		return c, nil
	case SessionStopEvent:
		c := &SessionStop{SessionID: session, ChangedFiles: changed.Files(ev)}
		if !ev.Time.IsZero() {
			c.EndedAt = ev.Time.UTC().Format(time.RFC3339)
		}
		return c, nil
	}
	return nil, trammel.Fail(trammel.CodeConfig, "repository hooks know no event %s", ev.Kind)
}

// ability is the name of the call that the hook's ability_scope matched, so
// that a script finds the ability that its declaration names; the tool's name
// if it has no scope.
func (d Dialect) ability(ev *trammel.Event) string { return match.AbilityName(ev, d.scope) }

// arguments are the call's own, and what they do not say directly: the files of
// a patch, the command of a host that reports only the action. A script must
// not miss them.
func arguments(t *trammel.ToolCall) map[string]any {
	said := func(text string) bool {
		for _, v := range t.Input {
			if v == text {
				return true
			}
		}
		return false
	}
	out := maps.Clone(t.Input)
	if out == nil {
		out = map[string]any{}
	}
	if c := t.Action.Command; c != "" && !said(c) {
		out["action_command"] = c
	}
	var paths []any
	for _, path := range t.Action.Paths {
		if !said(path) {
			paths = append(paths, path)
		}
	}
	if len(paths) > 0 {
		out["action_paths"] = paths
	}
	return out
}

// Limits of a summary. Up to maxWhole bytes, arguments are not cut: a guard
// must not miss a path because something long came before it. Above that, each
// text is cut.
const (
	maxWhole = 64 << 10
	maxText  = 4 << 10
)

// Summary is a call's arguments in one line of JSON, "" if there are none.
func Summary(args map[string]any) string {
	if len(args) == 0 {
		return ""
	}
	data, err := canonical.Append(nil, args)
	if err != nil {
		return "{}"
	}
	if len(data) <= maxWhole {
		return string(data)
	}
	if data, err = canonical.Append(nil, canonical.MapTexts(args, func(s string) string { return clip.Bytes(s, maxText) })); err != nil {
		return "{}"
	}
	return clip.Bytes(string(data), 4*maxWhole)
}
