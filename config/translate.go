package config

import (
	"reflect"
	"strings"

	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// translator is implemented by registries that can read files of other systems.
type translator interface {
	// Translate converts such a file to our own format, and maps each line to
	// its source; grant is whether its hooks may approve calls. ok is false for
	// a file of our own.
	Translate(path string, data []byte, grant bool) (text []byte, from []int, wrong []*yamldoc.Problem, ok bool)
}

// translated reads a file of another system, or returns nil.
func (c *compiler) translated(f *layers.File, errs *collector) *document {
	known, _ := c.reg.(translator)
	if known == nil {
		return nil
	}
	text, from, wrong, ok := known.Translate(f.Path, f.Data, f.Layer != layers.Project)
	if !ok {
		return nil
	}
	d := &document{reader: newReader(f.Path, errs)}
	if len(wrong) > 0 {
		d.source.lines = strings.Split(string(yamldoc.Clean(f.Data)), "\n")
		for _, p := range wrong {
			d.source.fail(p.Mark, p.Expected, "%s", p.Message)
		}
		return d
	}
	if root := d.surveyed(text); root != nil {
		d.source.lines, d.source.from = strings.Split(string(yamldoc.Clean(f.Data)), "\n"), from
		d.into(root, reflect.ValueOf(&d.File).Elem())
	}
	return d
}
