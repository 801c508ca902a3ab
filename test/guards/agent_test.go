package guards

import "testing"

// A coding agent's day, on three systems, is judged as it was written down before
// it was first run.
func TestAgentCalls(t *testing.T) {
	t.Setenv("RAILS_ENV", "")
	judged(t, "agent")
}
