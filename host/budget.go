package host

import (
	"context"
	"time"

	"github.com/trammel-dev/trammel/plan"
)

// budget is what the hooks get of the time that is left: all of it but a
// tenth, which is kept to record and to reply; less if the settings say so.
func (p *Program) budget(ctx context.Context, s *plan.Settings) time.Duration {
	budget := s.Deadline
	if end, ok := ctx.Deadline(); ok {
		left := time.Until(end)
		left -= min(left/10, 500*time.Millisecond)
		if budget == 0 || left < budget {
			budget = max(left, time.Millisecond)
		}
	}
	return budget
}
