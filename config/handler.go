package config

import (
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/handlers/rule"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/layers"
)

// config sets the handler's part of a declaration, and has its kind check it.
func (c *compiler) config(d *declared) {
	before := d.errs.total
	var parts map[string]any
	var at mark
	switch d.form.kind {
	case "rule":
		parts, at = d.rule()
	case "approval":
		d.hook.Kind = d.form.kind // completed when the settings are known
		return
	case "builtin":
		parts, at = c.builtin(d)
	case "command":
		parts, at = d.command()
	case "http":
		parts, at = d.http()
	case "model":
		parts, at = d.model()
	case "pack":
		parts, at = d.pack()
	}
	if d.errs.total > before {
		return
	}
	d.hook.Kind = d.form.kind
	d.hook.Dialect = string(d.decl.Dialect)
	var err error
	if d.hook.Config, err = canonical.Append(nil, parts); err != nil {
		d.source.fail(at, "", "%v", err)
		return
	}
	whole := d.hook.Config
	if pinned := c.pins(d); len(pinned) > 0 {
		parts["pinned"] = pinned
		whole, _ = canonical.Append(nil, parts) // it was written a moment ago
	}
	if d.ready, err = c.reg.PrepareKind(d.form.kind, whole); err != nil {
		d.refused(at, err)
	}
}

// refused reports why a kind of handler refuses a declaration, as precisely as
// possible.
func (d *declared) refused(at mark, err error) {
	var part *PartError
	if !errors.As(err, &part) {
		d.source.fail(at, "", "%v", err)
		return
	}
	if m, ok := d.partMark(part.Part); ok {
		at = m
	}
	if part.Line > 0 {
		at = d.inside(at, part.Line, part.Column)
	}
	d.source.fail(at, part.Expected, "%s", part.Error())
}

// partMark is the position of a part of a declaration: in the form, or next to it.
func (d *declared) partMark(name string) (mark, bool) {
	name, key, nested := strings.Cut(name, ".")
	if name == "with" && d.options.IsValid() {
		return d.optionMark(key)
	}
	form := reflect.ValueOf(d.decl).Elem()
	places := []reflect.Value{form}
	if v := form.FieldByIndex(fieldsOf(form.Type()).byName[d.form.key].Index); v.Kind() == reflect.Pointer {
		places = append(places, v.Elem())
	}
	for _, v := range slices.Backward(places) {
		f, ok := fieldsOf(v.Type()).byName[name]
		if !ok {
			continue
		}
		p := v.FieldByIndex(f.Index).Addr().Interface()
		if m, ok := d.entries[entry{p, key}]; nested && ok {
			return m, true
		}
		if d.has(p) {
			return d.at(p), true
		}
	}
	return mark{}, false
}

// rule describes what a rule does, and where its first expression is.
func (d *declared) rule() (map[string]any, mark) {
	h := d.decl
	do := d.form.key
	if h.Approve != nil {
		do = "ask"
	}
	parts := map[string]any{"do": do}
	spec := d.hook.Match.Spec()
	if m := rule.MatchJSON(&spec); m != nil {
		parts["match"] = m
	}
	if d.has(&h.Unknown) {
		parts["unknown"] = string(h.Unknown)
	} else if !spec.Doubt && (h.Deny != nil || h.Ask != nil || h.Approve != nil) {
		parts["unknown"] = "allow" // what has already happened is not blocked
	}
	var when *Expr
	switch {
	case h.Deny != nil, h.Ask != nil, h.Allow != nil:
		r := h.Deny
		if r == nil {
			r = h.Ask
		}
		if r == nil {
			r = h.Allow
		}
		when = &r.When
		put(parts, "reason", string(r.Reason))
	case h.Approve != nil:
		when = &h.Approve.When
		put(parts, "reason", string(h.Approve.Reason))
	case h.Context != nil:
		when = &h.Context.When
		put(parts, "text", string(h.Context.Text))
	case h.Rewrite != nil:
		when = &h.Rewrite.When
		d.rewrite(parts)
	}
	if d.has(when) && d.has(&h.When) {
		d.source.fail(d.at(&h.When), "when in only one of the two places", "the hook has two conditions, one inside %s", d.form.key)
	}
	if !d.has(when) {
		when = &h.When
	}
	put(parts, "when", string(*when))
	if h.After != nil {
		put(parts, "after", h.After.condition())
		if parts["after"] == nil {
			d.source.fail(d.at(&h.After), "reads, takes_in, adds, writes or fetches", "after names nothing")
		}
	}
	if d.has(when) {
		return parts, d.at(when)
	}
	return parts, d.formMark()
}

func (d *declared) rewrite(parts map[string]any) {
	r := d.decl.Rewrite
	if len(r.Input) == 0 && !d.has(&r.Output) {
		d.source.fail(d.formMark(), "input or output", "the rewrite does not say what it changes")
	}
	if len(r.Input) > 0 {
		input := make(map[string]string, len(r.Input))
		for name, e := range r.Input {
			input[name] = string(e)
		}
		parts["input"] = input
	}
	put(parts, "output", string(r.Output))
	put(parts, "reason", string(r.Reason))
}

// builtin checks the policy's name and options.
func (c *compiler) builtin(d *declared) (map[string]any, mark) {
	h := d.decl
	at := d.at(&h.Use)
	parts := map[string]any{"use": string(h.Use)}
	p, ok := c.reg.Policy(string(h.Use))
	if !ok {
		var known []string
		for _, p := range c.reg.Policies() {
			known = append(known, p.Name)
		}
		d.source.fail(at, "one of "+strings.Join(known, ", "), "unknown policy%s", didYouMean(string(h.Use), known))
		return nil, at
	}
	if d.hook.May >= trammel.Guard && !d.blockable() {
		d.source.fail(at, "an event that can block", "the policy %s is a guard, but none of the hook's events can be blocked", p.Name)
	}
	if d.with != nil {
		parts["with"] = d.with
	}
	if h.With == nil {
		return parts, at
	}
	if p.Options == nil {
		if given, _ := d.value(h.With.node).(map[string]any); len(given) > 0 {
			d.source.fail(d.at(&h.With), "no options", "the policy %s takes no options", p.Name)
		}
		return parts, at
	}
	d.options = reflect.New(indirect(reflect.TypeOf(p.Options))).Elem()
	d.reader.options = true
	d.into(h.With.node, d.options)
	d.reader.options = false
	parts["with"] = d.value(h.With.node)
	return parts, d.at(&h.With)
}

func indirect(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// command describes what is started.
func (d *declared) command() (map[string]any, mark) {
	h := d.decl
	parts := map[string]any{}
	put(parts, "run", h.shellLine())
	if h.Check != "" {
		parts["check"] = true
	}
	if d.has(&h.Exec) {
		if len(h.Exec) == 0 {
			d.source.fail(d.at(&h.Exec), "a program and its arguments", "the list is empty")
		}
		parts["exec"] = texts(h.Exec)
	}
	put(parts, "dialect", string(h.Dialect))
	if h.Strict {
		d.speak = map[string]any{"strict_output": true}
	}
	if d.speak != nil {
		parts["speak"] = d.speak
	}
	put(parts, "dir", string(h.Dir))
	if len(h.Env) > 0 {
		env := make(map[string]string, len(h.Env))
		for name, value := range h.Env {
			env[string(name)] = value
		}
		parts["env"] = env
	}
	if len(h.Pass) > 0 {
		parts["pass"] = texts(h.Pass)
	}
	if h.MaxOutput > 0 {
		parts["max_output"] = int64(h.MaxOutput)
	}
	return parts, d.formMark()
}

// pins are the digests that the programs of a project's hook must have. A
// program that is not part of the trust gets Absent: it was added later.
func (c *compiler) pins(d *declared) map[string]string {
	if !d.starts() || d.file.Layer != layers.Project || !d.trusted() {
		return nil
	}
	pinned := map[string]string{}
	for _, path := range entryPoints(d) {
		if pinned[path] = c.set.Pins[path]; pinned[path] == "" {
			pinned[path] = Absent
		}
	}
	return pinned
}

// formMark is the position of the form's value.
func (d *declared) formMark() mark {
	v := reflect.ValueOf(d.decl).Elem()
	return d.at(v.FieldByIndex(fieldsOf(v.Type()).byName[d.form.key].Index).Addr().Interface())
}

func put(parts map[string]any, key, value string) {
	if value != "" {
		parts[key] = value
	}
}
