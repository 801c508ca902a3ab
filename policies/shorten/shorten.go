// Package shorten has the policies that give the model part of a tool's output,
// and the name of a file with all of it. An output that cannot be stored is not
// shortened.
package shorten

import (
	"context"
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/state"
)

// cutter decides what is too long, and which part of that is shown.
type cutter interface {
	// over describes the size of a text that is too long, "" if it fits.
	over(text string) string
	// cut returns the part of a call's output that the model gets. path has all of it.
	cut(call *trammel.ToolCall, path string) string
}

// handler shortens outputs, as its findings describe.
type handler struct {
	cutter
	what, done string
	dirs       trammel.Dirs
	room       option.Size // for whole outputs, per session
}

// Handle shortens an output, or cleans up after a session.
func (h *handler) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	kept := state.OutputsOf(h.dirs, ev, h.done, int64(h.room))
	switch {
	case ev.Kind == trammel.SessionEnd:
		return trammel.Answer{}, kept.Remove(ctx)
	case ev.Tool == nil || !ev.Kind.Can().Any(trammel.RewriteOutput):
		return trammel.Answer{}, nil
	}
	long := h.over(ev.Tool.Output)
	if long == "" {
		return trammel.Answer{}, nil
	}
	path, err := kept.Keep(ctx, ev.Tool.Output)
	if err != nil {
		return trammel.Answer{
			Notice:   fmt.Sprintf("The %s of %s %s, because the full text could not be saved: %v", h.what, ev.Tool.Name, long, err),
			Findings: []trammel.Finding{{Code: h.what + "_not_kept", Severity: "warning", Target: ev.Tool.Name}},
		}, nil
	}
	short := h.cut(ev.Tool, path)
	return trammel.Answer{Output: &short, Findings: []trammel.Finding{{Code: h.what + "_" + h.done, Severity: "info", Target: path}}}, nil
}
