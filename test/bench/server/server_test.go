//go:build unix

// Package server measures POST /v1/events against a server that does nothing
// but echo, in the same run and on the same machine (issue 10, item 7).
package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/server"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/test/people"
)

const config = `version: 1
hooks:
  - {id: no-force, on: PreToolUse, match: {action: shell}, deny: {when: 'command contains "--force"', reason: No force.}}
  - {id: no-env, on: PreToolUse, match: {path: "**/*.env"}, deny: Secrets stay where they are.}
  - {id: release, on: PreToolUse, match: {tool: release}, approve: {reason: This publishes., expires: 1h, hold: 10m}}
  - {id: later, on: PreToolUse, match: {tool: later}, approve: {reason: This can wait., expires: 1h, mode: park}}
`

// start runs a server with evidence on, and returns its address and a token.
func start(tb testing.TB) (address, token, project string) {
	tb.Helper()
	s, address, project := run(tb)
	return address, tokenOf(tb, s, auth.Agent, 0), project
}

func tokenOf(tb testing.TB, s *server.Server, role auth.Role, n int) string {
	tb.Helper()
	token, err := s.Auth.Credentials.Create(tb.Context(), auth.Credential{Kind: auth.Token, Name: fmt.Sprint("bench", n), Role: role,
		Identity: fmt.Sprint("token:bench", n)})
	if err != nil {
		tb.Fatal(err)
	}
	return token
}

func run(tb testing.TB) (s *server.Server, address, project string) {
	tb.Helper()
	dir := tb.TempDir()
	dirs := layers.Dirs{Machine: filepath.Join(dir, "m"), User: filepath.Join(dir, "u"), State: filepath.Join(dir, "s"),
		Cache: filepath.Join(dir, "c")}
	project = filepath.Join(dir, "p")
	for _, d := range []string{dirs.User, dirs.State, project} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			tb.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dirs.User, "trammel.yaml"), []byte(config), 0o600); err != nil {
		tb.Fatal(err)
	}
	if _, err := people.SetUp(dirs.State); err != nil {
		tb.Fatal(err)
	}
	where := make(chan string, 1)
	o := &server.Options{Listen: "127.0.0.1:0", Log: slog.New(slog.DiscardHandler), Started: func(_ *server.Server,
		url string) {
		where <- url
	}}
	s, err := server.Open(tb.Context(), dirs, o)
	if err != nil {
		tb.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, o) }()
	tb.Cleanup(func() { stop(); <-done })
	return s, <-where, project
}

// echo is the least that net/http does.
func echo(tb testing.TB) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) })}
	go s.Serve(l)
	tb.Cleanup(func() { s.Close() })
	return "http://" + l.Addr().String()
}

func payload(project string) []byte {
	return fmt.Appendf(nil,
		`{"event":"pre_tool_use","host":"bench","session":{"id":"s1","dir":%q},"tool":{"id":"c1","name":"shell",`+
			`"input":{"command":"go test ./..."}}}`, project)
}

// request is a call that people have to decide.
func request(project, tool string, n int) []byte {
	return fmt.Appendf(nil,
		`{"event":"pre_tool_use","host":"bench","session":{"id":"s%[3]d","dir":%[1]q},"tool":{"id":"c%[3]d","name":%[2]q,`+
			`"input":{"version":%[3]d}}}`,
		project, tool, n)
}

// rate is how many requests were answered a second, and how much of a processor
// each took, in microseconds, with what its client takes. The second is the one
// to compare where others use the machine, too.
type rate struct{ perSecond, cpu float64 }

// load sends requests with so many clients for a while.
func load(tb testing.TB, url, token string, body []byte, clients int, lasts time.Duration) rate {
	tb.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	defer client.CloseIdleConnections()
	var n atomic.Int64
	var group sync.WaitGroup
	before, started := used(), time.Now()
	for range clients {
		group.Go(func() {
			for time.Since(started) < lasts {
				req, _ := http.NewRequest("POST", url, bytes.NewReader(body))
				req.Header.Set("Authorization", "Bearer "+token)
				res, err := client.Do(req)
				if err != nil {
					tb.Error(err)
					return
				}
				io.Copy(io.Discard, res.Body)
				res.Body.Close()
				if res.StatusCode != http.StatusOK {
					tb.Errorf("status %d", res.StatusCode)
					return
				}
				n.Add(1)
			}
		})
	}
	group.Wait()
	return rate{float64(n.Load()) / time.Since(started).Seconds(), float64((used() - before).Microseconds()) / float64(n.Load())}
}

// used is the processor time of this process.
func used() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r) // it fails for no process of ours
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// resident is the memory of this process, 0 where the system does not say so.
func resident() int {
	text, _ := os.ReadFile("/proc/self/statm")
	var all, pages int
	fmt.Sscan(string(text), &all, &pages)
	return pages * os.Getpagesize()
}

// clients is how many agents ask at once.
const clients = 64

// BenchmarkEvents compares in turns, so that a busy machine is busy for both.
func BenchmarkEvents(b *testing.B) {
	address, token, project := start(b)
	bare := echo(b)
	body := payload(project)
	load(b, address+"/v1/events", token, body, clients, 300*time.Millisecond)
	var ours, theirs rate
	for b.Loop() {
		theirs.add(load(b, bare, token, body, clients, time.Second))
		ours.add(load(b, address+"/v1/events", token, body, clients, time.Second))
	}
	report(b, ours, theirs)
}

func report(b *testing.B, ours, theirs rate) {
	b.ReportMetric(ours.perSecond/float64(b.N), "events/s")
	b.ReportMetric(theirs.perSecond/float64(b.N), "echoes/s")
	b.ReportMetric(ours.perSecond/theirs.perSecond, "of-echo")
	b.ReportMetric(ours.cpu/float64(b.N), "cpu-µs/event")
	b.ReportMetric(theirs.cpu/float64(b.N), "cpu-µs/echo")
	b.ReportMetric(theirs.cpu/ours.cpu, "of-echo-by-cpu")
	b.ReportMetric(0, "ns/op")
}

func (r *rate) add(o rate) { r.perSecond, r.cpu = r.perSecond+o.perSecond, r.cpu+o.cpu }

// Memory stays flat: after many events as much is in use as after some.
func TestMemoryStaysFlat(t *testing.T) {
	address, token, project := start(t)
	body := payload(project)
	inUse := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapInuse
	}
	load(t, address+"/v1/events", token, body, 16, time.Second)
	before := inUse()
	load(t, address+"/v1/events", token, body, 16, 3*time.Second)
	if after := inUse(); after > before+8<<20 {
		t.Errorf("%d MB are in use after some events, %d MB after many", before>>20, after>>20)
	}
}
