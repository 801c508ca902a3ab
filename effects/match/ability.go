package match

import (
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/trammel-dev/trammel"
)

// Abilities holds for calls of an ability that one of the globs matches.
func Abilities(globs []string) trammel.Condition { return abilities(globs) }

type abilities []string

func (a abilities) Holds(ev *trammel.Event) bool { return CallsAny(ev, a) }

func (a abilities) String() string { return "ability is " + strings.Join(a, " or ") }

// CallsAny reports whether a call goes by a name that one of the globs matches.
func CallsAny(ev *trammel.Event, globs []string) bool {
	return ev.Tool != nil && (globbed(globs, ev.Tool.Name) || generalName(ev, globs) != "")
}

// AbilityName is the name of a call that the globs match: the tool's own if
// they match that or nothing, else the general one.
func AbilityName(ev *trammel.Event, globs []string) string {
	if !globbed(globs, ev.Tool.Name) {
		if name := generalName(ev, globs); name != "" {
			return name
		}
	}
	return ev.Tool.Name
}

// OwnNames is a host whose tools are abilities, with names of their own.
const OwnNames = "repohooks"

// generalName finds a glob that means what a call of an agent's host does,
// whatever the host calls its tool: edit_file is Edit, Write, apply_patch. A
// host whose tools are abilities has no need of it.
func generalName(ev *trammel.Event, globs []string) string {
	if ev.Host == OwnNames {
		return ""
	}
	a := &ev.Tool.Action
	for _, kind := range append([]trammel.ActionKind{a.Kind}, a.Also...) {
		for _, name := range generalNames(kind) {
			if globbed(globs, name) {
				return name
			}
		}
	}
	if a.Server != "" {
		if name := "mcp." + a.Server + "." + a.Tool; globbed(globs, name) {
			return name
		}
	}
	return ""
}

// generalNames are what an action is called as an ability. Whatever changes a
// file edits it: a scope that guards edit_file must not be bypassed by writing
// the whole file, or deleting it.
func generalNames(kind trammel.ActionKind) []string {
	switch kind {
	case trammel.ShellAction:
		return []string{"run_command"}
	case trammel.WriteAction:
		return []string{"write_file", "edit_file"}
	case trammel.EditAction:
		return []string{"edit_file"}
	case trammel.DeleteAction:
		return []string{"delete_file", "edit_file"}
	case trammel.ReadAction:
		return []string{"read_file"}
	case trammel.FetchAction:
		return []string{"fetch_url"}
	case trammel.SearchAction:
		return []string{"search_files"}
	case trammel.AgentAction:
		return []string{"run_agent"}
	}
	return nil
}

// globbed matches a whole name. A slash is a character like any other.
func globbed(globs []string, name string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool {
		return glob == "*" || glob == name || strings.ContainsAny(glob, "*?[{") &&
			doublestar.MatchUnvalidated(strings.ReplaceAll(glob, "/", "\x01"), strings.ReplaceAll(name, "/", "\x01"))
	})
}

// Slower holds for calls that took at least so long. One whose host tells no
// duration took none.
func Slower(least time.Duration) trammel.Condition { return slower(least) }

type slower time.Duration

func (s slower) Holds(ev *trammel.Event) bool {
	return ev.Tool != nil && ev.Tool.Duration >= time.Duration(s)
}

func (s slower) String() string { return "the call took at least " + time.Duration(s).String() }
