package hosts

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// Sandboxed reports whether deno runs without permissions to read, write, start or
// send anything.
func Sandboxed(r *model.Run) bool {
	if r.Program != "deno" || len(r.Args) < 2 || r.Args[0].Text != "run" {
		return false
	}
	for _, w := range r.Args[1:] {
		switch name, _, _ := strings.Cut(w.Text, "="); {
		case !w.Known:
			return false
		case !strings.HasPrefix(name, "-"):
			return true // what follows is the program's
		case name != "-q" && name != "--quiet" && name != "-r" && name != "--reload" && name != "--no-prompt" && name != "--no-check":
			return false
		}
	}
	return false
}

// Deno reports whether a host is one from which deno loads code by default.
func Deno(host string) bool { return host == "deno.land" || host == "jsr.io" }
