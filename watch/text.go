package watch

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/store"
)

// tone is what a text means: a colour beside its word and its sign.
type tone int

const (
	plain tone = iota
	deny
	ask
	allow
	rewritten
	failed
	muted
	strong
)

var styles = [...]lipgloss.Style{
	plain: lipgloss.NewStyle(), deny: lipgloss.NewStyle().Foreground(lipgloss.BrightRed),
	ask: lipgloss.NewStyle().Foreground(lipgloss.BrightYellow), allow: lipgloss.NewStyle().Foreground(lipgloss.BrightGreen),
	rewritten: lipgloss.NewStyle().Foreground(lipgloss.BrightBlue), failed: lipgloss.NewStyle().Foreground(lipgloss.BrightMagenta),
	muted: lipgloss.NewStyle().Foreground(lipgloss.BrightBlack), strong: lipgloss.NewStyle().Bold(true),
}

// span is a part of a line.
type span struct {
	tone tone
	text string
}

// line is a line of the screen, before it is cut to its width.
type line []span

// safe is foreign text that a terminal shows and does not obey.
func (m *Model) safe(text string) string { return m.letters(show.Safe(text)) }

// letters are those that the terminal has.
func (m *Model) letters(text string) string {
	if !m.ASCII {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		switch {
		case r < 0x7f:
			out.WriteRune(r)
		case r == '↵':
			out.WriteString("<LF>")
		default:
			fmt.Fprintf(&out, "<U+%04X>", r)
		}
	}
	return out.String()
}

// draw makes a line exactly so wide.
func (m *Model) draw(l line, width int) string {
	var out strings.Builder
	left := width
	for _, s := range l {
		text := s.text
		if ansi.StringWidth(text) > left {
			text = ansi.Truncate(text, left, m.sign("…", "~"))
		}
		left -= ansi.StringWidth(text)
		out.WriteString(styles[s.tone].Render(text))
		if left <= 0 {
			break
		}
	}
	return out.String() + strings.Repeat(" ", max(left, 0))
}

// sign is a sign, or what stands for it in ASCII.
func (m *Model) sign(sign, plain string) string {
	if m.ASCII {
		return plain
	}
	return sign
}

// wrapped breaks a safe text into lines of a width. Nothing is left out.
func wrapped(text string, width int) []string {
	text = strings.ReplaceAll(text, "\t", "    ")
	return strings.Split(ansi.Hardwrap(text, max(width, 8), true), "\n")
}

// words is wrapped, with breaks between words where there are any.
func words(text string, width int) []string {
	return strings.Split(ansi.Wrap(text, max(width, 8), ""), "\n")
}

// cell is a text in exactly so many columns.
func (m *Model) cell(text string, width int) string {
	text = ansi.Truncate(text, width, m.sign("…", "~"))
	return text + strings.Repeat(" ", width-ansi.StringWidth(text))
}

// outcome is what came of an event: a sign and a word.
func (m *Model) outcome(e *store.Event) span {
	is := func(word string) bool { return slices.Contains(e.Is, word) }
	switch {
	case e.Decision == "deny":
		return span{deny, "X DENY"}
	case e.Decision == "ask":
		return span{ask, "! ASK"}
	case is("failed"):
		return span{failed, m.sign("▲", "^") + " FAILED"}
	case is("rewritten"):
		return span{rewritten, "~ REWRITE"}
	case e.Decision == "allow":
		return span{allow, m.sign("✓", "+") + " ALLOW"}
	}
	return span{muted, m.sign("·", ".")}
}

// standing is how a request stands: a sign and a word.
func (m *Model) standing(a *store.Approval) span {
	word := strings.ToUpper(string(a.State))
	switch a.State {
	case store.Pending:
		return span{ask, "! ASK"}
	case store.Approved, store.Consumed:
		return span{allow, m.sign("✓", "+") + " " + word}
	case store.Rejected, store.Revoked:
		return span{deny, "X " + word}
	}
	return span{failed, m.sign("▲", "^") + " " + word}
}

// left is how long people can still decide.
func (m *Model) left(a *store.Approval) string {
	switch d := a.Expires.Sub(m.Now()); {
	case a.State != store.Pending || a.Expires.IsZero():
		return "-"
	case d <= 0:
		return "00:00"
	case d < time.Hour:
		return fmt.Sprintf("%02d:%02d", int(d.Minutes()), int(d.Seconds())%60)
	default:
		return fmt.Sprintf("%dh%02d", int(d.Hours()), int(d.Minutes())%60)
	}
}

func (m *Model) time(t store.Time) string { return t.In(m.Now().Location()).Format(time.TimeOnly) }
