package config

import (
	"embed"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trammel-dev/trammel"
)

// presets are the sets of hooks to start from, in the format of any other
// configuration file, so that people can copy one and change it.
//
//go:embed presets/*.yaml
var presets embed.FS

var presetNames = []string{"careful", "standard", "strict", "observe"}

// Preset names a set of hooks to start from.
type Preset string

func (p *Preset) parse(text string) bool {
	*p = Preset(text)
	return slices.Contains(presetNames, text)
}
func (*Preset) wants() string              { return oneOf(presetNames) }
func (*Preset) schema() *jsonschema.Schema { return choice(presetNames...) }

// Presets lists the presets, the most lenient guarding one first.
func Presets() []string { return slices.Clone(presetNames) }

// PresetText is a preset as a configuration file.
func PresetText(name string) ([]byte, bool) {
	data, err := presets.ReadFile("presets/" + name + ".yaml")
	return data, err == nil
}

// preset declares the hooks of the preset that a file names, as if they were
// written in the file.
func (c *compiler) preset(u *unit) {
	data, ok := PresetText(string(u.Preset))
	if !ok {
		return
	}
	p := &unit{read(u.file.Path, data, u.errs), u.file, u.bundle}
	line := u.at(&u.Preset).Line
	for i := range p.Hooks {
		h := &p.Hooks[i]
		if u.declares(h) {
			continue
		}
		d := c.declare(p, h)
		d.preset = true
		d.hook.Source.Line, d.entry.Source.Line = line, line
		c.decls = append(c.decls, d)
	}
}

// declares reports whether the file itself has a hook that replaces one of its
// preset.
func (u *unit) declares(h *HookDecl) bool {
	return slices.ContainsFunc(u.Hooks, func(own HookDecl) bool { return own.ID == h.ID })
}

// above finds a hook of a preset in an earlier file that is exactly this one,
// and in force: running it once is enough.
func (c *compiler) above(d *declared) *declared {
	if !d.preset {
		return nil
	}
	plain := func(d *declared) any {
		h := d.hook
		h.Source, h.Dir = trammel.Source{}, ""
		return [2]any{h, d.profile}
	}
	for _, other := range c.decls {
		if other == d {
			return nil
		}
		if other.preset && other.trusted() && other.entry.Kept() && reflect.DeepEqual(plain(other), plain(d)) {
			return other
		}
	}
	return nil
}
