// Package snapshot is the policy snapshot: it saves the working tree before and
// after an agent's actions, so that a person can look at each step and go back to
// it (DA-50). Its store can be used without the policy.
package snapshot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/git"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/secret"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Policy("snapshot", trammel.Observe,
		"keeps the files of a git project as they were around each step, to look at and to go back to",
		Options{MaxFile: DefaultMaxFile, Keep: DefaultKeep}, build,
		trammel.SessionStart, trammel.UserPromptSubmit, trammel.TurnStart, trammel.PreToolUse, trammel.PostToolUse, trammel.PostToolFailure,
		trammel.TurnEnd, trammel.Stop, trammel.SessionEnd)
}

// Options are the policy's options.
type Options struct {
	MaxFile option.Size `json:"max_file,omitempty" jsonschema:"The largest file that is kept."`
	Keep    int         `json:"keep,omitempty" jsonschema:"How many snapshots of a project are kept; the oldest go first."`
}

func build(o Options, spec trammel.Spec) (trammel.Handler, error) {
	if o.MaxFile < 1 {
		return nil, &option.Error{Key: "max_file", Message: "no file would be kept", Expected: "a size above zero"}
	}
	return &handler{o, spec.Dirs.State, patience}, option.AtLeast("keep", o.Keep, 2)
}

// patience is how long a snapshot may hold up an event. The first one of a large
// project can take longer, and then continues at the next event.
const patience = 5 * time.Second

type handler struct {
	Options
	state    string
	patience time.Duration
}

// Waits returns true: git takes time.
func (h *handler) Waits() bool { return true }

// Handle takes a snapshot, if something has changed since the last one.
func (h *handler) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if !touches(ev) || git.Root(ev.Session.Dir) == "" {
		return trammel.Answer{}, nil
	}
	if ev.Rehearsal {
		return trammel.Answer{Diagnostics: []string{"would take a snapshot: " + label(ev)}}, nil
	}
	store, err := Open(h.state, ev.Session.Dir)
	if err != nil {
		return trammel.Answer{}, err
	}
	store.MaxFile, store.Keep = int64(h.MaxFile), h.Keep
	patient, cancel := context.WithTimeout(ctx, h.patience)
	defer cancel()
	snap, changed, err := store.Take(patient, label(ev), ev.Session.ID)
	switch {
	case err != nil && patient.Err() != nil && ctx.Err() == nil:
		return trammel.Answer{Diagnostics: []string{"no snapshot yet: reading the project takes longer than " + h.patience.String()}}, nil
	case err != nil:
		return trammel.Answer{}, err
	}
	answer := trammel.Answer{Facts: map[string]any{"snapshot": int64(snap.ID), "changed": changed}}
	if changed {
		answer.Diagnostics = []string{fmt.Sprintf("snapshot %d: %s", snap.ID, snap.Label)}
	}
	if ev.Kind == trammel.SessionEnd {
		ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
		defer cancel()
		if err := store.Tidy(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			answer.Diagnostics = append(answer.Diagnostics, err.Error())
		}
	}
	return answer, nil
}

// touches reports whether files may have changed, or are about to. Calls that only
// read, or that will not happen, change nothing.
func touches(ev *trammel.Event) bool {
	if ev.Tool == nil {
		return true
	}
	if out := ev.Outcome; out != nil && out.Decision == trammel.Deny && ev.Kind == trammel.PreToolUse {
		return false
	}
	switch a := &ev.Tool.Action; a.Kind {
	case trammel.ReadAction, trammel.SearchAction, trammel.FetchAction:
		return a.Command != "" || len(a.Also) > 0
	}
	return true
}

// label describes the snapshot in a few words.
func label(ev *trammel.Event) string {
	if ev.Tool == nil {
		return ev.Kind.String()
	}
	when := "before"
	if ev.Kind != trammel.PreToolUse {
		when = "after"
	}
	what := ev.Tool.Name
	switch a := &ev.Tool.Action; {
	case a.Command != "":
		what += ": " + a.Command
	case len(a.Paths) > 0:
		what += ": " + a.Paths[0]
	}
	what, _ = secret.Redact(what)
	return when + " " + what
}
