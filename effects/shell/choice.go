package shell

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/trammel-dev/trammel/effects/model"
)

// choice enumerates the meanings of a command whose variables may have several
// values. A variable has one value throughout each of them, and a substitution is
// interpreted only once.
type choice struct {
	outer   *choice
	ways    int
	picks   []pick
	outputs map[*syntax.CmdSubst]stream
	pipes   map[*syntax.ProcSubst]string
}

type pick struct {
	name  string
	of, i int
}

// each calls expand once for each combination, at most maxWays times.
func (d *deriver) each(expand func()) {
	c := d.choosing()
	for expand(); d.next(c); {
		expand()
	}
	d.chosen(c)
}

// choosing starts the enumeration. The caller examines each combination before
// c.next; chosen ends it.
func (d *deriver) choosing() *choice {
	c := d.spare
	if c == nil {
		c = &choice{}
	}
	d.spare = nil
	c.outer, c.ways = d.choice, 1
	d.choice = c
	return c
}

func (d *deriver) chosen(c *choice) {
	d.choice = c.outer
	*c = choice{picks: c.picks[:0]}
	d.spare = c
}

// next advances to the next combination, if there is one.
func (d *deriver) next(c *choice) bool {
	for n := len(c.picks) - 1; n >= 0; n-- {
		if c.picks[n].i++; c.picks[n].i < c.picks[n].of {
			if c.ways++; c.ways > maxWays {
				d.doubt("size", "more ways to expand a command than are looked at", -1)
				return false
			}
			return true
		}
		c.picks = c.picks[:n]
	}
	return false
}

func (c *choice) pick(name string, of int) int {
	for i := range c.picks {
		if c.picks[i].name == name {
			return min(c.picks[i].i, of-1)
		}
	}
	c.picks = append(c.picks, pick{name: name, of: of})
	return 0
}

// choose picks one of several values of a variable. Outside of an enumeration the
// variable is unknown.
func (d *deriver) choose(name string, v value) value {
	of := 1 + len(v.or)
	if v.open {
		of++
	}
	if of == 1 {
		return v
	}
	if d.choice == nil {
		return value{set: true, network: v.network, uses: v.uses}
	}
	i := d.choice.pick(name, of)
	switch {
	case i == 0:
	case i <= len(v.or):
		v.text = v.or[i-1]
	default:
		return value{set: true, uses: v.uses}
	}
	v.or, v.open = nil, false
	return v
}

// place returns the working directory, or one of several possible ones.
func (d *deriver) place(st *state) model.Path {
	switch {
	case len(st.dirs) == 0:
		return st.dir
	case d.choice == nil:
		return model.Path{Text: st.dir.Text}
	}
	if i := d.choice.pick("PWD", 1+len(st.dirs)); i > 0 {
		return st.dirs[i-1]
	}
	return st.dir
}

func (c *choice) seen(p *syntax.CmdSubst) (stream, bool) {
	if c == nil {
		return stream{}, false
	}
	s, ok := c.outputs[p]
	return s, ok
}

func (c *choice) remember(p *syntax.CmdSubst, s stream) {
	if c != nil {
		put(&c.outputs, p, s)
	}
}

func (c *choice) pipe(p *syntax.ProcSubst) (string, bool) {
	if c == nil {
		return "", false
	}
	name, ok := c.pipes[p]
	return name, ok
}

func (c *choice) rememberPipe(p *syntax.ProcSubst, name string) {
	if c != nil {
		put(&c.pipes, p, name)
	}
}

// put sets an entry of a map, which may be nil.
func put[K comparable, V any](m *map[K]V, key K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = v
}
