package command

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
)

// environ is the environment of the program. The hosts' variables, such as API
// keys, are not passed on unless the declaration names them.
func (h *handler) environ(ev *trammel.Event) []string {
	var env []string
	for _, pair := range os.Environ() {
		if name, _, ok := strings.Cut(pair, "="); ok && h.passes(name) {
			env = append(env, pair)
		}
	}
	env = append(env, h.dialect.Environ(ev)...)
	for name, value := range h.Env {
		env = append(env, name+"="+expand(value))
	}
	var tool, action, path, command string
	if t := ev.Tool; t != nil {
		tool, action, command = t.Name, t.Action.Kind.String(), t.Action.Command
		if len(t.Action.Paths) > 0 {
			path = t.Action.Paths[0]
		}
		if h.match != nil { // the matched effect is what the hook is about
			if target, ok := h.match.Target(ev); ok {
				path, command = cmp.Or(target.Path, path), cmp.Or(target.Command, command)
			}
		}
	}
	// Of two variables with the same name the last counts, so these cannot be replaced.
	return append(env,
		"TRAMMEL_EVENT="+ev.Kind.String(),
		"TRAMMEL_HOST="+ev.Host,
		"TRAMMEL_SESSION="+ev.Session.ID,
		"TRAMMEL_TOOL="+tool,
		"TRAMMEL_ACTION="+action,
		"TRAMMEL_PATH="+path,
		"TRAMMEL_COMMAND="+command,
		"TRAMMEL_PROJECT="+ev.Session.Project,
	)
}

func (h *handler) passes(name string) bool {
	return harmless(name) || slices.Contains(h.Pass, name) || slices.Contains(h.Pass, "*")
}

// expand replaces each ${env.NAME}. Nothing else is special, so that a value
// can contain any character.
func expand(value string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(value, "${env.")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, rest, _ := strings.Cut(after, "}")
		b.WriteString(os.Getenv(name))
		value = rest
	}
}

func checkExpansion(value string) error {
	for {
		_, after, found := strings.Cut(value, "${env.")
		if !found {
			return nil
		}
		name, rest, closed := strings.Cut(after, "}")
		if !closed || !validName(name) {
			return fmt.Errorf("found %q, expected ${env.NAME}", "${env."+after)
		}
		value = rest
	}
}
