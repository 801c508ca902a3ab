package dockeragent

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Configure returns the dialect for one hook (DA-60): with strict_output,
// everything that would otherwise be ignored is a failure.
func (d *dialect) Configure(_ string, options []byte) (trammel.HookDialect, error) {
	if options == nil {
		return d, nil
	}
	f, err := strict.Read(options)
	if err != nil {
		return nil, err
	}
	own := *d
	own.strict = f.Bool("strict_output")
	return &own, f.Done()
}
