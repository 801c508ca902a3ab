package agent

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/repohooks"
)

// Summary is how a session ended.
type Summary struct {
	SessionID     string                  `json:"session_id"`
	ChangedFiles  []string                `json:"changed_files"`
	AbilitiesUsed []string                `json:"abilities_used"`
	TasksSummary  []repohooks.TaskSummary `json:"tasks_summary"`
	StartedAt     string                  `json:"started_at"`
	EndedAt       string                  `json:"ended_at"`
	// Warnings are hooks that failed, and what they wanted somebody to know.
	Warnings []string `json:"warnings,omitempty"`
}

// Stop ends the session: SessionStop gets the files that have changed since it
// began, which abilities were used and how its tasks ended. A task that was
// created and not run has no outcome, and is not in the summary. Hooks that
// fail change nothing any more.
func (s *Session) Stop(ctx context.Context) (*Summary, error) {
	if s.stopped {
		return nil, ErrStopped
	}
	s.stopped, s.ready = true, false
	sum := &Summary{SessionID: s.ID, ChangedFiles: []string{}, AbilitiesUsed: append([]string{}, s.used...),
		TasksSummary: []repohooks.TaskSummary{}, StartedAt: s.StartedAt.Format(time.RFC3339), EndedAt: time.Now().UTC().Format(time.RFC3339)}
	c := &repohooks.SessionStop{SessionID: s.ID, AbilitiesUsed: s.used, StartedAt: sum.StartedAt, EndedAt: sum.EndedAt}
	for _, t := range s.touched {
		if t.status != "" {
			sum.TasksSummary = append(sum.TasksSummary, repohooks.TaskSummary{TaskKey: t.key, AbilityID: t.ability, Status: t.status})
		}
	}
	c.TasksSummary = append(c.TasksSummary, sum.TasksSummary...)
	files, known := s.before.since(ctx)
	if known {
		sum.ChangedFiles = append(sum.ChangedFiles, files...)
		c.ChangedFiles = files
	} else if s.before != nil {
		sum.Warnings = append(sum.Warnings, "git could not say which files have changed")
	}
	if s.runtime.Hooks == nil {
		return sum, nil
	}
	said, err := s.runtime.Hooks.RunHooks(ctx, repohooks.SessionStopEvent, &ending{c, known}, false)
	if err != nil {
		sum.Warnings = append(sum.Warnings, fmt.Sprintf("SessionStop: %v", err))
		return sum, nil
	}
	sum.Warnings = append(sum.Warnings, said.Warnings...)
	told := strings.Join(said.Warnings, "\n")
	for _, e := range said.Errors {
		if text := fmt.Sprintf("hook %q failed (%s): %s", e.HookID, e.Code, e.Message); !strings.Contains(told, text) {
			sum.Warnings = append(sum.Warnings, text)
		}
	}
	return sum, nil
}

// ending is the context of SessionStop for whom "no file has changed" is not
// the same as "unknown".
type ending struct {
	*repohooks.SessionStop
	known bool
}

func (e *ending) Event() *trammel.Event {
	ev := e.SessionStop.Event()
	if e.known && len(e.ChangedFiles) == 0 {
		ev.Fields["changed_files"] = []any{}
	}
	return ev
}
