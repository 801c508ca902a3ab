package config

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/plan"
)

// compiler holds the state while a set is compiled.
type compiler struct {
	set   *layers.Set
	reg   Registry
	out   *Compiled
	errs  collector // errors in trusted files
	units []*unit
	decls []*declared

	mistakes []*collector // of each untrusted file: its errors
	places   map[place]*declared
	excepted map[*declared][]plan.Exception
	extended map[string]bool    // bundles whose hooks are declared
	locked   map[string]bool    // lines of lock files that are in use
	signers  map[place][]string // of each bundle: the keys that are asked for
}

// maxHooks limits the hooks of one file, so that compiling an untrusted file
// cannot take longer than a host waits.
const maxHooks = 2000

// unit is a file of the set that has been read.
type unit struct {
	*document
	file   *layers.File
	bundle string // the bundle that it belongs to
}

// trusted reports whether the file is trusted.
func (u *unit) trusted() bool { return u.file.Trust == layers.Trusted }

// declared is a hook as one file declares it.
type declared struct {
	*unit
	decl    *HookDecl
	form    *form
	hook    plan.Hook // Source is set, Config is as declared
	profile Profile
	ready   []byte // the prepared Config
	broken  bool
	preset  bool // it comes from a preset that the file names

	script string         // a repository hook's, as an absolute path
	speak  map[string]any // the options of its dialect
	with   map[string]any // the options of its recipe

	options  reflect.Value // the policy's options as read, for their positions
	replaced *declared     // the hook that replaces this one
	entry    Entry
}

// file reads a file and declares its hooks.
func (c *compiler) file(f *layers.File) {
	errs := &c.errs
	if f.Trust != layers.Trusted {
		errs = &collector{}
		c.mistakes = append(c.mistakes, errs)
	}
	u := &unit{file: f}
	if !f.IsRepositoryHook() {
		c.hooksFile(u, errs)
		return
	}
	c.decls = append(c.decls, c.repositoryFile(u, errs))
}

// forgiven notes the errors of untrusted files, whichever step found them.
func (c *compiler) forgiven() {
	for _, errs := range c.mistakes {
		for _, e := range errs.kept {
			if e.Message == missingVersion {
				c.note(CodeBroken, e.File, e.Line, "%s; until it is there, the hooks are read as version 1", e.Brief())
				continue
			}
			c.note(CodeBroken, e.File, e.Line, "not in force: %s", e.Brief())
		}
	}
}

// hooksFile reads a file in our own format.
func (c *compiler) hooksFile(u *unit, errs *collector) {
	if u.document = c.translated(u.file, errs); u.document == nil {
		u.document = read(u.file.Path, u.file.Data, errs)
	}
	c.units = append(c.units, u)
	c.trustDecl(u)
	c.declareAll(u)
	c.extend(u)
}

// declareAll declares the hooks of a file and of the preset that it names.
func (c *compiler) declareAll(u *unit) {
	if n := len(u.Hooks); n > maxHooks {
		u.source.fail(u.at(&u.Hooks[maxHooks]), "", "the file declares %d hooks, expected at most %d", n, maxHooks)
		u.Hooks = nil
	}
	c.preset(u)
	for i := range u.Hooks {
		c.decls = append(c.decls, c.declare(u, &u.Hooks[i]))
	}
}

func (c *compiler) note(code layers.Code, path string, line int, format string, args ...any) {
	c.out.Notes = append(c.out.Notes, layers.Note{Code: code, Path: path, Line: line, Text: fmt.Sprintf(format, args...)})
}

// declare turns a declaration into a hook. Errors are reported, and then the
// hook is broken.
func (c *compiler) declare(u *unit, h *HookDecl) *declared {
	before := u.errs.total
	d := newDeclared(u, h)
	d.broken = u.reader.broken[h]
	if d.form = u.formOf(h); d.form == nil || d.broken {
		d.broken = true
		return d
	}
	c.events(d)
	c.match(d)
	c.authority(d)
	c.doubt(d)
	c.conduct(d)
	return c.configured(d, before)
}

// configured configures a hook whose declaration has no errors. before is the
// number of errors before it was read.
func (c *compiler) configured(d *declared, before int) *declared {
	if d.errs.total == before {
		c.config(d)
	}
	d.broken = d.errs.total > before
	return d
}

func newDeclared(u *unit, h *HookDecl) *declared {
	at := u.at(&h.ID)
	if !u.has(&h.ID) {
		at = u.at(h)
	}
	at = u.source.original(at)
	d := &declared{unit: u, decl: h, profile: Standard, hook: plan.Hook{
		ID:     string(h.ID),
		Dir:    u.file.Dir,
		Source: trammel.Source{Layer: u.file.Layer.String(), File: u.file.Path, Line: at.Line, Untrusted: !u.trusted()},
	}}
	d.entry = Entry{ID: d.hook.ID, Declared: d.hook.ID, About: h.About, Source: d.hook.Source, untrusted: !u.trusted()}
	if u.bundle != "" && u.file.Layer == layers.Project {
		d.entry.bundled = u.file.Dir
	}
	return d
}

// events sets the kinds of events, and checks that the form can do something
// on each of them.
func (c *compiler) events(d *declared) {
	h := d.decl
	for _, e := range h.On {
		d.hook.On = append(d.hook.On, trammel.Kind(e))
	}
	if !d.has(&h.On) {
		if p, ok := c.reg.Policy(string(h.Use)); ok && len(p.On) > 0 {
			d.hook.On = p.On
		} else if d.form.kind != "builtin" || ok {
			at := d.at(h)
			at.Found = ""
			d.source.fail(at, "on: and one event or a list of them", "the hook does not say which events it is for")
		}
		return
	}
	if len(h.On) == 0 {
		d.source.fail(d.at(&h.On), "at least one event", "the hook does not say which events it is for")
	}
	for i := range h.On {
		c.capable(d, d.hook.On[i], d.at(&h.On[i]))
	}
}

// capable checks that an event supports what the form does. Otherwise every
// answer would be rejected at run time.
func (c *compiler) capable(d *declared, kind trammel.Kind, at mark) {
	needs := []trammel.Capabilities{d.form.needs}
	if r := d.decl.Rewrite; r != nil {
		needs = nil
		if d.has(&r.Input) {
			needs = append(needs, trammel.RewriteInput)
		}
		if d.has(&r.Output) {
			needs = append(needs, trammel.RewriteOutput)
		}
	}
	for _, need := range needs {
		if need != 0 && !kind.Can().Any(need) {
			d.source.fail(at, fmt.Sprintf("an event that can %s", strings.ReplaceAll(need.String(), ", ", " or ")),
				"%s has no effect on %s, which can: %s", d.form.key, kind, kind.Can())
		}
	}
}

// match sets the other conditions on an event.
func (c *compiler) match(d *declared) {
	d.reasons()
	m := d.decl.Match
	if m == nil {
		return
	}
	d.hook.Match = plan.Match{Tools: texts(m.Tool), Hosts: texts(m.Host), Agents: texts(m.Agent), Programs: texts(m.Program),
		Paths: texts(m.Path), To: texts(m.To), Projects: texts(m.Project)}
	for _, a := range m.Action {
		d.hook.Match.Actions = append(d.hook.Match.Actions, trammel.ActionKind(a))
	}
	for _, list := range []struct {
		p     any
		given int
		key   string
		tools bool
	}{
		{&m.Tool, len(m.Tool), "tool", true}, {&m.Action, len(m.Action), "action", true}, {&m.Program, len(m.Program), "program", true},
		{&m.Path, len(m.Path), "path", true}, {&m.To, len(m.To), "to", true}, {&m.Project, len(m.Project), "project", false},
		{&m.Host, len(m.Host), "host", false}, {&m.Agent, len(m.Agent), "agent", false},
	} {
		switch {
		case !d.has(list.p):
		case list.given == 0:
			d.source.fail(d.at(list.p), "at least one", "an empty list matches nothing")
		case list.tools && len(d.hook.On) > 0 && !anyAboutTools(d.hook.On):
			d.source.fail(d.at(list.p), "an event about a tool call, or no such key",
				"match.%s never matches: none of the hook's events is about a tool call", list.key)
		}
	}
	c.spelled(d)
}

// anyAboutTools reports whether one of the events has a tool call. A match that
// can never apply is an error, not a hook that never runs (AIC-26).
func anyAboutTools(kinds []trammel.Kind) bool {
	for _, k := range kinds {
		switch k {
		case trammel.PreToolUse, trammel.PostToolUse, trammel.PostToolFailure, trammel.ToolInputTransform, trammel.ToolGuard,
			trammel.ToolResponseTransform, trammel.PermissionRequest, trammel.PermissionDenied, trammel.ToolApprovalDecision,
			trammel.PreAbilityCreate:
			return true
		}
	}
	return false
}
