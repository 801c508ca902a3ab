package console_test

import (
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/server/auth"
)

// benchPaths are all pages, and what is slow about them: a session in full, the
// end of a list.
var benchPaths = append(slices.Clone(paths), "/sessions?q=project:**/api+since:7d", "/sessions?q=decision:deny",
	"/sessions/codex/large", "/sessions/codex/large?all=1", "/evidence?before=5000", "/live?q=release+force",
	"/hooks?since=30d", "/trials?since=30d", "/inbox?q=is:mine")

// benchFilters have each key of the filter language, as it is common and as it
// finds nothing.
var benchFilters = []string{"host:codex", "machine:m1", "event:pre_tool_use", "session:s1900", "agent:reviewer", "user:bo",
	"project:**/api", "tool:B*", "action:shell", "path:**/*.env", "path:~env$", "url:https://**", "server:x", "hook:tidy",
	"hook:nobody", "phase:guard", "decision:deny", "is:trial", "is:gap", "code:timeout", "finding:x", "reason:~force",
	"took:>900ms", "config:c1", "id:ev_000077", "since:1h", "until:1h", "release", "nothinglikethis", "-hook:tidy",
	"tool:Bash decision:deny since:2h -hook:nobody"}

// UI-31: 100,000 events stay under 200 ms a page.
func BenchmarkPages(b *testing.B) {
	s := newSite(b, full)
	s.history(b, 100_000)
	s.large(b, 2000)
	s.ask(b, release)
	al := s.as(b, "al", auth.Approver)
	bench := func(path string) {
		b.Run(path, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				begin := time.Now()
				if status, _ := al.get(path); status != 200 {
					b.Fatal(status)
				}
				took = append(took, time.Since(begin))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[0].Microseconds())/1000, "best-ms")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
	for _, path := range benchPaths {
		bench(path)
	}
	for _, q := range benchFilters {
		bench("/evidence?q=" + url.QueryEscape(q))
	}
}
