package state

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel"
)

// Session is the session that an event belongs to. Where a host names none, it
// is what runs in the same directory.
func Session(ev *trammel.Event) string {
	if ev.Session.ID != "" {
		return ev.Session.ID
	}
	return "dir:" + ev.Session.Place()
}

// Agent is the agent, as exactly as the host tells.
func Agent(ev *trammel.Event) string {
	return cmp.Or(ev.Session.AgentID, ev.Session.Agent)
}

// Connector is the service that a tool belongs to: its MCP server, or what
// stands before __ in its name. "" is a tool of the host itself.
func Connector(ev *trammel.Event) string {
	if ev.Tool == nil {
		return ""
	}
	if s := ev.Tool.Action.Server; s != "" {
		return s
	}
	if name, _, ok := strings.Cut(ev.Tool.Name, "__"); ok {
		return name
	}
	return ""
}

// fact is the name under which a policy notes what it has counted.
const fact = "counted"

// Counted reports whether this event has been counted under a mark. Guards are
// asked again when one of them has rewritten the call, and it stays one call.
func Counted(ev *trammel.Event, mark string) bool {
	for _, facts := range ev.Facts {
		if facts[fact] == mark {
			return true
		}
	}
	return false
}

// Note is the fact that an event has been counted under a mark.
func Note(mark string) map[string]any { return map[string]any{fact: mark} }

// projectKey is a name for a project in the state directory.
func projectKey(project string) string {
	sum := sha256.Sum256([]byte(project))
	return hex.EncodeToString(sum[:8])
}

// ProjectFile is where a file of a project belongs: as given, with ~ for the
// home directory and relative to the project, or in a folder of the state
// directory under the project's name if nothing is given.
func ProjectFile(dirs trammel.Dirs, ev *trammel.Event, given, folder, name string) (string, error) {
	switch {
	case given == "" && dirs.State == "":
		return "", errors.New("no path is given, and there is no state directory")
	case given == "":
		return filepath.Join(dirs.State, folder, projectKey(ev.Session.Place()), name), nil
	case strings.HasPrefix(given, "~/"):
		home, err := os.UserHomeDir()
		return filepath.Join(home, given[2:]), err
	case filepath.IsAbs(given):
		return given, nil
	case ev.Session.Place() == "":
		return "", fmt.Errorf("%s is relative to the project, and the host does not say where that is", given)
	}
	return filepath.Join(ev.Session.Place(), given), nil
}
