// Package vscode is the dialect of the agent hooks of Visual Studio Code, as a
// host.
//
// Nothing here was verified by running it: it is written from the documentation
// of a preview, and so are the payloads in testdata. These are Claude Code's
// with other names for tools. Matchers in the configuration are ignored, so
// every hook gets every tool. Only what is documented is declared. Events other
// than tool calls are blocked by exit code 2, which works on every host that
// was measured.
package vscode

import (
	_ "embed"

	"github.com/trammel-dev/trammel/dialects"
)

//go:embed host.txt
var about string

// Host is what is known about VS Code, by its documentation. The directory in
// the payload is the one of the workspace. It reads other hosts' files: a
// user's and a project's Claude Code settings, and .github/hooks. Only the last
// can have a file of our own.
var Host = dialects.Host{System: "vscode", About: &about, Tools: tools,
	Servers: []dialects.Servers{{Project: ".vscode/mcp.json", Key: "servers"}},
	Wiring: []dialects.File{{Project: ".github/hooks/trammel-vscode.json", Named: true, Entry: entry,
		Head: dialects.Object{{Name: "version", Value: 1}}}},
}

func entry(c dialects.Call) dialects.Object {
	return dialects.Plain(c, "command", "windows", "timeout")
}
