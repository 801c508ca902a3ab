package guards

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/policies/standard"
)

func threadTime(b *testing.B) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		b.Fatal(err)
	}
	return time.Duration(t.Nano())
}

// BenchmarkVerdict measures verdicts over the corpora, in the library: by shell-guard
// alone, and by the guards of the presets. It counts the time of the processor, so
// that other work on the machine does not matter.
func BenchmarkVerdict(b *testing.B) {
	b.Run("shell-guard", func(b *testing.B) { verdicts(b, "shell-guard") })
	b.Run("presets", func(b *testing.B) { verdicts(b, "shell-guard", "self-protection", "path-guard", "secrets") })
}

func verdicts(b *testing.B, policies ...string) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	engine, err := trammel.New(standard.Hooks(policies...))
	if err != nil {
		b.Fatal(err)
	}
	var calls []map[string]any
	for _, set := range least {
		for _, c := range rows(b, set.name+".jsonl") {
			if c.Cmd != "" {
				calls = append(calls, map[string]any{"command": c.Cmd})
			}
		}
	}
	dir := b.TempDir()
	var took []time.Duration
	for b.Loop() {
		for _, input := range calls {
			ev := &trammel.Event{Kind: trammel.PreToolUse, Session: trammel.Session{Dir: dir, Project: dir},
				Tool: &trammel.ToolCall{Name: "shell", Input: input}}
			began := threadTime(b)
			engine.Dispatch(b.Context(), ev)
			took = append(took, threadTime(b)-began)
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1e3, "p99-µs")
	b.ReportMetric(float64(took[len(took)-1].Nanoseconds())/1e6, "max-ms")
}
