package workflowsteering

import (
	"fmt"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/flow"
)

// lead is the first line, which says why the agent gets this text. Flow Agents
// looks for the words in capitals.
func lead(kind trammel.Kind, state flow.State) string {
	switch {
	case kind == trammel.SessionStart:
		return "RESUME: a task is recorded for this session. Take up its goal and its next step before anything else."
	case state.Unresolved():
		return "WORKFLOW STATE ATTENTION: the recorded task is not resolved."
	case kind == trammel.PostToolUse:
		return "WORKFLOW STATE: the sub-agent is done; the recorded task continues."
	}
	return "WORKFLOW STATE: a task is in progress. Continue with its recorded next step."
}

// describe says where the task stands. All values come from files that an agent
// may have written, and have been sanitized.
func describe(s flow.Session, state flow.State) string {
	var b strings.Builder
	fmt.Fprintf(&b, "STATE: %s is status:%s", s.Slug, state.Status)
	say := func(format, value string) {
		if value != "" {
			fmt.Fprintf(&b, format, value)
		}
	}
	say(" phase:%s", state.Phase)
	b.WriteString(".")
	next := state.Next
	say(` Recorded next action: "%s".`, next.Summary)
	say(" Required skills: %s.", strings.Join(next.Skills, " -> "))
	say(" Required operations: %s.", strings.Join(next.Operations, " -> "))
	say(" Run: %s.", next.Command)
	say(" Target phase: %s.", next.TargetPhase)
	switch state.Status {
	case "failed", "not_verified":
		b.WriteString(" Go back to execution, then review and verify again.")
	}
	if next.Status == "needs_user" || state.Status == "needs_decision" {
		b.WriteString(" Do not deliver it as complete before the person has decided, or has accepted the gap on record.")
	}
	if c, err := s.Critique(); err == nil && len(c.Open) > 0 {
		fmt.Fprintf(&b, "\nCRITIQUE: %d open: %s", len(c.Open), strings.Join(c.Open[:min(3, len(c.Open))], "; "))
	}
	if steps, blockers, err := s.Handoff(); err == nil {
		if len(steps) > 0 {
			fmt.Fprintf(&b, "\nHANDOFF: %s", steps[0])
		}
		if len(blockers) > 0 {
			fmt.Fprintf(&b, "\nBLOCKERS: %s", strings.Join(blockers[:min(3, len(blockers))], "; "))
		}
	}
	return b.String()
}

// others says which other agents work on the same task. It leaves out the time of
// their last sign of life, because that would change with each prompt.
func others(s flow.Session, now time.Time) string {
	var b strings.Builder
	for i, h := range s.Others(now) {
		if i == 3 {
			b.WriteString("\nSUPERSEDED: and more agents")
			break
		}
		fmt.Fprintf(&b, "\nSUPERSEDED: another agent appears to be at work on this task: %s. Ask the person before you continue it.", h.Actor)
	}
	return b.String()
}
