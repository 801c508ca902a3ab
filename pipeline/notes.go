package pipeline

import (
	"context"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/state"
)

// tellNotes adds what a person should know about the configuration, with the
// command that mends it (TEAM-07): when a session starts, and otherwise with its
// first event, once, and again if it is another thing by then.
func (j *job) tellNotes(ctx context.Context, judged *Judged) {
	if len(judged.Plan.Notes) == 0 {
		return
	}
	text, ev, v := strings.Join(judged.Plan.Notes, "\n"), judged.Event, judged.Verdict
	if news := state.News(ctx, j.State, ev, text, "notes"); news || ev.Kind == trammel.SessionStart {
		v.Notice = strings.TrimSpace(v.Notice + "\n" + text)
	}
}
