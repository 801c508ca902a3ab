// Package human checks that a person is acting on this machine: at a terminal,
// without an agent above the process, and with the authority secret, typed. The
// secret is the proof; the other two keep an agent from asking for it.
package human

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
)

// Gate checks that a person is acting.
type Gate struct {
	// Agent is the name of the agent that a process is, "" if it is none. Mark
	// is the variable with which an agent marks the processes that it starts.
	Agent func(p *Process) string
	Mark  func(getenv func(string) string) string
	// State stores how many wrong secrets were typed; Record records each.
	State  trammel.State
	Record func(ctx context.Context, what string) error
	// The rest is for tests; nil means this machine's.
	Lineage func() ([]Process, error)
	Open    func() (Terminal, error)
	Now     func() time.Time
}

// Terminal is the controlling terminal.
type Terminal interface {
	// Ask shows a text and reads a line. A secret line is not shown.
	Ask(text string, secret bool) (string, error)
	Close() error
}

// Refused says why this process cannot act for a person.
type Refused struct{ Why, Do string }

func (r *Refused) Error() string { return r.Why + ". " + r.Do }

// Present opens the terminal, if only a person can be using it. If that is
// unknown, it refuses.
func (g *Gate) Present() (Terminal, error) {
	if err := g.NoAgent(); err != nil {
		return nil, err
	}
	open := g.Open
	if open == nil {
		open = openTerminal
	}
	t, err := open()
	if err != nil {
		return nil, &Refused{"there is no terminal", "The secret has to be typed on a terminal. Run the command in one."}
	}
	return t, nil
}

// NoAgent refuses if there is an agent above this process, or if that is unknown.
func (g *Gate) NoAgent() error {
	lineage := g.Lineage
	if lineage == nil {
		lineage = Lineage
	}
	above, err := lineage()
	if err != nil {
		return &Refused{fmt.Sprintf("it is unknown who started this process: %v", err), "Run it in your own terminal."}
	}
	for i := range above {
		p := &above[i]
		switch name := g.Agent(p); {
		case name != "":
			return &Refused{fmt.Sprintf("this command runs below %[2]s (process %[1]d), and an agent may not decide for itself", p.ID, name),
				"Open a terminal outside the agent and run the command there."}
		case p.hook():
			return &Refused{fmt.Sprintf("this command runs below a hook of an agent (process %d)", p.ID),
				"Open your own terminal and run the command there."}
		}
		if name := g.Mark(p.getenv); name != "" {
			return &Refused{fmt.Sprintf("%s is set in process %d: this is an agent's shell, and only a person may decide", name, p.ID),
				"Open a terminal outside the agent and run the command there."}
		}
	}
	return nil
}

// Unlock asks the person for the secret, and returns the key that it unlocks.
func (g *Gate) Unlock(ctx context.Context, t Terminal, sealed *approvals.Sealed) (approvals.PrivateKey, error) {
	if sealed == nil {
		return nil, &Refused{"no authority secret is set on this machine", "Set one: trammel approvals unlock"}
	}
	for {
		if err := g.patience(ctx); err != nil {
			return nil, err
		}
		secret, err := t.Ask("Authority secret: ", true)
		if err != nil {
			return nil, err
		}
		if secret == "" {
			return nil, &Refused{"no secret was typed", "Nothing was done."}
		}
		if err := g.count(ctx); err != nil { // before it is checked: killing this process must still cost a try
			return nil, err
		}
		key, err := sealed.Open(secret)
		if err == nil {
			return key, g.forget(ctx)
		}
		if !errors.Is(err, approvals.ErrSecret) {
			return nil, err
		}
		if err := g.Record(ctx, "a wrong authority secret was typed"); err != nil {
			return nil, err
		}
		if _, err := t.Ask("This is not the authority secret. Press Enter to try again, Ctrl-C to stop. ", false); err != nil {
			return nil, err
		}
	}
}

// MinSecret is the minimum number of characters of a secret.
const MinSecret = 8

// Choose asks the person for a new secret, twice.
func Choose(t Terminal) (string, error) {
	secret, err := t.Ask(fmt.Sprintf("New authority secret (%d characters at least): ", MinSecret), true)
	if err != nil {
		return "", err
	}
	if len([]rune(secret)) < MinSecret {
		return "", &Refused{fmt.Sprintf("the secret has fewer than %d characters", MinSecret), "Nothing was changed."}
	}
	again, err := t.Ask("The same again: ", true)
	if err != nil {
		return "", err
	}
	if again != secret {
		return "", &Refused{"the two secrets differ", "Nothing was changed."}
	}
	return secret, nil
}
