package state

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel"
)

// Passed are the calls that have used an approval and have not ended. An agent
// that wires a hook in several files reports each several times, and gets the same
// answer. A call that has ended is over: a host may give the next one the same id.
type Passed struct{ State trammel.State }

var passed = trammel.Bucket{Name: "approvals/calls", Keep: repeatedWithin, Most: 1000, Lossy: true}

// Began stores that the call of an event has used what is named.
func (p Passed) Began(ctx context.Context, ev *trammel.Event, what string) error {
	if ev.Tool == nil || ev.Tool.ID == "" {
		return nil
	}
	return p.State.Update(ctx, &passed, []trammel.Key{{ev.Session.ID, ev.Tool.ID}}, func(values [][]byte) error {
		values[0] = fmt.Appendf(values[0], "%s 1\n", what)
		return nil
	})
}

// Open reports whether the event can be another report of a call that has used what is
// named: no more are the same call than there are files that wire one.
func (p Passed) Open(ctx context.Context, ev *trammel.Event, what string) (is bool, err error) {
	if ev.Tool == nil || ev.Tool.ID == "" {
		return false, nil
	}
	err = p.State.View(ctx, &passed, []trammel.Key{{ev.Session.ID, ev.Tool.ID}}, func(values [][]byte) error {
		is, _ = anotherReport(values[0], what)
		return nil
	})
	return is, err
}

// Again is Open, and counts the report.
func (p Passed) Again(ctx context.Context, ev *trammel.Event, what string) (is bool, err error) {
	if ev.Tool == nil || ev.Tool.ID == "" {
		return false, nil
	}
	err = p.State.Update(ctx, &passed, []trammel.Key{{ev.Session.ID, ev.Tool.ID}}, func(values [][]byte) error {
		is, values[0] = anotherReport(values[0], what)
		return nil
	})
	return is, err
}

// anotherReport counts a report of a call, if it can be one.
func anotherReport(value []byte, what string) (is bool, next []byte) {
	lines := strings.SplitAfter(string(value), "\n")
	for i, line := range lines {
		n, found := strings.CutPrefix(line, what+" ")
		times, err := strconv.Atoi(strings.TrimSpace(n))
		if found && err == nil && times > 0 && times < maxFiles {
			lines[i] = fmt.Sprintf("%s %d\n", what, times+1)
			return true, []byte(strings.Join(lines, ""))
		}
	}
	return false, value
}

// Ended stores that the call of an event has ended.
func (p Passed) Ended(ctx context.Context, ev *trammel.Event) error {
	if ev.Tool == nil || ev.Tool.ID == "" || p.State == nil || ev.Kind != trammel.PostToolUse && ev.Kind != trammel.PostToolFailure {
		return nil
	}
	keys, there := []trammel.Key{{ev.Session.ID, ev.Tool.ID}}, false
	err := p.State.View(ctx, &passed, keys, func(values [][]byte) error {
		there = values[0] != nil
		return nil
	})
	if err != nil || !there {
		return err
	}
	return p.State.Update(ctx, &passed, keys, func(values [][]byte) error {
		values[0] = nil
		return nil
	})
}
