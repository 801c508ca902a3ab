package watch

import (
	_ "embed"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/trammel-dev/trammel/store"
)

// layout is who gets how much of the screen.
type layout struct {
	rows, lines            int // of the list and the detail
	listWidth, detailWidth int
	beside                 bool
}

const (
	besideFrom  = 100
	stackedFrom = 60
)

func (m *Model) layout() layout {
	body := max(m.height-3, 2)
	switch {
	case m.width >= besideFrom:
		list := m.width * 2 / 5
		return layout{body, body, list, m.width - list - 3, true}
	case m.width >= stackedFrom:
		rows := max(body/3, 1)
		return layout{rows, body - rows - 1, m.width, m.width, false}
	case m.detail:
		return layout{0, body, m.width, m.width, false}
	}
	return layout{body, 0, m.width, m.width, false}
}

// page is how far a key for a whole page goes.
func (l layout) page(detail bool) int {
	if detail {
		return max(l.lines-1, 1)
	}
	return max(l.rows-1, 1)
}

// View implements tea.Model.
func (m *Model) View() tea.View {
	v := tea.NewView(m.frame())
	v.AltScreen = true
	v.WindowTitle = "Trammel"
	if n := m.pending(); n > 0 {
		v.WindowTitle = fmt.Sprintf("(%d) Trammel", n)
	}
	return v
}

func (m *Model) pending() (n int) {
	for _, a := range m.approvals {
		if a.State == store.Pending {
			n++
		}
	}
	return n
}

//go:embed help.txt
var help string

// frame is the screen: exactly its height in lines, none wider than it.
func (m *Model) frame() string {
	lines := []string{m.draw(m.head(), m.width), m.draw(m.filterLine(), m.width)}
	if m.help {
		for part := range strings.Lines(help) {
			lines = append(lines, m.draw(line{{plain, strings.TrimRight(part, "\n")}}, m.width))
		}
	} else {
		lines = append(lines, m.body()...)
	}
	for len(lines) < m.height-1 {
		lines = append(lines, strings.Repeat(" ", m.width))
	}
	lines = append(lines[:max(m.height-1, 0)], m.draw(m.foot(), m.width))
	return strings.Join(lines, "\n")
}

func (m *Model) head() line {
	out, gap := line{{strong, "Trammel  "}}, " "
	if m.width < stackedFrom {
		out, gap = nil, ""
	}
	for t := range tabs {
		name := t.String()
		if n := m.pending(); t == inbox && n > 0 {
			name = fmt.Sprintf("%s %d", name, n)
		}
		if t == m.tab {
			out = append(out, span{strong, "[" + name + "] "})
		} else {
			out = append(out, span{muted, gap + name + gap + " "})
		}
	}
	lock := span{muted, gap + "read-only"}
	if m.person != nil {
		lock = span{deny, gap + "UNLOCKED"}
	}
	badge := span{allow, gap + " * live"}
	switch {
	case m.stale != nil:
		badge = span{failed, "  stale: the store cannot be read"}
	case m.paused && m.tab != inbox:
		badge = span{ask, fmt.Sprintf("  || paused, %d new: Space", m.held)}
	}
	return append(out, lock, badge)
}

func (m *Model) filterLine() line {
	v := m.view()
	text := v.filter.Text
	if m.input != nil && !m.input.reason {
		text = m.input.text + "_"
	}
	out := line{{muted, "/ "}, {plain, m.letters(text)}}
	if v.bad != nil {
		out = append(out, span{deny, "   " + m.letters(v.bad.Error())})
	} else if m.fresh > 0 && m.tab == inbox {
		out = append(out, span{ask, fmt.Sprintf("   %d new (n)", m.fresh)})
	}
	return out
}

func (m *Model) body() (out []string) {
	l := m.layout()
	list, detail := m.list(l), m.shown(l)
	if !l.beside {
		for _, row := range list {
			out = append(out, m.draw(row, m.width))
		}
		if l.rows > 0 && l.lines > 0 {
			out = append(out, m.draw(line{{muted, strings.Repeat("-", m.width)}}, m.width))
		}
		for _, row := range detail {
			out = append(out, m.draw(row, m.width))
		}
		return out
	}
	for i := range max(l.rows, l.lines) {
		out = append(out, m.draw(list[i], l.listWidth)+styles[muted].Render(" "+m.sign("│", "|")+" ")+m.draw(detail[i], l.detailWidth))
	}
	return out
}

func (m *Model) list(l layout) []line {
	out := make([]line, l.rows)
	v := m.view()
	if len(v.ids) == 0 && l.rows > 0 {
		out[0] = line{{muted, m.none()}}
	}
	for i := range out {
		if v.top+i >= len(v.ids) {
			break
		}
		id, mark := v.ids[v.top+i], span{plain, "  "}
		if id == v.at {
			mark = span{strong, "> "}
			if m.detail {
				mark = span{muted, "> "}
			}
		}
		out[i] = append(line{mark}, m.row(id, l.listWidth)...)
	}
	return out
}

// shown is the part of the detail that is in view.
func (m *Model) shown(l layout) []line {
	out := make([]line, l.lines)
	all := m.lines()
	if from := m.view().scroll; from < len(all) {
		copy(out, all[from:])
	}
	return out
}

func (m *Model) foot() line {
	switch {
	case m.input != nil && m.input.reason:
		return line{{deny, "Reason: "}, {plain, m.letters(m.input.text) + "_"}, {muted, "   Ctrl+D rejects, Esc does not"}}
	case m.input != nil:
		return line{{muted, "Enter keeps the filter, Esc leaves it"}}
	case !m.card.armed.IsZero():
		return line{{ask, "y approves " + m.letters(m.card.id) + " once; any other key, or 4 s, does not"}}
	case m.message != "":
		return line{{strong, m.safe(m.message)}}
	case m.prefix:
		return line{{muted, "g i inbox, g l live, g s sessions"}}
	}
	hints := line{{muted, "? help  / filter  j k move  Enter open  g i l s page  q quit"}}
	if m.tab != inbox || m.current() == nil || !m.detail {
		return hints
	}
	if why := m.obstacle(); why != "" {
		return line{{muted, m.safe(why)}}
	}
	return line{{allow, "[a Approve once]  "}, {deny, "[d Deny...]  "}, {plain, "[e Edit...]  [s Grant...]"}}
}
