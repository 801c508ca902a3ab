package console_test

import (
	"testing"

	"github.com/trammel-dev/trammel/server/auth"
)

// UI-31: 100,000 events stay under 200 ms a page.
func BenchmarkPages(b *testing.B) {
	s := newSite(b, full)
	s.history(b, 100_000)
	al := s.as(b, "al", auth.Approver)
	for name, path := range map[string]string{"live": "/live", "live-words": "/live?q=release+force",
		"evidence": "/evidence?q=decision:deny", "sessions": "/sessions",
		"session": "/sessions/codex/s0", "hooks": "/hooks?since=24h", "trials": "/trials?since=24h"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if status, _ := al.get(path); status != 200 {
					b.Fatal(status)
				}
			}
		})
	}
}
