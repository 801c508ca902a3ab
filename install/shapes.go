package install

import "strings"

// hookedEvent is an event that a host is asked to report.
type hookedEvent struct {
	name    string
	guard   guard
	timeout int // in the host's unit; 0: what the host's other events have
}

func (e hookedEvent) wait(usual int) int {
	if e.timeout > 0 {
		return e.timeout
	}
	return usual
}

// line is the command for an event. windows is what the host runs commands
// with on Windows; elsewhere it is always sh.
func (s *site) line(windows shell, e hookedEvent) string {
	if s.GOOS != "windows" {
		return posix.command(s.Hook, s.host.Name, e.name, e.guard)
	}
	hook := s.Hook
	if windows == posix {
		hook = strings.ReplaceAll(hook, `\`, "/")
	}
	return windows.command(hook, s.host.Name, e.name, e.guard)
}

// grouped wires a file in the shape of Claude Code: under each event groups,
// each with its hooks. There is no matcher, so every tool is seen. more goes
// into entries that fail closed.
func (s *site) grouped(path string, windows shell, timeout int, more object, events []hookedEvent) {
	s.flat(path, false, nil, events, func(e hookedEvent) object {
		hook := object{{"type", "command"}, {"command", s.line(windows, e)}, {"timeout", e.wait(timeout)}}
		if e.guard != open {
			hook = append(hook, more...)
		}
		return object{{"hooks", list{hook}}}
	})
}

// flat wires a file that has its entries right under the events.
func (s *site) flat(path string, named bool, head object, events []hookedEvent, value func(e hookedEvent) object) {
	w := &wiring{head: head}
	for _, e := range events {
		w.entries = append(w.entries, entry{e.name, value(e)})
	}
	s.targets = append(s.targets, target{path: path, wiring: w, named: named})
}
