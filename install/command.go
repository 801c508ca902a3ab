package install

import (
	"fmt"
	"path/filepath"
	"strings"
)

// noAnswer is what the model is told when trammel-hook did not answer.
const noAnswer = "Trammel did not answer, so this call is blocked. Run: trammel doctor"

// guard says what the command does when trammel-hook does not end well.
type guard uint8

const (
	// open: nothing. For events where a block would do harm or is not possible.
	open guard = iota
	// closed: block by exit code 2, with a reason.
	closed
	// closedByExit is closed for hosts to which Trammel itself says no by exit
	// code 2: then the reason has been given already.
	closedByExit
	// closedByJSON is for docker-agent, which under --yolo takes only a
	// decision in JSON for a no.
	closedByJSON
)

// shell is what a host runs commands with.
type shell uint8

const (
	posix shell = iota
	powershell
	cmdexe
)

// command is the line that a host runs for an event. The program's path is
// absolute, so that a changed PATH cannot take the guard away, and the line
// ends in the marker.
func (s shell) command(hook, host, event string, g guard) string {
	switch s {
	case powershell:
		call := "& '" + strings.ReplaceAll(hook, "'", "''") + "' " + host + " " + event
		switch g {
		case open:
			return call + "; exit $LASTEXITCODE # " + Marker
		case closedByJSON:
			return call + "; if ($LASTEXITCODE -ne 0) { '" + denyJSON + "' }; exit 0 # " + Marker
		}
		return call + "; if ($LASTEXITCODE -ne 0) { [Console]::Error.WriteLine('" + noAnswer + "'); exit 2 } # " + Marker
	case cmdexe:
		call := `"` + hook + `" ` + host + " " + event
		switch g {
		case open:
			return call + " & rem " + Marker
		case closedByJSON:
			return call + " || (echo " + denyJSON + " & exit 0) & rem " + Marker
		}
		return call + " || (echo " + noAnswer + " 1>&2 & exit 2) & rem " + Marker
	}
	call := quote(hook) + " " + host + " " + event
	switch g {
	case open:
		return call + " # " + Marker
	case closedByExit:
		return call + ` || { [ $? -eq 2 ] || echo "` + noAnswer + `" >&2; exit 2; } # ` + Marker
	case closedByJSON:
		return call + ` || { echo '` + denyJSON + `'; exit 0; } # ` + Marker
	}
	return call + ` || { echo "` + noAnswer + `" >&2; exit 2; } # ` + Marker
}

const denyJSON = `{"hook_specific_output":{"hook_event_name":"pre_tool_use","permission_decision":"deny","permission_decision_reason":"` +
	noAnswer + `"}}`

var quoter = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`")

// quote puts a word into double quotes for sh.
func quote(s string) string { return `"` + quoter.Replace(s) + `"` }

// checkHook refuses a path that no command line can hold, or that would make
// the wiring depend on where the host was started.
func checkHook(hook string) error {
	switch {
	case !filepath.IsAbs(hook):
		return fmt.Errorf("trammel-hook is %q, expected an absolute path", hook)
	case strings.ContainsAny(hook, "\x00\r\n"):
		return fmt.Errorf("trammel-hook is %q, expected a path without line breaks", hook)
	case strings.Contains(hook, Marker):
		return fmt.Errorf("trammel-hook is %q, which contains %q, the mark of our entries", hook, Marker)
	}
	return executable(hook)
}
