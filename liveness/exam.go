package liveness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/plural"
)

// exam is the look at one host.
type exam struct {
	HostHealth
	in     *Inputs
	ctx    context.Context
	seen   hostSeen
	pruned time.Time // the newest record that a person has removed
	broken error     // the evidence cannot be read
	conf   *configuration
	wiring WiringStatus
}

// add notes a check; one that failed makes the state at least as bad as given.
func (e *exam) add(c Check, bad State) {
	if c.OK {
		c.Fix = ""
	} else {
		c.todo = bad == Unknown
		e.blame(bad, c.Detail)
	}
	e.Checks = append(e.Checks, c)
}

// blame notes why the host is not well, worst first.
func (e *exam) blame(bad State, why string) {
	if e.State != bad && e.State.worse(bad) == bad {
		e.State = bad
		e.Why = append([]string{why}, e.Why...)
		return
	}
	e.Why = append(e.Why, why)
}

func (e *exam) examine() {
	more := e.examineWiring()
	e.examineConfiguration()
	if !more {
		return
	}
	e.examinePowers()
	e.examinePeople()
	e.examineEvidence()
	e.examineSessions()
	e.examineTranscripts()
}

// examineWiring reports whether there is anything more to look at.
func (e *exam) examineWiring() bool {
	status, err := e.in.Wiring.Status(e.Host)
	if err != nil {
		e.add(Check{Name: "settings", Detail: fmt.Sprintf("its settings cannot be examined: %v", err),
			Fix: "correct what the message says, then run trammel doctor again"}, Unknown)
		return true
	}
	e.wiring, e.Version, e.Wired, e.Installed = status, status.Version, status.Present, status.Installed
	for _, file := range status.Exposed {
		e.add(Check{Name: "managed", Detail: file, Fix: "as root: chown root and chmod go-w that path, after you have read what is in it"},
			Unprotected)
	}
	init := "run trammel init --host " + e.Host
	if !status.Installed && !status.Present {
		e.add(Check{Name: "installed", Detail: "not installed, not wired"}, Unknown)
		return false
	}
	e.add(Check{Name: "settings", OK: status.Parsed, Detail: said(status.Parsed, "can be read",
		"its settings cannot be read, so it does not call us"), Fix: "correct the file that trammel init names, then " + init}, Unprotected)
	e.add(Check{Name: "wired", OK: status.Present, Detail: said(status.Present, "our entries are there", "not wired"), Fix: init}, Unprotected)
	for _, lock := range status.Locked {
		e.add(Check{Name: "locked", Detail: lock, Fix: "take it out of that file, or have an administrator wire the agent"}, Unprotected)
	}
	if status.Present {
		e.add(Check{Name: "current", OK: status.Current, Detail: said(status.Current, "written by this version",
			"the wiring is not what this version writes"), Fix: init}, Degraded)
		e.examineProgram(init)
		if status.ConsentNeeded {
			// Whatever the host says of it: events that reach us since the
			// wiring was written are consent.
			given := status.ConsentGiven || e.broken == nil && e.seen.events > 0 && e.seen.last.After(status.Since)
			e.add(Check{Name: "consent", OK: given, Detail: said(given, "you have approved the hooks",
				"you have not approved the hooks yet, so it skips them silently"), Fix: strings.Join(append([]string{"approve the hooks in " +
				e.Host + " itself"}, status.Notes...), "; ")}, Unprotected)
		}
	}
	for _, note := range status.Notes {
		e.Checks = append(e.Checks, Check{Name: "note", OK: true, Detail: note})
	}
	e.examineServers()
	return true
}

// scope is the flag for the settings that name the server.
func (s *Server) scope() string {
	if s.Project {
		return " --scope project"
	}
	return ""
}

// examineServers says which MCP servers have the proxy in front of them. Hooks
// may see the calls of the others all the same, so that is no failure (MCP-70).
func (e *exam) examineServers() {
	behind := 0
	for _, s := range e.wiring.Servers {
		switch {
		case !s.Behind:
			e.Unproxied = append(e.Unproxied, s.Name)
			e.Checks = append(e.Checks, Check{Name: "note", OK: true, Detail: fmt.Sprintf("the MCP server %q (%s) is not behind the proxy: %s",
				s.Name, s.Path, cmp.Or(s.Whose, "trammel init "+e.Host+" --mcp"+s.scope()+" puts it there"))})
		case s.Broken != "":
			e.add(Check{Name: "mcp", Detail: fmt.Sprintf("the proxy in front of the MCP server %q (%s) cannot be started: %s", s.Name, s.Path,
				s.Broken),
				Fix: "run trammel uninstall " + e.Host + s.scope() + ", and then trammel init " + e.Host + " --mcp" + s.scope()}, Degraded)
		default:
			behind++
		}
	}
	if behind > 0 {
		e.Checks = append(e.Checks, Check{Name: "mcp", OK: true, Detail: fmt.Sprintf("%d of %d MCP servers are behind the proxy", behind,
			len(e.wiring.Servers))})
	}
}

// examineProgram starts what the wiring names, and the program beside it.
func (e *exam) examineProgram(init string) {
	const broken = "trammel-hook cannot be run: where the wiring fails closed, every tool call is blocked, elsewhere nothing is judged"
	check := Check{Name: "program", OK: e.wiring.Executable, Detail: said(e.wiring.Executable, "trammel-hook can be run", broken),
		Fix: "put trammel-hook back, or " + init}
	for _, path := range e.wiring.Programs {
		if err := runs(e.ctx, path); err != nil {
			check.OK, check.Detail = false, broken+": "+err.Error()
			break
		}
	}
	e.add(check, Degraded)
}

func said(ok bool, yes, no string) string {
	if ok {
		return yes
	}
	return no
}

func (e *exam) examineEvidence() {
	if e.broken != nil {
		e.add(Check{Name: "evidence", Detail: e.broken.Error(), Fix: "run trammel evidence verify"}, Degraded)
		return
	}
	if err := writable(e.in.Evidence); err != nil {
		e.add(Check{Name: "evidence", Detail: fmt.Sprintf("nothing can be recorded, so every tool call is blocked: %v", err),
			Fix: "make that directory writable, and see whether the disk is full"}, Degraded)
	}
	e.LastEvent, e.LastSession = e.seen.last, e.seen.lastSession
	if e.seen.events == 0 {
		e.add(Check{Name: "events", Detail: "no event has been seen yet", Fix: "use the agent once, or run trammel doctor --canary"}, Unknown)
		return
	}
	e.Checks = append(e.Checks, Check{Name: "events", OK: true, Detail: fmt.Sprintf("%s in %s, the last %s in session %s",
		plural.Of(e.seen.events, "event"), plural.Of(len(e.seen.sessions), "session"), ago(e.in.Now.Sub(e.seen.last)), e.seen.lastSession)})
}

// writable writes a file into a directory and removes it. A directory that does
// not exist yet is no failure.
func writable(dir string) error {
	file, err := os.CreateTemp(dir, ".doctor-*")
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.WriteString("x")
	return errors.Join(err, file.Close())
}

// examineSessions compares the starts of sessions with their tool calls.
func (e *exam) examineSessions() {
	idle, unannounced := e.seen.mismatches()
	if len(e.seen.sessions) == 0 {
		return
	}
	detail := plural.Of(len(e.seen.sessions), "session")
	if len(idle) > 0 {
		detail += fmt.Sprintf(", %d of them began and made no tool call that we saw (the last: %s)", len(idle), idle[len(idle)-1])
	}
	if n := len(unannounced); n > 0 {
		detail = fmt.Sprintf("%d sessions made tool calls and never reported their start (the last: %s): the host may have loaded only some of "+
			"our hooks", n, unannounced[n-1])
	}
	e.add(Check{Name: "sessions", OK: len(unannounced) == 0, Detail: detail,
		Fix: "restart the agent; if that does not help, run trammel init --host " + e.Host}, Degraded)
}

// examineTranscripts looks for tool calls that never reached us.
func (e *exam) examineTranscripts() {
	read, ok := transcriptsOf(e.Host, e.in)
	if !ok || e.broken != nil {
		return
	}
	since := e.wiring.Since
	if since.IsZero() {
		since = e.in.Now.Add(-recent)
	}
	if e.pruned.After(since) { // what was recorded until then may be gone
		since = e.pruned
	}
	list, err := read(e.ctx, since)
	if err != nil {
		e.add(Check{Name: "transcripts", Detail: err.Error(), Fix: "make the host's transcripts readable to you"}, Unknown)
		return
	}
	calls := 0
	for i := range list {
		t := &list[i]
		e.Version = cmp.Or(e.Version, t.Version)
		gap, counted := t.gap(e.seen.sessions[t.Session], since, e.in.Now.Add(-settle))
		calls += counted
		if gap != nil {
			e.Gaps = append(e.Gaps, *gap)
		}
	}
	if len(e.Gaps) == 0 {
		detail := "no tool call was made since it was wired"
		if calls > 0 {
			detail = fmt.Sprintf("all of %s in %s are in the evidence", plural.Of(calls, "tool call"), plural.Of(len(list), "transcript"))
		}
		e.Checks = append(e.Checks, Check{Name: "transcripts", OK: true, Detail: detail})
		return
	}
	for _, gap := range e.Gaps {
		bad := Degraded
		if gap.Recorded == 0 {
			bad = Unprotected
		}
		e.add(Check{Name: "transcripts", Detail: gap.String(), Fix: "restart the agent and run trammel doctor --canary; was it started without " +
			"hooks?"}, bad)
	}
}

// ago says how long something is past.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", d/time.Hour)
	}
	return fmt.Sprintf("%d days ago", d/(24*time.Hour))
}
