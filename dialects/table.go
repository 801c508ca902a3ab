package dialects

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
)

// Event is one event of a host.
type Event struct {
	Name string // the host's
	Kind trammel.Kind
	// Can is what the host does with an answer, as far as it was measured or,
	// where it cannot be run, is documented.
	Can trammel.Capabilities
	// Endless: the host lets hooks keep the agent from ending forever.
	Endless bool
	// Wire says that init wires the event, and how.
	Wire Guard
	// Deadline is how long the host waits, if not as long as usual.
	Deadline time.Duration
	// Timeout is what the wiring sets, if that is not what the host grants.
	Timeout time.Duration
}

// Events reads the host's table. A table that cannot be read is a bug and
// panics; the tests of every dialect read it.
func (h *Host) Events() []Event {
	var out []Event
	for line := range h.lines {
		out = append(out, h.read(line))
	}
	return out
}

// lines are the lines of the table. A program that is started for one event
// reads only those that it needs: name and kind are at fixed columns.
func (h *Host) lines(yield func(line string) bool) {
	for rest := h.table(); rest != ""; {
		end := strings.IndexByte(rest, '\n')
		if end < 0 {
			end = len(rest)
		}
		if line := rest[:end]; line != "" && line[0] != '#' && !yield(line) {
			return
		}
		rest = rest[min(end+1, len(rest)):]
	}
}

// of are the events of a kind, which are on consecutive lines. The first line
// of a table says where the column of the kinds begins.
func (h *Host) of(kind trammel.Kind) func(yield func(Event) bool) {
	return func(yield func(Event) bool) {
		at, name, found := strings.Index(h.table(), kindTitle), kind.String(), false
		for line := range h.lines {
			is := len(line) > at+len(name) && line[at:at+len(name)] == name && line[at+len(name)] == ' '
			if is && !yield(h.read(line)) || found && !is {
				return
			}
			found = is
		}
	}
}

// table is the part of the host's text that begins with the titles of columns.
func (h *Host) table() string {
	if h.About == nil {
		return ""
	}
	at := strings.Index(*h.About, tableTitle)
	if at < 0 {
		return ""
	}
	return (*h.About)[at:]
}

// tableTitle begins the line above the events; kindTitle stands above the kinds.
const (
	tableTitle = "# event"
	kindTitle  = "kind "
)

// Event finds an event by its exact name, nil if there is none.
func (h *Host) Event(name string) *Event {
	for line := range h.lines {
		if len(line) > len(name) && line[:len(name)] == name && line[len(name)] == ' ' {
			e := h.read(line)
			return &e
		}
	}
	return nil
}

// lineRead is a line of a table, and what it says.
type lineRead struct {
	line  string
	event Event
}

// read reads a line. The last one is kept: a program that is started for one
// event asks for the same one several times.
func (h *Host) read(line string) Event {
	if l := h.last.Load(); l != nil && l.line == line {
		return l.event
	}
	e, err := readEvent(line)
	if err != nil {
		panic(fmt.Sprintf("the events of %s: %q: %v", h.System, line, err))
	}
	h.last.Store(&lineRead{line, e})
	return e
}

// powers are the words for the capabilities, in their order.
var powers = [...]string{"block", "ask", "rewrite-input", "rewrite-output", "inject", "continue", "grant", "prevent"}

func readEvent(line string) (e Event, err error) {
	words := strings.Fields(line)
	if len(words) < 5 {
		return e, fmt.Errorf("expected an event, its kind, its wiring, its deadline and what the host can do")
	}
	e.Name = words[0]
	if e.Kind, err = kindNamed(words[1]); err != nil {
		return e, err
	}
	if e.Wire, err = guardNamed(words[2]); err != nil {
		return e, err
	}
	granted, set, _ := strings.Cut(words[3], "/")
	for _, d := range []struct {
		text string
		to   *time.Duration
	}{{granted, &e.Deadline}, {set, &e.Timeout}} {
		if d.text != "" && d.text != "-" {
			if *d.to, err = time.ParseDuration(d.text); err != nil {
				return e, err
			}
		}
	}
	for _, word := range words[4:] {
		at := slices.Index(powers[:], word)
		switch {
		case at >= 0:
			e.Can |= 1 << at
		case word == "endlessly":
			e.Endless = true
		case word != "-":
			return e, fmt.Errorf("unknown power %q", word)
		}
	}
	return e, nil
}

// kindNamed finds a kind by our own name. ParseKind would ask the tables.
func kindNamed(name string) (trammel.Kind, error) {
	for k := trammel.Other + 1; k <= trammel.Manual; k++ {
		if k.String() == name {
			return k, nil
		}
	}
	return 0, fmt.Errorf("unknown kind %q", name)
}

func guardNamed(name string) (Guard, error) {
	for i, word := range [...]string{"-", "open", "closed", "closed-by-exit", "closed-by-json"} {
		if word == name {
			return Guard(i), nil
		}
	}
	return 0, fmt.Errorf("unknown wiring %q", name)
}
