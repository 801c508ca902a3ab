package liveness

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// WriteStatus writes one line per host. Hosts that are neither installed nor
// wired are left out, unless there are no others.
func WriteStatus(w io.Writer, list []HostHealth, now time.Time) error {
	var b strings.Builder
	for _, h := range relevant(list) {
		fmt.Fprintf(&b, "%-14s %-12s %s\n", h.Host, h.State, h.summary(now))
		if len(h.Unproxied) > 0 {
			fmt.Fprintf(&b, "%-14s %-12s without the MCP proxy: %s\n", "", "", strings.Join(h.Unproxied, ", "))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// summary says why, or when the host was heard of last.
func (h *HostHealth) summary(now time.Time) string {
	switch {
	case len(h.Why) > 1:
		return fmt.Sprintf("%s (and %d more: trammel doctor)", h.Why[0], len(h.Why)-1)
	case len(h.Why) == 1:
		return h.Why[0]
	case h.LastEvent.IsZero():
		return ""
	}
	return "last event " + ago(now.Sub(h.LastEvent))
}

func relevant(list []HostHealth) []HostHealth {
	var out []HostHealth
	for _, h := range list {
		if h.Wired || h.Installed || h.State == Unprotected || h.State == Degraded {
			out = append(out, h)
		}
	}
	if len(out) == 0 {
		return list
	}
	return out
}

// WriteDoctor writes every check, and what to do about those that failed.
func WriteDoctor(w io.Writer, list []HostHealth) error {
	var b strings.Builder
	for i, h := range relevant(list) {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s: %s\n", strings.TrimSpace(h.Host+" "+h.Version), h.State)
		for _, c := range h.Checks {
			mark := "ok  "
			switch {
			case c.todo:
				mark = "todo"
			case !c.OK:
				mark = "FAIL"
			case c.Name == "gap" || c.Name == "note":
				mark = "note"
			}
			fmt.Fprintf(&b, "  %s  %-13s %s\n", mark, strings.TrimSuffix(c.Name, mark), c.Detail)
			if c.Fix != "" {
				fmt.Fprintf(&b, "                      → %s (trammel docs codes#doctor-%s)\n", c.Fix, c.Name)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteJSON writes all that is known, for programs.
func WriteJSON(w io.Writer, list []HostHealth) error {
	return json.MarshalWrite(w, list, jsontext.WithIndent("  "))
}
