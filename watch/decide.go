package watch

import (
	"context"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/store"
)

const (
	deadTime = 600 * time.Millisecond // after a card appears, moves or gains focus
	armedFor = 4 * time.Second
	idleLock = 15 * time.Minute
	burstGap = 30 * time.Millisecond // keys that come faster were pasted, not typed
)

// card is the request under the eyes of the person, and how far they are with
// it.
type card struct {
	id, digest string
	state      store.State
	since      time.Time // from when on it has been there, and still
	seen       bool      // the end of its arguments was in view
	armed      time.Time // zero if it is not
	deciding   bool
}

func (c *card) moved(now time.Time) { c.since, c.armed = now, time.Time{} }
func (c *card) disarm()             { c.armed = time.Time{} }

// look notices which request is in view, and whether all of it was.
func (m *Model) look() {
	a := m.current()
	if a == nil {
		m.card = card{since: m.card.since}
		return
	}
	if digest := approvals.Shown(a); m.card.id != a.ID || m.card.digest != digest || m.card.state != a.State {
		m.card = card{id: a.ID, digest: digest, state: a.State, since: m.Now()}
		if m.input != nil && m.input.reason { // it was about something else
			m.input, m.message = nil, "the request has changed; nothing was sent"
		}
	}
	if l := m.layout(); l.lines > 0 && m.view().scroll+l.lines >= len(m.lines()) {
		m.card.seen = true
	}
}

// current is the request that the cursor is on.
func (m *Model) current() *store.Approval {
	if m.tab != inbox {
		return nil
	}
	return m.approvals[m.view().at]
}

// obstacle says why the person cannot decide now, "" if they can.
func (m *Model) obstacle() string {
	a := m.current()
	switch {
	case a == nil:
		return "nothing is selected"
	case a.State != store.Pending:
		return show.Status(a)
	case m.stale != nil:
		return "the store cannot be read: nothing can be decided now"
	case !m.detail:
		return "Enter opens the request"
	case m.person == nil:
		return "read-only: u unlocks"
	case !m.card.seen:
		return "read the arguments to their end first (j, [)"
	case m.card.deciding:
		return "the answer is on its way"
	}
	if err := m.Source.May(a); err != nil {
		return err.Error()
	}
	return ""
}

// decisionKey does what the keys that decide do. hasty keys, which nobody can
// have meant, do nothing.
func (m *Model) decisionKey(name string, hasty bool) (cmd tea.Cmd, taken bool) {
	now := m.Now()
	armed := !m.card.armed.IsZero()
	if name != "y" {
		m.card.disarm()
	}
	if name == "u" {
		return m.unlock(), true
	}
	if name != "a" && name != "y" && name != "d" && name != "e" && name != "s" || m.tab != inbox {
		return nil, false
	}
	if hasty || now.Sub(m.card.since) < deadTime {
		m.card.disarm()
		return nil, true
	}
	if why := m.obstacle(); why != "" {
		m.message = why
		return nil, true
	}
	switch name {
	case "a":
		m.card.armed = now
	case "y":
		if armed && now.Sub(m.card.armed) >= deadTime && now.Sub(m.card.armed) < armedFor {
			return m.vote(true, ""), true
		}
		if !armed {
			m.message = "a arms, then y approves"
		}
	case "d":
		m.input = &input{reason: true}
	case "e":
		return m.run("approvals", "approve", m.card.id, "--edit"), true
	case "s":
		return m.run("approvals", "approve", m.card.id, "--grant", "session"), true
	}
	return nil, true
}

func (m *Model) reject() tea.Cmd {
	comment := m.input.text
	if why := m.obstacle(); why != "" {
		m.message = why
		return nil
	}
	m.input = nil
	return m.vote(false, comment)
}

// vote sends what the person said about exactly what they saw.
func (m *Model) vote(approve bool, comment string) tea.Cmd {
	a, person := m.current(), m.person
	m.card.disarm()
	m.card.deciding = true
	return func() tea.Msg {
		now, err := person.Decide(m.ctx, a, approve, comment)
		return decidedMsg{now, err}
	}
}

func (m *Model) decided(msg decidedMsg) {
	m.card.deciding = false
	if msg.err != nil {
		m.message = "not decided: " + msg.err.Error()
		return
	}
	m.approvals[msg.approval.ID] = msg.approval
	m.message = show.Status(msg.approval)
}

// exclusive is something that has the terminal to itself.
type exclusive struct{ do func() error }

func (e exclusive) Run() error        { return e.do() }
func (exclusive) SetStdin(io.Reader)  {}
func (exclusive) SetStdout(io.Writer) {}
func (exclusive) SetStderr(io.Writer) {}

// unlock has the person prove to be one; if that is done, it locks.
func (m *Model) unlock() tea.Cmd {
	if m.person != nil {
		m.person, m.message = nil, "locked"
		return nil
	}
	if m.Unlock == nil {
		m.message = "this view cannot decide"
		return nil
	}
	if m.Refuses != nil {
		if err := m.Refuses(); err != nil {
			m.message = err.Error()
			return nil
		}
	}
	var person Person
	return tea.Exec(exclusive{func() (err error) {
		person, err = m.Unlock(context.WithoutCancel(m.ctx))
		return err
	}}, func(err error) tea.Msg { return unlockedMsg{person, err} })
}

func (m *Model) unlocked(msg unlockedMsg) {
	m.lastKey = m.Now()
	m.card.moved(m.Now())
	if msg.err != nil {
		m.message = msg.err.Error()
		return
	}
	m.person, m.message = msg.person, "unlocked; it locks when nothing is typed for 15 minutes"
}

func (m *Model) run(args ...string) tea.Cmd {
	if m.Command == nil {
		m.message = "this view cannot do that"
		return nil
	}
	return tea.ExecProcess(m.Command(args...), func(err error) tea.Msg { return ranMsg{err} })
}

// clock does what time brings.
func (m *Model) clock() {
	now := m.Now()
	if !m.card.armed.IsZero() && now.Sub(m.card.armed) >= armedFor {
		m.card.disarm()
	}
	if m.person != nil && now.Sub(m.lastKey) >= idleLock {
		m.person, m.input = nil, nil
		m.message = "locked: nothing was typed for 15 minutes"
	}
}
