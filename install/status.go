package install

import (
	"fmt"
	"strings"
)

// State is the state of a host's wiring.
type State string

// The states.
const (
	Wired       State = "wired"       // as Plan would write it
	NotWired    State = "not-wired"   // nothing of ours is there
	Changed     State = "changed"     // something of ours is there, but not as it should be
	Unparseable State = "unparseable" // a file cannot be read
)

// Report is the state of a host's wiring, with the checks behind it.
type Report struct {
	Host   string
	State  State
	Checks []Check
}

// Check is one thing that was checked.
type Check struct {
	Name   string // config, parsed, entries, enabled, hook
	Path   string
	OK     bool
	Detail string
}

// Status checks a host's wiring. opts.Hook is the trammel-hook that it should
// call. An error means that the host cannot be wired like this. Both values of
// Missing are fine for a project.
func Status(env Env, host string, opts Options) (*Report, error) {
	r, err := status(env, host, opts)
	if err == nil && opts.Scope == Project && opts.Missing == "" && r.State == Changed {
		opts.Missing = MissingWarns
		if warns, err := status(env, host, opts); err == nil && warns.State == Wired {
			return warns, nil
		}
	}
	return r, err
}

func status(env Env, host string, opts Options) (*Report, error) {
	s, err := at(env, host, opts)
	if err != nil {
		return nil, err
	}
	r := &Report{Host: host}
	var states []State
	for i := range s.targets {
		states = append(states, r.look(s, &s.targets[i]))
	}
	r.State = worst(states)
	if r.State != NotWired {
		r.Checks = append(r.Checks, s.locked()...)
	}
	err = opts.check()
	r.check("hook", opts.Hook, err == nil, reasonOf(err))
	return r, nil
}

func (r *Report) check(name, path string, ok bool, detail string) {
	r.Checks = append(r.Checks, Check{name, path, ok, detail})
}

func reasonOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func (r *Report) look(s *site, t *target) State {
	data, there, err := read(t.path)
	if err != nil {
		r.check("config", t.path, false, err.Error())
		return Unparseable
	}
	if !there {
		r.check("config", t.path, false, "the file is missing")
		return NotWired
	}
	r.check("config", t.path, true, "")
	if t.wiring == nil {
		switch {
		case !ownsText(data):
			r.check("entries", t.path, false, "the file is not ours")
			return NotWired
		case string(data) != string(t.text):
			r.check("entries", t.path, false, "the file is not what this version would write")
			return Changed
		}
		r.check("entries", t.path, true, "")
		return Wired
	}
	if blank(data) {
		r.check("parsed", t.path, false, "the file is empty")
		return NotWired
	}
	d, err := parse(data)
	if err != nil {
		r.check("parsed", t.path, false, err.Error())
		return Unparseable
	}
	return r.entries(s, t, d)
}

func (r *Report) entries(s *site, t *target, d *document) State {
	missing, err := t.wiring.current(d)
	if err != nil {
		r.check("parsed", t.path, false, err.Error())
		return Unparseable
	}
	r.check("parsed", t.path, true, "")
	if s.disabled(d) {
		r.check("enabled", t.path, false, s.host.Facts().Disabled+" is set, so no hook runs")
	}
	if len(missing) == 0 {
		r.check("entries", t.path, true, fmt.Sprintf("%d events", len(t.wiring.entries)))
		return Wired
	}
	r.check("entries", t.path, false, strings.Join(missing, "\n"))
	if clean, err := strip(d, t.wiring.listed); err == nil && string(clean) == string(d.src) {
		return NotWired
	}
	return Changed
}

// worst sums up several files: all wired is wired, none is not wired, and
// anything between is changed.
func worst(states []State) State {
	count := map[State]int{}
	for _, s := range states {
		count[s]++
	}
	switch {
	case count[Unparseable] > 0:
		return Unparseable
	case len(states) > 0 && count[Wired] == len(states):
		return Wired
	case count[NotWired] == len(states):
		return NotWired
	}
	return Changed
}
