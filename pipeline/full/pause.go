package full

import (
	"fmt"

	"github.com/trammel-dev/trammel/pipeline"
)

// paused returns the pause that a person has signed, if one is active.
func (p *Program) paused(c *pipeline.Config) *pipeline.Pausing {
	d, err := p.Desk(&c.Plan.Settings)
	if err != nil {
		return nil
	}
	s, err := d.Reader()
	if err != nil {
		return nil
	}
	pause, err := s.Paused(p.Dirs.State)
	if err != nil {
		return nil
	}
	return &pipeline.Pausing{Until: pause.Until(), Who: fmt.Sprintf("%s: %s", pause.By, pause.Reason)}
}
