package dialects

import (
	"bytes"
	"os"
	"path/filepath"
	"time"
)

// Guard says what happens to an event if trammel-hook fails.
type Guard uint8

// The guards.
const (
	// NotWired: init does not wire the event.
	NotWired Guard = iota
	// Open: the event continues. For events where a block would do harm or is
	// not possible.
	Open
	// Closed: it is blocked by exit code 2, with a reason.
	Closed
	// ClosedByExit is Closed for hosts that Trammel itself answers with exit
	// code 2: then the reason has already been given.
	ClosedByExit
	// ClosedByJSON is for hosts that can be denied only with JSON, which is in
	// Denial.
	ClosedByJSON
)

// Shell is what a host runs command lines with.
type Shell string

// The shells.
const (
	POSIX      Shell = ""
	PowerShell Shell = "powershell"
	CmdExe     Shell = "cmd"
)

// Deadline is how long a host waits for a hook, because the wiring sets it,
// unless the event says otherwise.
const Deadline = 30 * time.Second

// WaitFlag is the flag of trammel-hook with which the wiring says how long the
// host waits for the reply. If it is missing, the wiring is older or not ours,
// and the host's usual deadline counts.
const WaitFlag = "--wait"

// File is one file of a wiring.
type File struct {
	// User is its path below the host's directory, Project the one below the
	// project's; "" if the scope has none. A * in the last part stands for all
	// files that are there.
	User, Project string
	// Named: the file has our name, so it is removed when it is empty.
	Named bool
	// Only lists the events, by name, if not all that are wired; Except those
	// that are not in the file.
	Only, Except []string

	// Entry makes the entry of one event in a JSON file; Head is what the file
	// must have in addition to the hooks. Listed: the key hooks is one list,
	// and entries name their event themselves.
	Entry  func(c Call) Object
	Head   Object
	Listed bool

	// Text makes a whole file of ours. It need not begin with a line that says
	// so.
	Text func(calls []Call) []byte
	// Plugin is code that the host loads: it calls ask(host, event, payload),
	// which install puts before it.
	Plugin *string

	// Managed is the same file as an administrator deploys it, nil if there is none.
	Managed *Managed
}

// Unwired says what to do about a project that has rules, and whose own files do
// not tell the host to call trammel-hook; "" if they do, or none could.
func (h *Host) Unwired(project string) string {
	could := false
	for i := range h.Wiring {
		if file := h.Wiring[i].Project; file != "" {
			could = true
			if text, err := os.ReadFile(filepath.Join(project, file)); err == nil && bytes.Contains(text, []byte("trammel-hook")) {
				return ""
			}
		}
	}
	if !could {
		return ""
	}
	return "this project has rules, but does not wire " + h.System + ": they apply only to people who have wired it themselves; " +
		"trammel init --scope project " + h.System + " wires it for everybody"
}

// Managed is the file with which an administrator wires a host for all users.
type Managed struct {
	Linux, MacOS, Windows string // absolute paths
	// Lock is what else the file needs so that users cannot override the hooks.
	Lock Object
	// TOML: the file is TOML, and names the directory of the programs.
	TOML bool

	// Domain are the corresponding preferences of macOS: as they are or, if
	// Base64 is a key, with the file under it. Key and Value are those of the
	// registry.
	Domain, Base64 string
	Key, Value     string
}

// Path is the file on an operating system, by Go's name for that; "" if there
// is none.
func (m *Managed) Path(goos string) string {
	switch goos {
	case "linux":
		return m.Linux
	case "darwin":
		return m.MacOS
	case "windows":
		return m.Windows
	}
	return ""
}

// Servers is where a host's configuration names MCP servers.
type Servers struct {
	// User and Project are as in File.
	User, Project string
	// Home: the user's file is next to the host's directory, unless a variable
	// names that.
	Home bool
	// Key is the path of the object with the servers, with dots; a * stands for
	// every key.
	Key string
	// TOML: the file is TOML, and each server a table of its own.
	TOML bool
	// Strict: the host refuses unknown keys in it.
	Strict bool
}

// Call is an event as it is wired.
type Call struct {
	*Event
	Command string // the line that the host runs
	// OnWindows replaces Command there, in a file that machines share; "" if it
	// is the same.
	OnWindows string
	Timeout   time.Duration
	Windows   bool // the file is this machine's alone, which runs Windows
	// AtLeast reports whether the host is known to be of this version or a newer one.
	AtLeast func(version string) bool
}

// InBoth is one command for hosts that have only one place for it and run it
// with sh or, on Windows, with PowerShell. The backslash ends the string in
// PowerShell, which then runs its own line and a comment; for sh the string
// continues up to its own line.
func (c Call) InBoth() string {
	if c.OnWindows == "" {
		return c.Command
	}
	return `set x "\"; ` + c.OnWindows + `"; ` + c.Command
}

// Seconds is the timeout as most hosts write it.
func (c Call) Seconds() int { return int(c.Timeout / time.Second) }

// Object is a JSON object that keeps its order. Values are Object, List,
// string, int and bool.
type Object []Member

// Member is a member of an Object.
type Member struct {
	Name  string
	Value any
}

// List is a JSON list.
type List []any

// Grouped is an entry in the shape that most hosts copied from Claude Code:
// groups, each with its hooks. There is no matcher, so it is called for every
// tool.
func Grouped(command string, timeout int, more ...Member) Object {
	hook := Object{{"type", "command"}, {"command", command}, {"timeout", timeout}}
	return Object{{"hooks", List{append(hook, more...)}}}
}

// GroupedSeconds is Grouped, for any shell, with the timeout in seconds and nothing more.
func GroupedSeconds(c Call) Object { return Grouped(c.InBoth(), c.Seconds()) }

// Plain is an entry that is the hook itself, with the command under a key, and
// the one for Windows under another.
func Plain(c Call, key, windows, timeout string) Object {
	if c.Windows {
		key = windows
	}
	out := Object{{"type", "command"}, {key, c.Command}}
	if c.OnWindows != "" {
		out = append(out, Member{windows, c.OnWindows})
	}
	return append(out, Member{timeout, c.Seconds()})
}

// Transcripts is where a host writes down what it did.
type Transcripts struct {
	// Below is the directory, below that of the host's settings.
	Below string
	// Mine reports whether a file there, by its path below, is a session.
	Mine func(rel string) bool
	// Line reads one line of a session; false if it is malformed.
	Line func(line map[string]any) (Line, bool)
}

// Line is what a line of a transcript says.
type Line struct {
	Session, Dir, Version string // "" where the line does not say it
	Calls                 []ToolUse
}

// ToolUse is a tool call that the model made.
type ToolUse struct {
	ID, Tool string
	Time     time.Time
	Hooks    HookUse
}

// HookUse says whether a host calls hooks for a tool.
type HookUse uint8

const (
	// Hooked: under the id that the transcript has.
	Hooked HookUse = iota
	// Indirect: for what the tool does in turn, under other ids.
	Indirect
	// Unhooked: not at all. That is a gap of the host, not of the wiring.
	Unhooked
)
