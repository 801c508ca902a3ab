package watch

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/trammel-dev/trammel/internal/visible"
	"github.com/trammel-dev/trammel/store"
)

// input is a line that is being typed: a filter, or the reason of a rejection.
type input struct {
	text   string
	reason bool
}

const maxInput = 1000

func (i *input) add(text string) {
	for _, r := range text {
		if visible.Is(r) && len(i.text) < maxInput {
			i.text += string(r)
		}
	}
}

func (i *input) paste(text string) { i.add(visible.Line(strings.TrimSpace(text))) }

func (i *input) back() {
	if r := []rune(i.text); len(r) > 0 {
		i.text = string(r[:len(r)-1])
	}
}

// key does what a key is for.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	now := m.Now()
	burst := now.Sub(m.lastKey) < burstGap
	m.lastKey = now
	name := k.String()
	if name == "ctrl+c" {
		return tea.Quit
	}
	if m.input != nil {
		return m.typeKey(k, name)
	}
	if m.help {
		m.help = false
		return nil
	}
	m.message = ""
	if m.prefix {
		m.prefix = false
		m.page(name)
		return nil
	}
	if cmd, taken := m.decisionKey(name, burst || k.IsRepeat); taken {
		return cmd
	}
	switch name {
	case "q":
		return tea.Quit
	case "?":
		m.help = true
	case "g":
		m.prefix = true
	case "/":
		m.input = &input{text: m.view().filter.Text}
	case "j", "down":
		m.move(1)
	case "k", "up":
		m.move(-1)
	case "[", "pgdown":
		m.move(m.layout().page(m.detail))
	case "]", "pgup":
		m.move(-m.layout().page(m.detail))
	case "enter":
		m.focus(len(m.view().ids) > 0)
	case "esc":
		m.focus(false)
	case "tab":
		m.focus(!m.detail && len(m.view().ids) > 0)
	case "space":
		m.pause(!m.paused)
	case "n":
		m.refreshInbox()
		m.pause(false)
	case ".":
		m.nextPending()
	case "c":
		m.message = "copied"
		return tea.SetClipboard(m.name())
	case "o":
		m.browse()
	}
	return nil
}

// typeKey is a key on the line that is being typed.
func (m *Model) typeKey(k tea.KeyPressMsg, name string) tea.Cmd {
	switch name {
	case "esc":
		m.input = nil
		m.view().bad = nil
		m.card.disarm()
		return nil
	case "enter":
		if !m.input.reason && m.view().bad == nil { // a reason is not sent by mistake
			m.input = nil
		}
		return nil
	case "ctrl+enter", "ctrl+d":
		if m.input.reason {
			return m.reject()
		}
	case "backspace":
		m.input.back()
	case "ctrl+u":
		m.input.text = ""
	default:
		m.input.add(k.Text)
	}
	m.typed()
	return nil
}

func (m *Model) page(name string) {
	if t := strings.Index("ils", name); len(name) == 1 && t >= 0 {
		m.refreshInbox() // what was decided goes when one leaves
		m.tab, m.detail = tab(t), false
		m.card.moved(m.Now())
	}
}

func (m *Model) focus(detail bool) {
	if m.detail != detail {
		m.detail = detail
		m.card.moved(m.Now())
	}
	if detail && m.tab != inbox {
		m.pause(true)
	}
}

func (m *Model) pause(on bool) {
	if m.tab == inbox && on {
		return
	}
	if m.paused = on; !on {
		m.refreshEvents()
	}
}

// move moves the cursor, or scrolls the detail.
func (m *Model) move(by int) {
	v := m.view()
	if m.detail {
		v.scroll = max(0, min(v.scroll+by, len(m.lines())-m.layout().lines))
		return
	}
	if len(v.ids) == 0 {
		return
	}
	if m.tab != inbox {
		m.pause(true)
	}
	m.choose(v.ids[max(0, min(slices.Index(v.ids, v.at)+by, len(v.ids)-1))])
}

func (m *Model) choose(id string) {
	if v := m.view(); v.at != id {
		v.at, v.scroll = id, 0
		m.card.moved(m.Now())
	}
}

// nextPending goes to the next request that waits.
func (m *Model) nextPending() {
	m.tab = inbox
	v := m.view()
	from := slices.Index(v.ids, v.at) + 1
	for i := range v.ids {
		id := v.ids[(from+i)%len(v.ids)]
		if a := m.approvals[id]; a != nil && a.State == store.Pending {
			m.choose(id)
			return
		}
	}
	m.message = "nothing waits"
}

// name is what is copied: the id of what the cursor is on.
func (m *Model) name() string {
	at := m.view().at
	if m.tab != inbox {
		at = at[strings.LastIndexAny(at, "/ ")+1:]
	}
	return at
}

func (m *Model) browse() {
	path := "/inbox"
	switch at := m.name(); {
	case at == "":
	case m.tab == inbox:
		path = "/approvals/" + at
	case m.tab == live:
		path = "/evidence/" + at
	default:
		path = "/sessions/" + strings.Replace(m.view().at, " ", "/", 1)
	}
	if m.Open == nil {
		m.message = "there is no browser here; the page is " + path
	} else if err := m.Open(path); err != nil {
		m.message = err.Error()
	}
}
