package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
)

// Lower layers add and tighten; they never loosen what a higher one declares.
func TestLayering(t *testing.T) {
	const (
		denyA  = "hooks: [{id: a, on: stop, deny: x}]"
		strict = "hooks: [{id: s, on: stop, deny: x, profile: strict}]"
		least  = "hooks: [{id: m, on: stop, deny: x, profile: minimal}]"
	)
	for _, c := range []struct {
		name                   string
		machine, user, project string
		want                   string // "layer: id status" of every declared hook, then the codes of notes
	}{
		{"order", "hooks: [{id: m, on: stop, deny: x}]", "hooks: [{id: u, on: stop, deny: x}]",
			"hooks: [{id: p, on: stop, deny: x}, {id: q, on: stop, deny: x}]",
			"machine: m in force; user: u in force; project: p in force; project: q in force"},
		{"the same id in all layers", denyA, denyA, denyA,
			"machine: a in force; user: user/a in force; project: project/a in force; renamed renamed"},
		{"a renamed id that is taken too", "hooks: [{id: a, on: stop, deny: x}, {id: user/a, on: stop, deny: x}]", denyA, "",
			"machine: a in force; machine: user/a in force; user: user/a#2 in force; renamed"},
		{"disabled in its own layer", "disabled: [a]\n" + denyA, "", "", "machine: a disabled"},
		{"disabled from above", "disabled: [a, project/b]", denyA, "hooks: [{id: b, on: stop, deny: x}]",
			"user: a disabled; project: b disabled"},
		{"disabled from below", denyA, "disabled: [a]", "disabled: [a]", "machine: a in force; not_disabled not_disabled"},
		{"disabled only below", denyA, "disabled: [a]\n" + denyA, denyA,
			"machine: a in force; user: a disabled; project: a disabled; not_disabled"},
		{"disabled and unknown", "disabled: [nobody]", "", "", "; no_such_hook"},
		{"default profile", strict + "\n", denyA, least, "machine: s off profile; user: a in force; project: m in force"},
		{"any layer makes it stricter", strict, "", "profile: strict", "machine: s in force"},
		{"a layer lowers it for itself and below", "", "profile: minimal\n" + denyA, "hooks: [{id: p, on: stop, deny: x}]",
			"user: a off profile; project: p off profile"},
		{"a layer cannot lower it above", denyA, "", "profile: minimal\nhooks: [{id: p, on: stop, deny: x}]",
			"machine: a in force; project: p off profile"},
		{"minimal hooks always run", "profile: minimal\n" + least, "", "", "machine: m in force"},
		{"allow without effect", "", "hooks: [{id: a, on: pre_tool_use, allow: x}]", "", "user: a in force; no_grant"},
		{"allow that grants", "", "hooks: [{id: a, on: pre_tool_use, allow: x, may: grant}]", "", "user: a in force"},
	} {
		t.Run(c.name, func(t *testing.T) {
			set := &layers.Set{}
			for i, text := range []string{c.machine, c.user, c.project} {
				if text != "" {
					set.Files = append(set.Files, file(layers.Layer(i), "version: 1\n"+text))
				}
			}
			compiled, err := Compile(set, testRegistry)
			if err != nil {
				t.Fatal(err)
			}
			if got := outcome(compiled); got != c.want {
				t.Errorf("found    %s\nexpected %s", got, c.want)
			}
		})
	}
}

// outcome is what became of every declared hook, and the codes of the notes.
func outcome(c *Compiled) string {
	var hooks, codes []string
	kept := 0
	for _, e := range c.Report {
		hooks = append(hooks, fmt.Sprintf("%s: %s %s", e.Source.Layer, e.ID, e.Status))
		if e.Kept() {
			if c.Hooks[kept].ID != e.ID {
				return fmt.Sprintf("report and hooks differ: %s, %s", e.ID, c.Hooks[kept].ID)
			}
			kept++
		}
	}
	if kept != len(c.Hooks) {
		return "there are hooks that are not in the report"
	}
	for _, n := range c.Notes {
		codes = append(codes, string(n.Code))
	}
	s := strings.Join(hooks, "; ")
	if len(codes) > 0 {
		s += "; " + strings.Join(codes, " ")
	}
	return s
}

func TestDirectoriesOfAProjectHaveTheirOwnNames(t *testing.T) {
	const a = "version: 1\nhooks: [{id: a, on: stop, deny: x}]"
	inner, outer, beside := file(layers.Project, a), file(layers.Project, a), file(layers.Project, a)
	inner.Dir, inner.Path = "/project/sub", "/project/sub/trammel.yaml"
	beside.Path = "/project/hooks.d/x.yaml"
	c, err := Compile(&layers.Set{Files: []layers.File{inner, outer}}, testRegistry)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := outcome(c), "project: a in force; project: project/a in force; renamed"; got != want {
		t.Errorf("found %s, expected %s", got, want)
	}
	if why := c.Report[1].Why; why != `the id "a" is taken` {
		t.Errorf("why it is renamed: %q", why)
	}
	_, err = Compile(&layers.Set{Files: []layers.File{outer, beside}}, testRegistry)
	if err == nil || !strings.Contains(err.Error(), "/project/hooks.d/x.yaml:2:14: hook \"a\" is already declared at "+
		"/project/trammel.yaml:2") {
		t.Errorf("found %v", err)
	}
}

func TestProjectCannotGrant(t *testing.T) {
	for _, hook := range []string{
		"{id: a, on: pre_tool_use, allow: x, may: grant}",
		"{id: a, on: pre_tool_use, run: x, may: grant}",
		"{id: a, use: guard, may: grant}",
	} {
		set := &layers.Set{Files: []layers.File{file(layers.Project, "version: 1\nhooks: ["+hook+"]")}}
		if _, err := Compile(set, testRegistry); err == nil || !strings.Contains(err.Error(), "a project cannot grant") {
			t.Errorf("%s: found %v", hook, err)
		}
	}
}

func TestSettings(t *testing.T) {
	set := &layers.Set{Files: []layers.File{
		file(layers.Machine, "version: 1\nevidence: {fsync: always}"),
		file(layers.User, "version: 1\ndeadline: 7s\nevidence: {fsync: never, payload: full}"),
		file(layers.Project, "version: 1\ndeadline: 9s\nlimits: {payload: 2MiB}\nevidence: {segment: 1MiB}"),
	}}
	untrusted := file(layers.Project, "version: 1\nlimits: {payload: 1KiB}\nevidence: {payload: none, on_error: warn}")
	untrusted.Trust = layers.Unknown
	set.Files = append(set.Files, untrusted)
	c, err := Compile(set, testRegistry)
	if err != nil {
		t.Fatal(err)
	}
	const want = "{Deadline:7s MaxPayload:2097152 Evidence:{Payload:full Fsync:always Segment:1048576 OnError:block} Flow:{Environment:true " +
		"Profile: Disabled:} Approvals: AskPeople:false MCP: Past:}"
	if got := fmt.Sprintf("%+v", c.Settings); got != want {
		t.Errorf("found %s, expected %s", got, want)
	}
	if got, want := outcome(c), "; setting_unused setting_unused setting_unused setting_unused setting_unused"; got != want {
		t.Errorf("found %s, expected %s", got, want)
	}
}

// The highest layer that says so decides whether repository hooks run.
func TestRepositoryHooksOff(t *testing.T) {
	for _, c := range []struct{ user, project, want string }{
		{"", "", ""}, {"repository_hooks: false", "", "/user/trammel.yaml:2"}, {"repository_hooks: true", "repository_hooks: false", ""},
		{"", "repository_hooks: false", "/project/trammel.yaml:2"}, {"repository_hooks: false", "repository_hooks: true", "/user/trammel.yaml:2"},
	} {
		compiled, err := Compile(&layers.Set{Files: []layers.File{file(layers.User, "version: 1\n"+c.user),
			file(layers.Project, "version: 1\n"+c.project)}}, testRegistry)
		if err != nil || compiled.HooksOff != c.want {
			t.Errorf("%q, %q: %v, %+v", c.user, c.project, err, compiled)
		}
	}
}

// MCP-36: of each setting of a server the highest layer that has it wins, and an
// untrusted file has no say.
func TestMCPSettings(t *testing.T) {
	untrusted := file(layers.Project, "version: 1\nmcp: {servers: {a: {elicitation: allow, elicit: true}, b: {sampling: allow}}}")
	untrusted.Trust = layers.Unknown
	c, err := Compile(&layers.Set{Files: []layers.File{
		file(layers.Machine, "version: 1\nmcp: {servers: {a: {pins: strict, max_message: 1MiB}}}"),
		file(layers.User, "version: 1\nmcp: {servers: {a: {pins: observe, sampling: allow}, '*': {calls_per_minute: 60, elicit: true}}}"),
		untrusted,
	}}, testRegistry)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"*":{"calls_per_minute":60,"elicit":true},"a":{"max_message":1048576,"pins":"strict","sampling":"allow"},"b":{}}`
	if c.Settings.MCP != want {
		t.Errorf("found %s, expected %s", c.Settings.MCP, want)
	}
}

// FLOW-42: what a machine says of the surface of Flow Agents holds against all
// below it, an empty list as well, and an untrusted file has no say.
func TestFlowSettings(t *testing.T) {
	machine := file(layers.Machine, "version: 1\nflow: {environment: false, disabled: []}")
	user := file(layers.User, "version: 1\nflow: {environment: true, disabled: [config-protection], profile: strict}")
	project := file(layers.Project, "version: 1\nflow: {profile: minimal, disabled: [quality-gate, stop-goal-fit]}")
	untrusted := project
	untrusted.Trust = layers.Unknown
	for want, files := range map[string][]layers.File{
		"{Environment:true Profile: Disabled:}":                                  {untrusted},
		"{Environment:true Profile:minimal Disabled:quality-gate,stop-goal-fit}": {project},
		"{Environment:true Profile:strict Disabled:config-protection}":           {user, project},
		"{Environment:false Profile:strict Disabled:}":                           {machine, user, project},
	} {
		c, err := Compile(&layers.Set{Files: files}, testRegistry)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%+v", c.Settings.Flow); got != want {
			t.Errorf("found %s, expected %s", got, want)
		}
	}
	for _, wrong := range []string{"{profile: loud}", "{environment: maybe}", "{disable: [x]}"} {
		if _, err := Compile(&layers.Set{Files: []layers.File{file(layers.User, "version: 1\nflow: "+wrong)}}, testRegistry); err == nil {
			t.Errorf("%s was taken", wrong)
		}
	}
}

// A file that only lacks its version keeps its hooks, and the note does not say
// that they are not in force.
func TestUntrustedWithoutVersion(t *testing.T) {
	f := file(layers.Project, "hooks: [{id: h, on: stop, deny: x}]")
	f.Trust = layers.Unknown
	compiled, err := Compile(&layers.Set{Files: []layers.File{f}}, testRegistry)
	if err != nil || outcome(compiled) != "project: h in force; broken" {
		t.Fatalf("%v, %s", err, outcome(compiled))
	}
	text := compiled.Notes[0].Text
	if strings.Contains(text, "not in force") || !strings.Contains(text, "the version of the format is missing") {
		t.Error(text)
	}
}

// An untrusted file can only forbid, and cannot break what others declare.
func TestUntrusted(t *testing.T) {
	for _, c := range []struct{ name, hook, want string }{
		{"deny", "{id: h, on: stop, deny: x}", "project: h in force"},
		{"ask", "{id: h, on: pre_tool_use, ask: x}", "project: h in force"},
		{"policy that guards", "{id: h, use: guard}", "project: h in force"},
		{"policy that observes", "{id: h, use: observer}", "project: h untrusted"},
		{"policy that rewrites", "{id: h, use: rewriter}", "project: h untrusted"},
		{"allow", "{id: h, on: pre_tool_use, allow: x}", "project: h untrusted; no_grant"},
		{"context", "{id: h, on: stop, context: x}", "project: h untrusted"},
		{"rewrite", "{id: h, on: pre_tool_use, rewrite: {input: {a: b}}}", "project: h untrusted"},
		{"run", "{id: h, on: stop, run: x}", "project: h untrusted"},
		{"exec", "{id: h, on: stop, exec: [x]}", "project: h untrusted"},
		{"grant", "{id: h, use: guard, may: grant}", "project: h broken; broken"},
		{"broken", "{id: h, on: nonsense, deny: x}", "project: h broken; broken"},
		{"broken beside a sound one", "{id: h, on: stop, deny: x}, {id: i, on: stop, deny: WRONG}",
			"project: h in force; project: i broken; broken"},
		{"twice", "{id: h, on: stop, deny: x}, {id: h, on: stop, deny: y}", "project: h in force; project: h broken; broken"},
		{"the user's id", "{id: u, on: stop, deny: x}", "project: project/u in force; renamed"},
		{"not YAML", "{", "; broken"},
		{"an exception", "{id: h, on: stop, deny: x}]\nexceptions: [{hook: u, match: {project: /p}, until: 2026-12-31, reason: x}",
			"project: h in force; broken"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := file(layers.Project, "version: 1\nhooks: ["+c.hook+"]")
			f.Trust = layers.Unknown
			user := file(layers.User, "version: 1\nhooks: [{id: u, on: stop, deny: x}]")
			compiled, err := Compile(&layers.Set{Files: []layers.File{user, f}}, testRegistry)
			if err != nil {
				t.Fatal(err)
			}
			want := "user: u in force; " + c.want
			if got := outcome(compiled); got != strings.ReplaceAll(want, "; ; ", "; ") {
				t.Errorf("found    %s\nexpected %s", got, want)
			}
		})
	}
}

// A guard that is not trusted is replaced by a denial that says so, unless its
// own failure would not block, or a trusted copy of it is in force.
func TestWithheld(t *testing.T) {
	const trusted = "{id: h, on: pre_tool_use, run: x}"
	for _, c := range []struct {
		hook, copy string
		want       int
	}{
		{"{id: h, on: pre_tool_use, run: y}", "", 1}, {"{id: h, on: pre_tool_use, run: y, on_error: block}", "", 1},
		{"{id: h, on: pre_tool_use, run: y, on_error: warn}", "", 0}, {"{id: h, on: pre_tool_use, run: y, on_error: ignore}", "", 0},
		{"{id: h, on: pre_tool_use, run: y, may: context}", "", 0}, {"{id: h, on: pre_tool_use, deny: y}", "", 0},
		{"{id: h, on: pre_tool_use, run: y}", trusted, 0}, {"{id: i, on: pre_tool_use, run: y}", trusted, 1},
	} {
		f := file(layers.Project, "version: 1\nhooks: ["+c.hook+"]")
		f.Trust = layers.Unknown
		set := &layers.Set{Files: []layers.File{f}}
		if c.copy != "" {
			set.Files = []layers.File{file(layers.Project, "version: 1\nhooks: ["+c.copy+"]"), f}
		}
		compiled, err := Compile(set, testRegistry)
		if err != nil || len(compiled.Withheld) != c.want {
			t.Errorf("%s beside %q: %v, %+v, expected %d", c.hook, c.copy, err, compiled, c.want)
		}
	}
}

// A preset that two files name counts once, and a person's own guards come
// before it.
func TestPresets(t *testing.T) {
	const preset = "version: 1\npreset: standard\n"
	beside := file(layers.User, preset)
	beside.Path = "/user/hooks.d/x.yaml"
	set := &layers.Set{Files: []layers.File{file(layers.User, preset+"hooks: [{id: mine, on: pre_tool_use, deny: x}]"), beside,
		file(layers.Project, preset)}}
	c, err := Compile(set, registry(all()))
	if err != nil {
		t.Fatal(err)
	}
	var guards []string
	for _, h := range c.Hooks {
		if h.May == trammel.Guard && slices.Contains(h.On, trammel.PreToolUse) {
			guards = append(guards, h.ID)
		}
	}
	if len(guards) < 3 || guards[0] != "mine" || strings.Contains(fmt.Sprint(guards), "/") {
		t.Errorf("found %s", guards)
	}
}

func TestUntrustedFileHasNoSayBesideItsHooks(t *testing.T) {
	user := file(layers.User, "version: 1\nprofile: standard\nhooks: [{id: u, on: stop, deny: x}]")
	trusted := file(layers.Project, "version: 1\nhooks: [{id: p, on: stop, deny: x}]")
	f := file(layers.Project, "version: 1\nprofile: minimal\ndisabled: [u, p]\ndeadline: 1s")
	f.Path, f.Trust = "/project/hooks.d/x.yaml", layers.Unknown
	c, err := Compile(&layers.Set{Files: []layers.File{user, trusted, f}}, testRegistry)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := outcome(c), "user: u in force; project: p in force; setting_unused not_disabled not_disabled"; got != want {
		t.Errorf("found %s, expected %s", got, want)
	}
}
