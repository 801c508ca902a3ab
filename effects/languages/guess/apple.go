package guess

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/host"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
)

// AppleWays lists what an AppleScript does as if programs did it: it reads the
// clipboard, asks for a password, adds a login item, types and clicks, becomes
// root.
func AppleWays(h host.Host, text string) {
	lower := strings.ToLower(text)
	if strings.Contains(lower, "default answer") && strings.Contains(lower, "password") {
		lower += " hidden answer"
	}
	for _, way := range [...]struct{ sign, program, argument string }{
		{"the clipboard", "pbpaste", ""}, {"hidden answer", "ssh-askpass", ""}, {"login item", "sfltool", "add-item"},
		{"administrator privileges", "sudo", "true"}, {"key code", "cliclick", "kp"}, {"to restart", "shutdown", "-r"},
		{"to shut down", "shutdown", "-h"}, {"to log out", "shutdown", "-h"}, {"output muted true", "cliclick", "mute"},
	} {
		if strings.Contains(lower, way.sign) && !strings.Contains(lower, "set "+way.sign) {
			h.Start([]model.Word{{Text: way.program, Known: true}, {Text: way.argument, Known: true}}, host.Start{})
		}
	}
}

// LibraryFile lists the file of the user's Library that a text in a script names, if it
// holds secrets.
func LibraryFile(h host.Host, name string) {
	if strings.ContainsAny(name, " /:") || !strings.Contains(name, ".") {
		return
	}
	if p := h.Resolve(model.Word{Text: h.Home() + "/Library/" + name, Known: true}); (&paths.Ground{}).Secret(p) {
		h.File(model.File{Op: model.Read, Code: true, Path: p})
	}
}
