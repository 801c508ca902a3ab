package stopgoalfit

import (
	"context"
	"time"

	"github.com/trammel-dev/trammel/internal/builds"
	"github.com/trammel-dev/trammel/internal/flow"
	"github.com/trammel-dev/trammel/internal/procgroup"
)

// answerTime is the part of an event's time that is reserved for the answer.
const answerTime = 3 * time.Second

// runAgain runs the claimed commands that the project declares as its own checks,
// logs the results, and returns the other commands. A command that only an agent
// has written is never run.
func (e *examiner) runAgain(ctx context.Context, commands []string, head string) (others []string) {
	if end, ok := ctx.Deadline(); ok {
		early, stop := context.WithDeadline(ctx, end.Add(-answerTime))
		defer stop()
		ctx = early
	}
	ctx, stop := context.WithTimeout(ctx, e.rerunTime)
	defer stop()
	for _, command := range commands {
		args, ok := builds.Declared(e.Root, command)
		if !ok || e.rehearsal || ctx.Err() != nil {
			others = append(others, command)
			continue
		}
		shown := flow.Clean(command)
		out, err := procgroup.Run(ctx, procgroup.Command{Args: args, Dir: e.Root, Env: builds.Environ(), MaxOutput: 64 << 10, Tied: true})
		if err != nil {
			e.add(soft, "rerun_incomplete", shown, "NOT_VERIFIED — %s is claimed to have passed, was run, and came to no end: %s", shown,
				flow.Clean(err.Error()))
			continue
		}
		result := flow.Passed
		if out.Exit != 0 {
			result = flow.Failed
			e.add(hard, "rerun_failed", shown, "%s is claimed to have passed. It was run, and failed with exit code %d (caught false-completion). "+
				"Fix it, run it again, and record that.", shown, out.Exit)
		}
		if err := e.record(ctx, command, result, out.Exit, head); err != nil {
			e.add(advice, "rerun_unrecorded", shown, "what became of %s could not be recorded: %s", shown, flow.Clean(err.Error()))
		}
	}
	return others
}

func (e *examiner) record(ctx context.Context, command string, result flow.Result, exit int, head string) error {
	rec := map[string]any{"command": flow.Command(command), "observedResult": string(result), "exitCode": int64(exit),
		"observed_at_commit": nil, "worktree_clean": false, "capturedAt": e.at.UTC().Format("2006-01-02T15:04:05.000Z"),
		"source": "stop-rerun"}
	if head != "" {
		rec["observed_at_commit"] = head
	}
	return e.Append(context.WithoutCancel(ctx), e.locks, rec)
}
