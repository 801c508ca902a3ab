package config

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
)

// TEAM-27: who can make exceptions, for whom, and how long they may last.
func TestExceptions(t *testing.T) {
	reg := append(testRegistry, trammel.Policy{Name: "self-protection", On: []trammel.Kind{trammel.PreToolUse}, May: trammel.Guard})
	day := func(n int) string { return time.Now().UTC().AddDate(0, 0, n).Format(time.DateOnly) }
	const hook, own, approve = "hooks: [{id: h, on: pre_tool_use, deny: no}]", "hooks: [{id: h, use: self-protection}]",
		"hooks: [{id: h, on: pre_tool_use, approve: please}]"
	except := func(until string) string {
		return "exceptions: [{hook: h, match: {project: /p}, until: " + until + ", reason: migration}]"
	}
	for _, c := range []struct {
		name                   string
		machine, user, project string
		want                   string // how many exceptions each hook has, and the codes of notes; or part of an error
	}{
		{"in the own layer", "", hook + "\n" + except(day(5)), "", "h 1"},
		{"for a lower layer", except(day(5)), hook, "", "h 1"},
		{"for a project", "", except(day(5)), hook, "h 1"},
		{"for a higher layer", hook, except(day(5)), "", "h 0; not_excepted"},
		{"only for the lower one", hook, except(day(5)), hook, "h 0 project/h 1; not_excepted renamed"},
		{"for self-protection", own + "\n" + except(day(5)), "", "", "h 0; not_excepted"},
		{"for an approval", "", approve + "\n" + except(day(5)), "", "h 0; not_excepted"},
		{"for nobody", "", except(day(5)), "", "; no_such_hook"},
		{"in a project", "", hook, except(day(5)), "a project cannot make exceptions"},
		{"of a project for itself", "", "", hook + "\n" + except(day(5)), "a project cannot make exceptions"},
		{"the last day", "", hook + "\n" + except(day(89)), "", "h 1"},
		{"too long", "", hook + "\n" + except(day(91)), "", "the exception would last 9"},
		{"expired", "", hook + "\n" + except(day(-1)), "", "h 1; expired"},
		{"a point in time", "", hook + "\n" + except(time.Now().Add(time.Hour).Format(time.RFC3339)), "", "h 1"},
		{"no day", "", hook + "\n" + except("soon"), "", "a day such as"},
		{"without an end", "", hook + "\nexceptions: [{hook: h, match: {project: /p}, reason: x}]", "", "until"},
		{"without a reason", "", hook + "\nexceptions: [{hook: h, match: {project: /p}, until: " + day(5) + "}]", "", "reason"},
		{"an empty reason", "", hook + "\nexceptions: [{hook: h, match: {project: /p}, reason: ' ', until: " + day(5) + "}]", "", "reason"},
		{"without a match", "", hook + "\nexceptions: [{hook: h, until: " + day(5) + ", reason: x}]", "", "match"},
		{"for a command", "", hook + "\nexceptions: [{hook: h, match: {project: /p}, command: ls, until: " + day(5) + ", reason: x}]", "", "h 1"},
		{"for no command", "", hook + "\nexceptions: [{hook: h, match: {project: /p}, command: [], until: " + day(5) + ", reason: x}]", "",
			"command"},
		{"for a program", "", hook + "\nexceptions: [{hook: h, match: {program: ls}, until: " + day(5) + ", reason: x}]", "", "h 1"},
		{"for a command and a program", "", hook + "\nexceptions: [{hook: h, match: {program: ls}, command: ls, until: " + day(5) +
			", reason: x}]", "", "a command line already says what it does"},
		{"for arguments", "", hook + "\nexceptions: [{hook: h, match: {tool: mcp__a__b}, arguments: '{\"b\": 1, \"a\": 2}', until: " + day(5) +
			", reason: x}]", "", "h 1"},
		{"for no arguments", "", hook + "\nexceptions: [{hook: h, match: {tool: mcp__a__b}, arguments: [], until: " + day(5) + ", reason: x}]",
			"", "at least one set of arguments"},
		{"for arguments of any tool", "", hook + "\nexceptions: [{hook: h, match: {project: /p}, arguments: '{}', until: " + day(5) +
			", reason: x}]", "", "together with their tool"},
		{"for arguments and hosts", "", hook + "\nexceptions: [{hook: h, match: {tool: x, to: a.example}, arguments: '{}', until: " + day(5) +
			", reason: x}]", "", "together with their tool"},
		{"for arguments that are none", "", hook + "\nexceptions: [{hook: h, match: {tool: x}, arguments: '[]', until: " + day(5) +
			", reason: x}]", "", "an object in JSON"},
		{"for everything", "", hook + "\nexceptions: [{hook: h, match: {}, until: " + day(5) + ", reason: x}]", "", "apply to every call"},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := &layers.Set{}
			for i, text := range []string{c.machine, c.user, c.project} {
				if text != "" {
					set.Files = append(set.Files, file(layers.Layer(i), "version: 1\n"+text))
				}
			}
			compiled, err := Compile(set, reg)
			if err != nil {
				if !strings.Contains(err.Error(), c.want) {
					t.Errorf("found %v, expected %s", err, c.want)
				}
				return
			}
			var hooks, codes []string
			for _, h := range compiled.Hooks {
				hooks = append(hooks, fmt.Sprint(h.ID, " ", len(h.Except)))
			}
			for _, n := range compiled.Notes {
				codes = append(codes, string(n.Code))
			}
			got := strings.Join(hooks, " ")
			if len(codes) > 0 {
				got += "; " + strings.Join(codes, " ")
			}
			if got != c.want {
				t.Errorf("found %s, expected %s", got, c.want)
			}
		})
	}
	untrusted := file(layers.Project, "version: 1\n"+hook+"\n"+except(day(5)))
	untrusted.Trust = layers.Unknown
	compiled, err := Compile(&layers.Set{Files: []layers.File{untrusted}}, reg)
	if err != nil || len(compiled.Hooks) != 1 || len(compiled.Hooks[0].Except) != 0 {
		t.Errorf("an untrusted project: %v", err)
	}
	found, err := Lint(&layers.Set{Files: []layers.File{file(layers.User, "version: 1\n"+hook+"\n"+except(day(-1)))}}, reg)
	if err != nil || !strings.Contains(fmt.Sprintf("%+v", found), "exception-expired") {
		t.Errorf("lint found %+v %v", found, err)
	}
}
