// Package operation is the contract between the Tool Runner and what carries
// operations out: an operation is prepared from its input, what was prepared
// is judged, and exactly that runs.
package operation

import (
	"context"
	"errors"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/tasks/registry"
)

// MaxOutput is the most that is kept of what an operation says.
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

// Outcome is what an operation came to.
type Outcome struct {
	Output  map[string]any
	Partial bool // it did some of what was asked
	Stdout  []byte
	Stderr  []byte
}

// Prepared is a call with everything put in.
type Prepared interface {
	// Action is what the call does, in the words that policies judge.
	Action() trammel.Action
	// Run does it. An error is a failure of the operation.
	Run(ctx context.Context) (Outcome, error)
}

// Take reads an operation's output. With status: partial, it did some of
// what was asked.
func Take(output map[string]any) Outcome {
	return Outcome{Output: output, Partial: output["status"] == "partial"}
}

// Loose is what the arguments alone give away: paths, commands, addresses.
func Loose(id string, input map[string]any) trammel.Action {
	return trammel.Shapes(nil).Action(&trammel.ToolCall{Name: id, Input: input})
}

// Within resolves a path of the repository, links included, and refuses one
// that leads out of it.
func Within(root, path string) (string, error) {
	real, err := files.Inside(root, path)
	if errors.Is(err, files.ErrOutside) {
		err = trammel.Fail(trammel.CodeConfig, "%s leads out of the repository", path)
	}
	return real, err
}

// Ended says why a call of who did not come to its end.
func Ended(ctx context.Context, who string, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return trammel.Fail(trammel.CodeTimeout, "%s did not answer in time", who)
	case ctx.Err() != nil:
		return trammel.Fail(trammel.CodeCanceled, "the call was canceled")
	}
	return trammel.Fail(trammel.CodeUnavailable, "%s did not answer: %w", who, err)
}
