package install

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/version"
)

// The message for the model when trammel-hook did not answer. In a project's
// settings the program may be missing altogether. The texts are part of command
// lines for all shells: no quotes, dollars, percent signs or brackets.
const (
	noAnswer   = "Trammel did not answer, so this call is blocked. Run: trammel doctor"
	howInstall = "Install it with: " + version.Install
	noHook     = "This project is guarded by Trammel, and trammel-hook did not answer, so this call is blocked. " + howInstall +
		" or, if it is installed, run: trammel doctor"
	unguarded = "This project is guarded by Trammel, which is not installed here, so this was not checked. " + howInstall
)

// Missing says what happens to an event if a project's settings call
// trammel-hook and it is not installed.
type Missing string

// The values of Missing. Events that cannot be blocked continue with a warning
// either way.
const (
	MissingBlocks Missing = "block"
	MissingWarns  Missing = "warn"
)

// Check refuses other values. "" is the default.
func (m Missing) Check() error {
	if m != "" && m != MissingBlocks && m != MissingWarns {
		return fmt.Errorf("missing is %q, expected %s or %s", m, MissingBlocks, MissingWarns)
	}
	return nil
}

// program is the program that the wiring starts, and the arguments before the
// host's name. A user's settings have absolute paths, so that no variable can
// remove the guard or its rules. A project's settings are the same on every
// machine: the program is found by its name, and the directories depend on the
// account.
func (s *site) program() []string {
	if s.Scope == Project {
		return []string{"trammel-hook"}
	}
	argv := []string{s.Hook}
	if s.UserConfig != "" {
		argv = append(argv, layers.UserFlag, s.UserConfig, layers.StateFlag, s.State)
	}
	return argv
}

// lines are the command line for an event and, if machines share the file and
// the host uses another shell on Windows, the one for Windows.
func (s *site) lines(e *dialects.Event) (command, onWindows string) {
	shell := s.host.Facts().Windows
	switch {
	case s.Scope == Project && shell != dialects.POSIX:
		return s.line(e, dialects.POSIX), s.line(e, shell)
	case s.Scope == Project || s.GOOS != "windows":
		shell = dialects.POSIX
	}
	return s.line(e, shell), ""
}

// line is the command line for an event in one shell. It ends in the marker.
func (s *site) line(e *dialects.Event, shell dialects.Shell) string {
	argv := s.program()
	if wait := s.host.Patience(e.Kind); wait > 0 {
		argv = append(argv, fmt.Sprintf("%s=%ds", dialects.WaitFlag, wait/time.Second))
	}
	if s.GOOS == "windows" && shell == dialects.POSIX {
		for i := range argv {
			argv[i] = strings.ReplaceAll(argv[i], `\`, "/")
		}
	}
	c := call{argv: argv, rest: " " + s.host.System + " " + e.Name, guard: e.Wire, why: noAnswer}
	if s.Scope == Project {
		c.why, c.skips = noHook, e.Wire == dialects.Open || s.Missing == MissingWarns
	}
	c.denial = strings.Replace(s.host.Facts().Denial, "%s", c.why, 1)
	switch shell {
	case dialects.PowerShell:
		return c.powershell()
	case dialects.CmdExe:
		return c.cmdexe()
	}
	return c.posix()
}

// call is what a command line is made of.
type call struct {
	argv   []string
	rest   string // the host and the event
	guard  dialects.Guard
	why    string // the reason if there was no answer
	denial string // the reason as JSON, for hosts that read it even if the exit code already blocks; "" for others
	skips  bool   // the event continues, with a warning, if the program is not installed
}

func (c *call) posix() string {
	begin, end := " || { ", ""
	if c.skips { // 127: not found
		begin = ` || { s=$?; [ $s -ne 127 ] || { echo "` + unguarded + `" >&2; exit 0; }; `
	}
	switch c.guard {
	case dialects.Open:
		if end = begin + "exit $s; }"; !c.skips {
			end = ""
		}
	case dialects.ClosedByExit:
		status := "$?"
		if c.skips {
			status = "$s"
		}
		end = begin + `[ ` + status + ` -eq 2 ] || echo "` + c.why + `" >&2; exit 2; }`
	case dialects.ClosedByJSON:
		end = begin + `echo '` + c.denial + `'; exit 0; }`
	default:
		end = begin + c.first("echo '", "'; ") + `echo "` + c.why + `" >&2; exit 2; }`
	}
	return each(c.argv, quote) + c.rest + end + " # " + Marker
}

func (c *call) powershell() string {
	begin := "& "
	if c.skips {
		begin = "if (-not (Get-Command " + c.argv[0] + " -ErrorAction SilentlyContinue)) { [Console]::Error.WriteLine('" + unguarded +
			"'); exit 0 }; & "
	}
	return begin + each(c.argv, func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }) + c.rest +
		either(c.guard, "; exit $LASTEXITCODE", "; if ($LASTEXITCODE -ne 0) { '"+c.denial+"' }; exit 0",
			"; if ($LASTEXITCODE -ne 0) { "+c.first("'", "'; ")+"[Console]::Error.WriteLine('"+c.why+"'); exit 2 }") + " # " + Marker
}

func (c *call) cmdexe() string {
	begin := ""
	if c.skips {
		begin = "where " + c.argv[0] + " >nul 2>nul || (echo " + unguarded + " 1>&2 & exit 0) & "
	}
	return begin + each(c.argv, func(s string) string { return `"` + s + `"` }) + c.rest +
		either(c.guard, "", " || (echo "+c.denial+" & exit 0)", " || ("+c.first("echo ",
			" & ")+"echo "+c.why+" 1>&2 & exit 2)") + " & rem " + Marker
}

// first is the denial as JSON between two pieces of shell, if the host reads one.
func (c *call) first(before, after string) string {
	if c.denial == "" {
		return ""
	}
	return before + c.denial + after
}

// either is what a shell does after the call, depending on the kind of guard.
func either(g dialects.Guard, open, byJSON, byExit string) string {
	switch g {
	case dialects.Open:
		return open
	case dialects.ClosedByJSON:
		return byJSON
	}
	return byExit
}

// each is all words, quoted; flags and the bare name of the program need no quotes.
func each(argv []string, quote func(string) string) string {
	words := make([]string, len(argv))
	for i, word := range argv {
		if words[i] = word; !strings.HasPrefix(word, "--") && (i > 0 || strings.ContainsAny(word, `/\`)) {
			words[i] = quote(word)
		}
	}
	return strings.Join(words, " ")
}

var quoter = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`")

// quote puts a word into double quotes for sh.
func quote(s string) string { return `"` + quoter.Replace(s) + `"` }

// check refuses a path that cannot be in a command line, or that would make the
// wiring depend on the host's working directory.
func (o *Options) check() error {
	for _, dir := range []string{o.Hook, o.UserConfig} {
		switch {
		case dir == "" && dir != o.Hook:
		case !filepath.IsAbs(dir):
			return fmt.Errorf("the wiring would name %q, expected an absolute path", dir)
		case strings.ContainsAny(dir, "\x00\r\n"):
			return fmt.Errorf("the wiring would name %q, expected a path without line breaks", dir)
		case strings.Contains(dir, Marker):
			return fmt.Errorf("the wiring would name %q, which contains %q, the mark of our entries", dir, Marker)
		}
	}
	return executable(o.Hook)
}

// executable says why a program cannot be started, nil if it can.
func executable(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("trammel-hook: %w", err)
	}
	if m := info.Mode(); !m.IsRegular() || runtime.GOOS != "windows" && m.Perm()&0o111 == 0 {
		return fmt.Errorf("trammel-hook: %s has mode %s, expected an executable file", path, m)
	}
	return nil
}
