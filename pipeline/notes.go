package pipeline

import (
	"context"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/state"
)

// tellNotes adds what a person should know about the configuration, with the
// command that fixes it (TEAM-07): when a session starts, or else with its
// first event, once, and again if the text has changed. That a project does not
// wire the agent is said once.
func (j *job) tellNotes(ctx context.Context, judged *Judged) {
	ev, v := judged.Event, judged.Verdict
	if text := strings.Join(judged.Plan.Notes, "\n"); text != "" {
		if state.News(ctx, j.State, ev, text, "notes") || ev.Kind == trammel.SessionStart {
			v.Notice = strings.TrimSpace(v.Notice + "\n" + text)
		}
	}
	if text := j.unwired(judged); text != "" && state.NewsIn(ctx, j.State, ev, text, "unwired", judged.Set.Root) {
		v.Notice = strings.TrimSpace(v.Notice + "\n" + text)
	}
}

// unwired says that the project has rules, but does not wire the agent.
func (j *job) unwired(judged *Judged) string {
	host := j.Dialects.About(judged.Event.Host)
	if host == nil || !judged.Set.HasProject() {
		return ""
	}
	return host.Unwired(judged.Set.Root)
}
