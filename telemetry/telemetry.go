// Package telemetry reports what agents do in the events of the Flow Agents
// runtime hook surface: to one or more channels, each a file of JSON lines and
// each with its own list of fields that it never shows (FLOW-10 to FLOW-13).
//
// Whatever the lists say, secrets are taken out of every field. Nothing here
// starts a process or talks to a network, and nobody waits for it.
package telemetry

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/internal/summary"
)

// Settings say where telemetry goes.
type Settings struct {
	Dir      string // of the channels' files
	Channels []Channel
	Runtime  string // what the host is called, if not by its own name
	Size     int64  // how large a channel's file may become before a new one is begun
	Keep     int    // how many old files are kept
}

// Channel is a stream of events for one audience.
type Channel struct {
	Name string
	// Redact are the fields that it does not show, as in tool.input.
	Redact []string
}

// maxWait is how long telemetry waits for others that write at the same time.
const maxWait = 200 * time.Millisecond

// Emit reports an event to every channel. An event that has no canonical name
// is not reported.
func Emit(ctx context.Context, ev *trammel.Event, s Settings) error {
	if Canonical(ev.Kind) == "" || len(s.Channels) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	whole, secrets := record(ev, s.Runtime), summary.Sensitive(ev)
	var errs []error
	for _, c := range s.Channels {
		line, err := c.line(whole, secrets)
		if err == nil {
			err = state.Journal{Path: filepath.Join(s.Dir, c.Name+".jsonl"), Size: s.Size, Keep: s.Keep}.Append(ctx, line)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("telemetry channel %s: %w", c.Name, err))
		}
	}
	return errors.Join(errs...)
}

// Canonical is the name of a kind of event in telemetry, or "" if it has none.
func Canonical(kind trammel.Kind) string {
	for i := range reported {
		if reported[i].kind == kind {
			return reported[i].name
		}
	}
	return ""
}

// Kinds are the kinds of events that are reported.
func Kinds() []trammel.Kind {
	var out []trammel.Kind
	for i := range reported {
		out = append(out, reported[i].kind)
	}
	return out
}

var reported = [...]struct {
	kind trammel.Kind
	name string
}{{trammel.SessionStart, "agentSpawn"}, {trammel.UserPromptSubmit, "userPromptSubmit"}, {trammel.PreToolUse, "preToolUse"},
	{trammel.PermissionRequest, "permissionRequest"}, {trammel.PostToolUse, "postToolUse"}, {trammel.PostToolFailure, "postToolUse"},
	{trammel.Stop, "stop"}, {trammel.SessionEnd, "stop"}, {trammel.SubagentStart, "subagentStart"}, {trammel.SubagentStop, "subagentStop"}}
