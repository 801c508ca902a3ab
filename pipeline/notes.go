package pipeline

import (
	"context"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/state"
)

// tellNotes adds notes about the configuration, with the command that fixes each
// (TEAM-07): at the start of a session, or else with its first event; once, and
// again if the text has changed. A project that does not wire the agent is
// mentioned only once.
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

// unwired returns the note that the project has rules but does not wire the agent.
func (j *job) unwired(judged *Judged) string {
	host := j.Dialects.About(judged.Event.Host)
	if host == nil || !judged.Set.HasProject() {
		return ""
	}
	return host.Unwired(judged.Set.Root)
}
