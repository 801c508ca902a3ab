package config

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/layers"
)

// place is the scope in which an id must be unique: one layer, and within a
// project one directory. Across layers and directories both hooks run, because
// their authors do not know each other's names.
type place struct {
	layer   layers.Layer
	dir, id string
	trusted bool
	bundle  string // bundles have their own scope
}

// duplicates refuses two hooks of one id in one place.
func (c *compiler) duplicates() {
	c.places = map[place]*declared{}
	for _, d := range c.decls {
		key := place{d.file.Layer, d.file.Dir, d.hook.ID, d.trusted(), d.bundle}
		old, taken := c.places[key]
		switch {
		case d.hook.ID == "":
		case !taken:
			c.places[key] = d
		case old.preset:
			old.replaced = d
			c.places[key] = d
		case d.preset:
			d.replaced = old
		default:
			d.broken = true
			d.source.fail(d.at(&d.decl.ID), "an id of its own", "hook %q is already declared at %s", d.hook.ID, old.hook.Source)
		}
	}
}

// layer decides which hooks are in force, and under which names.
func (c *compiler) layer() {
	off := c.disabled()
	for _, d := range c.decls {
		d.entry.Status, d.entry.Why = c.status(d, off)
	}
	taken := map[string]bool{}
	for _, trusted := range []bool{true, false} {
		for _, d := range c.decls {
			if d.trusted() == trusted && d.entry.Kept() {
				c.name(d, taken)
			}
		}
	}
	var kept []*declared
	for _, d := range c.decls {
		c.out.Report = append(c.out.Report, d.entry)
		if !d.entry.Kept() {
			c.withhold(d)
			continue
		}
		d.hook.Config, d.hook.Except = d.ready, c.excepted[d]
		kept = append(kept, d)
		if line := d.line(); line != "" {
			c.out.lines[d.hook.ID] = line
		}
		if d.starts() {
			c.out.starts[d.hook.ID] = entryPoints(d)
		}
		if d.starts() && d.file.Layer == layers.Project {
			c.out.entryPoints[d.file.Dir] = append(c.out.entryPoints[d.file.Dir], entryPoints(d)...)
		}
		if d.script != "" { // even if the recipe runs: the script wins once it is trusted
			c.out.entryPoints[d.file.Dir] = append(c.out.entryPoints[d.file.Dir], d.script)
		}
	}
	slices.SortStableFunc(kept, func(a, b *declared) int { return cmp.Compare(a.turn(), b.turn()) })
	for _, d := range kept {
		c.out.Hooks = append(c.out.Hooks, d.hook)
	}
}

// turn orders guards, because the first one that denies gives the reason:
// people's own come before those of a preset, and untrusted ones come last.
func (d *declared) turn() int {
	switch {
	case d.hook.May != trammel.Guard:
		return 0
	case !d.trusted():
		return 2
	case d.preset:
		return 1
	}
	return 0
}

// withhold adds the replacement for a guard that is not trusted, unless a
// trusted copy of it is in force.
func (c *compiler) withhold(d *declared) {
	if d.entry.Status != Untrusted || d.hook.May < trammel.Guard || c.copyOf(d) != nil ||
		d.hook.OnError == trammel.WarnOnError || d.hook.OnError == trammel.IgnoreOnError { // its failure would not block either
		return
	}
	h := d.hook
	h.Kind, h.Dialect, h.OnError, h.Trial, h.Yields = "rule", "", trammel.BlockOnError, false, false
	h.Source.Untrusted = false // its text is ours
	reason := fmt.Sprintf("The guard %s (%s) did not run, because it is not trusted yet. "+
		"A person should read it and run: trammel trust %s", h.ID,
		h.Source, d.file.Dir)
	h.Config, _ = canonical.Append(nil, map[string]any{"do": "deny", "reason": strings.ReplaceAll(reason, "${", "$${")})
	var err error
	if h.Config, err = c.reg.PrepareKind("rule", h.Config); err == nil { // nothing in it can be wrong
		c.out.Withheld = append(c.out.Withheld, h)
	}
}

func (c *compiler) status(d *declared, off map[*declared]string) (Status, string) {
	switch by, disabled := off[d]; {
	case d.broken:
		return Broken, "the declaration is wrong, and its file is not trusted"
	case d.replaced != nil:
		return Replaced, "replaced by " + d.replaced.hook.Source.String()
	case c.above(d) != nil:
		return Duplicate, "the same as " + c.above(d).hook.Source.String()
	case c.copied(d):
		return Duplicate, "the same as in the trusted copy"
	case !d.enabled():
		return NotEnabled, "the declaration says enabled: false"
	case d.entry.Repository != nil && c.out.HooksOff != "":
		return Disabled, "repository_hooks is false in " + c.out.HooksOff
	case !d.trusted() && !c.tightens(d):
		return Untrusted, "from an untrusted file, only rules that deny or ask and policies that guard run; to trust it, run: trammel trust " +
			d.file.Dir
	case !c.mayStart(d):
		return Untrusted, "it starts or calls something that is not trusted; read it, then run: trammel trust " + d.file.Dir
	case disabled:
		return Disabled, "disabled by " + by
	default:
		if effective := c.profile(d.file.Layer); effective < d.profile {
			return OffProfile, fmt.Sprintf("needs profile %s, but %s is in effect", d.profile, effective)
		}
		return InForce, ""
	}
}

// tightens reports whether a hook can only forbid, and runs only our code.
func (c *compiler) tightens(d *declared) bool {
	if d.form.kind == "builtin" {
		p, _ := c.reg.Policy(string(d.decl.Use))
		return p.May == trammel.Guard
	}
	return d.form.tightens
}

// copied reports whether a trusted file of the same directory declares exactly this.
func (c *compiler) copied(d *declared) bool {
	t := c.copyOf(d)
	if t == nil {
		return false
	}
	a, b := t.hook, d.hook
	a.Source, b.Source = trammel.Source{}, trammel.Source{}
	return reflect.DeepEqual(a, b) && t.profile == d.profile && t.enabled() == d.enabled()
}

// copyOf is the trusted hook of the same id that an untrusted one would replace.
func (c *compiler) copyOf(d *declared) *declared {
	if d.trusted() {
		return nil
	}
	return c.places[place{d.file.Layer, d.file.Dir, d.entry.Declared, true, d.bundle}]
}

func (d *declared) enabled() bool { return !d.has(&d.decl.Enabled) || d.decl.Enabled }

// refs are the declared hooks by the names that files use: id, or layer/id.
func (c *compiler) refs() map[string][]*declared {
	out := map[string][]*declared{}
	for _, d := range c.decls {
		for _, ref := range []string{d.hook.ID, d.file.Layer.String() + "/" + d.hook.ID} {
			out[ref] = append(out[ref], d)
		}
	}
	return out
}

// disabled finds the hooks that a file of the same or a higher layer switches off.
func (c *compiler) disabled() map[*declared]string {
	byRef := c.refs()
	off := map[*declared]string{}
	for _, u := range c.units {
		for i := range u.Disabled {
			ref, at := string(u.Disabled[i]), u.at(&u.Disabled[i])
			if !u.trusted() {
				c.note(CodeNotDisabled, u.file.Path, at.Line, "%q stays in force: this file is not trusted", ref)
				continue
			}
			named := byRef[ref]
			for _, d := range named {
				if d.file.Layer < u.file.Layer {
					c.note(CodeNotDisabled, u.file.Path, at.Line, "%q stays in force: a %s file cannot disable what the %s declares (%s)", ref,
						u.file.Layer, d.file.Layer, d.hook.Source)
				} else if why := d.fixed(); why != "" && d.file.Layer == u.file.Layer {
					c.note(CodeNotDisabled, u.file.Path, at.Line, "%q stays in force: %s", ref, why)
				} else if _, done := off[d]; !done {
					off[d] = fmt.Sprintf("%s:%d", u.file.Path, at.Line)
				}
			}
			if len(named) == 0 {
				c.note(CodeNoSuchHook, u.file.Path, at.Line, "%q is disabled, but no file declares it", ref)
			}
		}
	}
	return off
}

// profile is the one in effect for the hooks of a layer: the strictest that any
// file sets. If neither the layer nor one above it sets any, it is at least
// standard: a lower layer cannot switch off what it did not declare. An
// untrusted file can only raise it.
func (c *compiler) profile(layer layers.Layer) Profile {
	effective, own := Unset, false
	for _, u := range c.units {
		effective = max(effective, u.Profile)
		own = own || u.Profile != Unset && u.trusted() && u.file.Layer <= layer
	}
	if !own {
		return max(effective, Standard)
	}
	return effective
}

// name gives a hook the id that it declares, or another one if it is taken.
func (c *compiler) name(d *declared, taken map[string]bool) {
	id := d.hook.ID
	if taken[id] && c.copyOf(d) != nil {
		id += "@untrusted"
	} else if taken[id] {
		id = d.file.Layer.String() + "/" + id
	}
	for base, n := id, 2; taken[id]; n++ {
		id = fmt.Sprintf("%s#%d", base, n)
	}
	taken[id] = true
	if id != d.hook.ID {
		d.entry.Why = fmt.Sprintf("the id %q is taken", d.hook.ID)
		c.note(CodeRenamed, d.file.Path, d.hook.Source.Line, "hook %q runs as %q: its id is taken, and both are in force", d.hook.ID, id)
	}
	d.hook.ID, d.entry.ID = id, id
}
