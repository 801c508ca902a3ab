// Package watch is the terminal view: what waits for people, what agents do,
// and their sessions. It begins read-only; a person who proves to be one can
// decide. Nothing that an agent wrote reaches the terminal as more than text.
package watch

import (
	"context"
	"fmt"
	"os/exec"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/trammel-dev/trammel/internal/pause"
	"github.com/trammel-dev/trammel/store"
)

// Source is what is watched.
type Source interface {
	// Approvals lists requests, newest first.
	Approvals(ctx context.Context) ([]*store.Approval, error)
	// Changes gets a value soon after requests have changed.
	Changes(ctx context.Context) (<-chan struct{}, error)
	// Follow sends the last events, oldest first, and then each that comes,
	// until ctx ends.
	Follow(ctx context.Context, send func(events ...store.Event)) error
	// May says why whoever sits here cannot decide about a request, nil if they
	// can.
	May(a *store.Approval) error
}

// Person is somebody who has proved to be one.
type Person interface {
	// Decide takes a vote on the request as it was shown.
	Decide(ctx context.Context, shown *store.Approval, approve bool, comment string) (*store.Approval, error)
}

// Deps are what the view needs.
type Deps struct {
	Source Source
	// Refuses says why nobody can unlock here; nil, and a nil error, if a person may try.
	Refuses func() error
	// Unlock has the person prove it. It has the terminal to itself meanwhile.
	Unlock func(ctx context.Context) (Person, error)
	// Command is another command of ours that takes over the terminal.
	Command func(args ...string) *exec.Cmd
	// Open opens a path of the console in a browser.
	Open func(path string) error
	// Filter is what the view begins with, in the inbox or in live.
	Filter string
	// ASCII is true for a terminal that shows nothing else.
	ASCII bool
	// Now is the clock; nil is the system's.
	Now func() time.Time
}

// frame is how long events are gathered before they are shown.
const frame = 100 * time.Millisecond

// Run shows the view until the person leaves it.
func Run(ctx context.Context, d Deps, options ...tea.ProgramOption) error {
	m, err := New(d)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	m.ctx = ctx
	p := tea.NewProgram(m, append([]tea.ProgramOption{tea.WithContext(ctx)}, options...)...)
	go feedApprovals(ctx, d.Source, p.Send)
	go feedEvents(ctx, d.Source, p.Send)
	_, err = p.Run()
	return err
}

func feedApprovals(ctx context.Context, s Source, send func(tea.Msg)) {
	for ctx.Err() == nil {
		changes, err := s.Changes(ctx)
		for err == nil {
			var list []*store.Approval
			if list, err = s.Approvals(ctx); err != nil {
				break
			}
			send(approvalsMsg{list: list})
			select {
			case <-ctx.Done():
				return
			case <-changes:
			case <-time.After(5 * time.Second): // what the clock has changed
			}
		}
		send(approvalsMsg{err: err})
		pause.For(ctx, time.Second)
	}
}

func feedEvents(ctx context.Context, s Source, send func(tea.Msg)) {
	events := make(chan []store.Event, 64)
	go func() {
		for ctx.Err() == nil {
			err := s.Follow(ctx, func(list ...store.Event) {
				select {
				case events <- list:
				case <-ctx.Done():
				}
			})
			if ctx.Err() == nil {
				send(failedMsg{fmt.Errorf("the evidence cannot be followed: %w", err)})
			}
			pause.For(ctx, time.Second)
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return
		case list := <-events:
			for late := time.After(frame); late != nil; {
				select {
				case more := <-events:
					list = append(list, more...)
				case <-late:
					late = nil
				}
			}
			send(eventsMsg(list))
		}
	}
}
