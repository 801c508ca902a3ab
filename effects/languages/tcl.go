package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/recipes"
)

var tcl = Language{name: "tcl", read: tclScript}

// tclScript finds what Tcl and expect run. The rest of it is beyond us, which
// a doubt says.
func tclScript(h Host, _ *Language, text string) {
	opaque(h, "tcl", text)
	if recipes.Controlled(text) {
		served(h)
	}
	for rest, first := text, true; rest != ""; first = false {
		if !first {
			at := strings.IndexAny(rest, "\n;[{")
			if at < 0 {
				return
			}
			rest = rest[at+1:]
		}
		for _, name := range [...]string{"exec ", "spawn ", "system "} {
			if command, ok := strings.CutPrefix(strings.TrimLeft(rest, " \t"), name); ok {
				if end := strings.IndexAny(command, "\n;]}"); end >= 0 {
					command = command[:end]
				}
				h.Shell(command, nil)
			}
		}
	}
}
