package watch

import (
	"cmp"
	"fmt"
	"path/filepath"

	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/store"
)

// row is the row of an id in the list of a tab.
func (m *Model) row(id string, width int) line {
	switch m.tab {
	case inbox:
		if a := m.approvals[id]; a != nil {
			return m.approvalRow(a, width)
		}
	case live:
		if e := m.shownEvents[id]; e != nil {
			return m.eventRow(e, width)
		}
	default:
		if list := m.shownSessions[id]; len(list) > 0 {
			return m.sessionRow(list, width)
		}
	}
	return line{{muted, "(no longer here)"}}
}

func (m *Model) approvalRow(a *store.Approval, width int) line {
	what := m.safe(show.What(a))
	if n := len(a.Asks); n > 1 {
		what = fmt.Sprintf("x%d same  %s", n, what)
	}
	s := m.standing(a)
	out := line{{s.tone, m.cell(s.text, 11)}, {plain, m.cell(m.left(a), 6)}}
	if width >= 70 {
		out = append(out, span{muted, m.cell(m.safe(a.Host), 12) + " " + m.cell(m.safe(filepath.Base(a.Project)), 10) + " "})
	}
	return append(out, span{strong, m.cell(m.safe(a.Tool), min(14, width/5)) + " "}, span{plain, what})
}

func (m *Model) eventRow(e *store.Event, width int) line {
	s := m.outcome(e)
	out := line{{muted, m.time(e.Time) + " "}, {s.tone, m.cell(s.text, 10)}}
	if width >= 70 {
		out = append(out, span{muted, m.cell(m.safe(e.Host), 12) + " " + m.cell(m.safe(e.Session), 6) + " "})
	}
	what := e.Tool
	what = cmp.Or(what, e.Event)
	return append(out, span{strong, m.cell(m.safe(what), min(14, width/5)) + " "}, span{plain, m.safe(e.Summary)})
}

func (m *Model) sessionRow(list []*store.Event, width int) line {
	last := list[0]
	denied := 0
	for _, e := range list {
		if e.Decision == "deny" {
			denied++
		}
	}
	s := span{muted, m.cell("", 10)}
	if denied > 0 {
		s = span{deny, m.cell(fmt.Sprintf("X %d", denied), 10)}
	}
	return line{{muted, m.time(last.Time) + " "}, s, {plain, m.cell(fmt.Sprint(len(list)), 5)}, {strong, m.cell(m.safe(last.Host), 12) + " "},
		{plain, m.cell(m.safe(filepath.Base(last.Project)), min(14, width/5)) + " "}, {muted, m.safe(last.Session)}}
}

// none says what is to do where a list is empty.
func (m *Model) none() string {
	switch {
	case m.view().filter.Text != "":
		return "Nothing matches. / changes the filter."
	case m.tab == inbox && !m.loaded:
		return "Loading."
	case m.tab == inbox:
		return "Nothing waits."
	}
	return "No event yet. If an agent works, look at: trammel doctor"
}
