package pipeline

import (
	"time"

	"github.com/trammel-dev/trammel/plan"
)

// budget is what the hooks get of the time until the deadline: all of it but a
// tenth, which is kept to record and to reply; less if the settings say so.
// Without a deadline only the settings count.
func budget(deadline time.Time, s *plan.Settings) time.Duration {
	b := s.Deadline
	if !deadline.IsZero() {
		left := time.Until(deadline)
		left -= min(left/10, 500*time.Millisecond)
		if b == 0 || left < b {
			b = max(left, time.Millisecond)
		}
	}
	return b
}
