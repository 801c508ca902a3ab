package watch

import (
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/store"
)

// page collects the lines of a detail.
type page struct {
	m     *Model
	width int
	lines []line
}

// lines are the detail of what the cursor is on, all of it.
func (m *Model) lines() []line {
	p := page{m: m, width: m.layout().detailWidth}
	key := fmt.Sprint(m.tab, m.view().at, p.width)
	switch m.tab {
	case inbox:
		if a := m.approvals[m.view().at]; a != nil {
			return m.cached(fmt.Sprintf("%s %p", key, a), func() []line { p.approval(a); return p.lines })
		}
	case live:
		if e := m.shownEvents[m.view().at]; e != nil {
			return m.cached(key, func() []line { p.event(e); return p.lines })
		}
	default:
		if list := m.shownSessions[m.view().at]; len(list) > 0 {
			return m.cached(fmt.Sprint(key, len(list), list[0].ID), func() []line { p.session(list); return p.lines })
		}
	}
	return nil
}

// cached makes lines once for as long as they are the same: arguments can be long.
func (m *Model) cached(key string, lines func() []line) []line {
	if m.cache.key != key {
		m.cache.key, m.cache.lines = key, lines()
	}
	return m.cache.lines
}

const label = 8

// field adds a safe text under a label.
func (p *page) field(name, text string) { p.toned(plain, name, text) }

func (p *page) toned(t tone, name, text string) {
	if text == "" {
		return
	}
	p.labelled(t, name, words(p.m.letters(text), p.width-label))
}

func (p *page) labelled(t tone, name string, parts []string) {
	for i, part := range parts {
		if i > 0 {
			name = ""
		}
		p.lines = append(p.lines, line{{muted, p.m.cell(name, label)}, {t, part}})
	}
}

func (p *page) text(t tone, text string) {
	for _, part := range wrapped(p.m.letters(text), p.width) {
		p.lines = append(p.lines, line{{t, part}})
	}
}

func (p *page) approval(a *store.Approval) {
	v := show.Of(a)
	s := p.m.standing(a)
	p.lines = append(p.lines, line{{s.tone, s.text}, {strong, "  " + v.ID}})
	p.field("STATUS", v.Status)
	p.field("WHY", v.Rule)
	p.field("", v.Reason)
	p.field("WHO", v.Asker)
	p.field("NEEDS", v.Needs)
	p.field("PROJECT", show.Safe(a.Project))
	for i, e := range a.Effects {
		p.field([]string{"RUNS", ""}[min(i, 1)], show.Safe(e))
	}
	if !a.Expires.IsZero() {
		p.field("UNTIL", p.m.time(a.Expires)+", then it does not run")
	}
	p.field("TOOL", v.Tool)
	p.labelled(plain, "ARGS", wrapped(p.m.letters(v.Args.Text), p.width-label))
	for _, remark := range v.Remarks() {
		p.toned(ask, "", remark)
	}
	if v.Asked != nil {
		p.text(strong, "What an approver has changed:")
		p.diff(show.Diff(v.Asked.Text, v.Args.Text))
	}
	args := a.Args
	if a.Edit != nil {
		args = a.Edit.Args
	}
	for _, d := range show.FileDiffs(args) {
		p.text(strong, "Changes "+d.Name)
		p.diff(d.Lines)
	}
	for i, vote := range v.Votes {
		p.field([]string{"VOTES", ""}[min(i, 1)], vote)
	}
	for i, d := range a.Deliveries {
		p.field([]string{"TOLD", ""}[min(i, 1)], show.Safe(strings.TrimSpace(fmt.Sprintf("%s %s %s", d.Channel, d.State, d.Error))))
	}
	p.field("DIGEST", v.Digest)
}

func (p *page) diff(changes []show.Change) {
	tones := map[string]tone{"+": allow, "-": deny, " ": plain}
	for _, c := range changes {
		p.text(tones[c.Sign], c.Sign+" "+c.Text)
	}
}

func (p *page) event(e *store.Event) {
	s := p.m.outcome(e)
	p.lines = append(p.lines, line{{s.tone, s.text}, {strong, "  " + p.m.safe(e.ID)}})
	safe := show.Safe
	p.field("REASON", safe(e.Reason))
	p.field("WHAT", safe(e.Summary))
	p.field("TOOL", safe(e.Tool))
	p.field("EVENT", fmt.Sprintf("%s of %s, %s, %.1f ms", safe(e.Event), safe(e.Host), p.m.time(e.Time), float64(e.Micros)/1000))
	p.field("SESSION", safe(e.Session))
	p.field("AGENT", safe(strings.Join(append([]string{e.Agent}, e.Parents...), " of ")))
	p.field("PROJECT", safe(e.Project))
	p.field("PATHS", safe(strings.Join(e.Paths, "  ")))
	p.field("URL", safe(e.URL))
	p.field("IS", safe(strings.Join(e.Is, ", ")))
	p.field("CODES", safe(strings.Join(e.Codes, ", ")))
	p.field("FOUND", safe(strings.Join(e.Findings, ", ")))
	for i, r := range e.Runs {
		text := fmt.Sprintf("%s %s %.1f ms %s", r.Phase, r.Hook, float64(r.Micros)/1000, r.Decision)
		if r.Tried() {
			text += " (trial: would " + r.Trial + ")"
		}
		p.field([]string{"HOOKS", ""}[min(i, 1)], safe(strings.TrimSpace(text+" "+r.Code)))
	}
	p.field("RECORD", fmt.Sprintf("trammel evidence show %d", e.Seq))
}

func (p *page) session(list []*store.Event) {
	first, last := list[len(list)-1], list[0]
	denied := 0
	for _, e := range list {
		if e.Decision == "deny" {
			denied++
		}
	}
	p.text(strong, show.Safe(last.Host+"  "+last.Session))
	p.field("PROJECT", show.Safe(last.Project))
	p.field("EVENTS", fmt.Sprintf("%d, %d denied, %s to %s", len(list), denied, p.m.time(first.Time), p.m.time(last.Time)))
	for _, e := range list {
		who := ""
		if e.AgentID != "" || len(e.Parents) > 0 {
			who = "|- " + e.Agent + " "
		}
		s := p.m.outcome(e)
		p.lines = append(p.lines, line{{muted, p.m.time(e.Time) + " "}, {s.tone, p.m.cell(s.text, 10)},
			{plain, p.m.safe(strings.TrimSpace(who + e.Tool + " " + e.Summary))}})
		if e.Reason != "" && e.Decision != "none" {
			p.toned(muted, "", show.Safe(e.Reason))
		}
	}
}
