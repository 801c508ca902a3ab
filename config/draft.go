package config

import (
	"github.com/trammel-dev/trammel/internal/layers"
)

// Draft returns the set as if the project's files were trusted as they are. It
// starts no program and calls no service that the trusted files do not: a person
// who tests a project's rules has not agreed to run its code.
func Draft(set *layers.Set, reg Registry) (*layers.Set, error) {
	now, err := compile(set, reg)
	if err != nil {
		return nil, err
	}
	out := set.Trusting()
	out.Starts = map[string]bool{}
	for _, d := range now.decls {
		if d.trusted() && d.entry.Kept() && d.line() != "" {
			out.Starts[d.identity()] = true
		}
	}
	return out, nil
}

// mayStart reports whether a hook may start or call what it names.
func (c *compiler) mayStart(d *declared) bool {
	return c.set.Starts == nil || d.file.Layer != layers.Project || d.broken || d.line() == "" || c.set.Starts[d.identity()]
}

// identity is equal for two hooks that start the same thing.
func (d *declared) identity() string {
	return d.file.Dir + "\n" + d.entry.Declared + "\n" + string(d.ready)
}
