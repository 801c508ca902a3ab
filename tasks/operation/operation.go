// Package operation is the contract between the Tool Runner and the kinds of operations:
// an operation is prepared from its input, the prepared call is judged, and exactly
// that runs.
package operation

import (
	"context"
	"errors"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/tasks/registry"
)

// MaxOutput is the maximum size of the output that is kept.
const MaxOutput = 4 << 20

// Call is one call of an operation.
type Call struct {
	Root        string // of the repository
	Dir         string // a directory of its own, for files that are exchanged
	TaskKey     string
	Session     string // of the agent on whose behalf it runs, if it is one
	Environment string
	ID          string
	Impl        *registry.Impl
	Input       map[string]any
	Environ     func(profile string) []string
}

// Outcome is the result of an operation.
type Outcome struct {
	Output  map[string]any
	Partial bool // it did only a part
	Stdout  []byte
	Stderr  []byte
}

// Prepared is a call with all values filled in.
type Prepared interface {
	// Action is what the call does, in the words that policies judge.
	Action() trammel.Action
	// Run runs it. An error means that the operation failed.
	Run(ctx context.Context) (Outcome, error)
}

// Take reads an operation's output. status: partial means that it did only a part.
func Take(output map[string]any) Outcome {
	return Outcome{Output: output, Partial: output["status"] == "partial"}
}

// Loose is what the arguments alone reveal: paths, commands, addresses.
func Loose(id string, input map[string]any) trammel.Action {
	return trammel.Shapes(nil).Action(&trammel.ToolCall{Name: id, Input: input})
}

// Within resolves a path of the repository, including links, and refuses one that
// leads out of it.
func Within(root, path string) (string, error) {
	real, err := files.Inside(root, path)
	if errors.Is(err, files.ErrOutside) {
		err = trammel.Fail(trammel.CodeConfig, "%s leads out of the repository", path)
	}
	return real, err
}

// Ended says why a call of who did not finish.
func Ended(ctx context.Context, who string, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return trammel.Fail(trammel.CodeTimeout, "%s did not answer in time", who)
	case ctx.Err() != nil:
		return trammel.Fail(trammel.CodeCanceled, "the call was canceled")
	}
	return trammel.Fail(trammel.CodeUnavailable, "%s did not answer: %w", who, err)
}
