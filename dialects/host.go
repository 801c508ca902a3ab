package dialects

import (
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/trammel-dev/trammel"
)

// Host is everything that is known about one agent, as data. Each agent's
// folder has one; the event catalogue, install, the policies that protect the
// agent's files, doctor, conformance and docs/hosts.md read it. It is not
// changed once it is made.
//
// A dialect embeds its Host and has its name, powers and tools from it.
type Host struct {
	System string // what it is called in configuration: "claude-code"

	// About is a text with its Facts and, below them, its events: one a line,
	// with the kind, how init wires it (- for not at all), how long the host
	// waits (- for as long as usual; after a slash what the wiring sets, if
	// that is more), and what the host does with an answer. Several names of
	// one kind are together, the usual one first. Events reads them.
	About *string
	// Tools makes the table that translates its tools into Actions; Shapes
	// calls it once. Nil: they are read loosely.
	Tools func() trammel.Shapes
	// Wiring is the files that make it call trammel-hook; nil if init cannot do
	// it.
	Wiring []File
	// Servers is where it looks for its MCP servers.
	Servers []Servers
	// Transcripts is where it writes its transcripts, nil if that is unknown.
	Transcripts *Transcripts

	facts  atomic.Pointer[Facts]
	last   atomic.Pointer[lineRead]
	shapes atomic.Pointer[trammel.Shapes]
}

// Name returns what the host is called in configuration.
func (h *Host) Name() string { return h.System }

// Shapes says how the host's tools translate into Actions.
func (h *Host) Shapes() trammel.Shapes {
	if s := h.shapes.Load(); s != nil {
		return *s
	}
	if h.Tools == nil {
		return nil
	}
	s := h.Tools()
	h.shapes.Store(&s)
	return s
}

// Ceiling is what the host lets a hook program do. Events that it does not have
// permit everything except an approval.
func (h *Host) Ceiling(kind trammel.Kind) trammel.Authority {
	if !h.Has(kind) {
		return Authority(kind.Can() &^ trammel.Approve)
	}
	return Authority(h.Powers(kind).Can)
}

// ProjectDir is where the host says that its project is.
func (h *Host) ProjectDir(getenv func(string) string) string {
	name := h.Facts().Project
	if name == "" {
		return ""
	}
	return getenv(name)
}

// Powers says what the host can do with an answer to a kind of event, under any
// of its names. An event of kind Other can be blocked as far as the host has a
// general block.
func (h *Host) Powers(kind trammel.Kind) trammel.Powers {
	p := trammel.Powers{}
	if h.Wiring != nil {
		p.Deadline = Deadline
	}
	if kind == trammel.Other {
		p.Can = trammel.Block
		return p
	}
	for e := range h.of(kind) {
		p.Can |= e.Can
		p.Endless = p.Endless || e.Endless
		if e.Deadline > 0 {
			p.Deadline = e.Deadline
		}
	}
	return p
}

// Patience is how long the host waits for the reply to an event of this kind, as
// init wires it, where people may have to decide; 0 if that is as long as usual.
func (h *Host) Patience(kind trammel.Kind) time.Duration {
	if h.Wiring == nil || kind != trammel.PreToolUse && kind != trammel.PermissionRequest || !h.Wires(kind) {
		return 0
	}
	return h.Facts().Patience
}

// LimitPowers is what remains of the powers of a kind for the name with which the
// host reported the event.
func (h *Host) LimitPowers(ev *trammel.Event, _ *trammel.Verdict, p trammel.Powers) trammel.Powers {
	if e := h.Event(ev.Name); e != nil && e.Kind == ev.Kind {
		p.Can &= e.Can
	}
	return p
}

// Exact finds the kind of an event as the host itself writes it.
func (h *Host) Exact(name string) (trammel.Kind, bool) {
	if e := h.Event(name); e != nil {
		return e.Kind, true
	}
	return trammel.Other, false
}

// Kind finds the kind of an event by its exact name, or by another spelling,
// which is allowed in wiring but not in a payload.
func (h *Host) Kind(name string) (trammel.Kind, bool) {
	if kind, ok := h.Exact(name); ok || name == "" {
		return kind, ok
	}
	kind, ok := trammel.ParseKindOf(h.System, name)
	if !ok {
		kind, ok = trammel.ParseKind(name)
	}
	if ok && h.EventName(kind) != "" {
		return kind, true
	}
	return trammel.Other, false
}

// EventName is the host's usual name of a kind, "" if it has no such event.
func (h *Host) EventName(kind trammel.Kind) string {
	for e := range h.of(kind) {
		return e.Name
	}
	return ""
}

// Has reports whether the host has an event of this kind.
func (h *Host) Has(kind trammel.Kind) bool { return h.EventName(kind) != "" }

// Nearest is the name under which programs for this host know an event of any
// host, or its nearest relative there. An event without one keeps a name.
func (h *Host) Nearest(ev *trammel.Event) string {
	for _, kind := range [...]trammel.Kind{ev.Kind, relative(ev.Kind)} {
		if name := h.EventName(kind); name != "" {
			return name
		}
	}
	if ev.Name != "" {
		return ev.Name
	}
	return ev.Kind.String()
}

// relative is the event of most hosts that happens at about the same moment.
func relative(kind trammel.Kind) trammel.Kind {
	switch kind {
	case trammel.ToolGuard, trammel.ToolInputTransform, trammel.PreAbilityCreate, trammel.PermissionRequest:
		return trammel.PreToolUse
	case trammel.ToolResponseTransform, trammel.PostToolFailure:
		return trammel.PostToolUse
	case trammel.UserSteeringSubmit, trammel.UserFollowupSubmit, trammel.UserPromptExpansion:
		return trammel.UserPromptSubmit
	case trammel.BeforeCompaction:
		return trammel.PreCompact
	}
	return kind
}

// Files are the host's Settings below a directory that a variable names instead
// of the usual one.
func (h *Host) Files() []string {
	var out []string
	for _, d := range h.Facts().Dirs {
		base := d.Below[strings.LastIndexByte(d.Below, '/')+1:] + "/"
		for _, tail := range h.Facts().Settings {
			if rest, ok := strings.CutPrefix(tail, base); ok && d.Variable == "" {
				out = append(out, strings.TrimSuffix(rest, "/**"))
			}
		}
	}
	return out
}

// DisablesHooks reports whether an option with its value, or a variable, makes the
// host run without hooks.
func (h *Host) DisablesHooks(name, value string) bool {
	return switched(h.Facts().Off.Hooks, name, value)
}

// ChangesSettings reports whether an option with its value, or a variable, makes the host
// read other settings.
func (h *Host) ChangesSettings(name, value string) bool {
	f := h.Facts()
	return switched(f.Off.Settings, name, value) || name != "" && slices.ContainsFunc(f.Dirs, func(d Dir) bool { return d.Variable == name })
}

// DisablesSafeguards reports whether an option with its value, or a variable, makes the host
// act without asking, leave its sandbox, or run code that it is given.
func (h *Host) DisablesSafeguards(name, value string) bool {
	return switched(h.Facts().Off.Approval, name, value) || switched(h.Facts().Off.Code, name, value)
}

func switched(list []string, name, value string) bool {
	return slices.ContainsFunc(list, func(s string) bool {
		option, needs, with := strings.Cut(s, " ")
		return option == name && (!with || needs == value)
	})
}

// KnownGaps describes the Gaps, and what starts the host unguarded.
func (h *Host) KnownGaps() []string {
	f := h.Facts()
	out := slices.Clone(f.Gaps)
	for _, off := range []struct {
		names []string
		means string
	}{{f.Off.Hooks, "it runs no hooks"}, {f.Off.Settings, "it reads other settings, with other hooks"},
		{f.Off.Approval, "it skips its own questions or its sandbox; hooks still run"},
		{f.Off.Code, "it runs code that these name"}} {
		if len(off.names) > 0 {
			out = append(out, "started with `"+strings.Join(off.names, "`, `")+"`, "+off.means)
		}
	}
	return out
}

// Wirable reports whether init can make the host call trammel-hook.
func (h *Host) Wirable() bool { return h.Wiring != nil }

// Wires reports whether an event of this kind reaches us: init wires it, or it
// exists in a host that init does not wire.
func (h *Host) Wires(kind trammel.Kind) bool {
	for e := range h.of(kind) {
		if e.Wire != NotWired || h.Wiring == nil {
			return true
		}
	}
	return false
}
