package server

import (
	"testing"

	"github.com/trammel-dev/trammel/pipeline"
)

// BenchmarkJudge is an event without the HTTP around it, by many at once.
func BenchmarkJudge(b *testing.B) {
	w := newWorld(b, gate)
	r := w.start(b, Options{})
	event := w.event("s", "shell", map[string]any{"command": "go test ./..."})
	b.ReportAllocs()
	b.SetParallelism(64)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if reply := r.judge(b.Context(), pipeline.Call{Host: "native"}, event); reply.Exit != 0 {
				b.Errorf("%s", reply.Stdout)
			}
		}
	})
}
