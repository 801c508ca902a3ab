// Package readonly is the policy read-only: the agent may look, and change
// nothing (FIM-41).
package readonly

import (
	"context"
	"fmt"

	"github.com/trammel-dev/trammel"
)

// Policy declares it.
func Policy() trammel.Policy {
	return trammel.Policy{
		Name:    "read-only",
		Summary: "denies every action that is not known to only read",
		On:      []trammel.Kind{trammel.PreToolUse, trammel.ToolGuard},
		May:     trammel.Guard,
		New: func(options []byte) (trammel.Handler, error) {
			if options != nil {
				return nil, fmt.Errorf("takes no options, found %.80s", options)
			}
			return trammel.HandlerFunc(judge), nil
		},
	}
}

// judge lets only those kinds pass that cannot change anything. A shell
// command may do whatever it likes, so here it counts as a change.
func judge(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Tool == nil {
		return trammel.Answer{}, nil
	}
	a := &ev.Tool.Action
	switch a.Kind {
	case trammel.ReadAction, trammel.SearchAction, trammel.FetchAction:
		if a.Command == "" {
			return trammel.Answer{}, nil
		}
	}
	return trammel.Answer{
		Decision: trammel.Deny,
		Reason:   fmt.Sprintf("This session is read-only, and %s is an action of kind %s. Describe the change instead of making it.", ev.Tool.Name, a.Kind),
		Findings: []trammel.Finding{{Code: "read_only", Severity: "error", Target: a.Kind.String()}},
	}, nil
}
