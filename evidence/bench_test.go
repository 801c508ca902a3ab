package evidence

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
)

// benchLog is a log of about 64 MB of records as the hot program writes them
// for a call that one hook has looked at, of 930 bytes each.
func benchLog(b *testing.B) (dir string, size int64, records int) {
	b.Helper()
	dir = b.TempDir()
	ev := event()
	ev.Raw = []byte(strings.Replace(raw, "12345678901234567890", "120000", 1))
	ev.Tool = &trammel.ToolCall{ID: "t1", Name: "Bash", Input: map[string]any{"command": "go test ./..."}}
	one, err := trammel.New([]trammel.Hook{{ID: "shell-guard", Kind: "builtin", On: []trammel.Kind{trammel.PreToolUse}, May: trammel.Guard,
		Handler: trammel.HandlerFunc(func(context.Context, *trammel.Event) (trammel.Answer, error) { return trammel.Answer{}, nil })}})
	if err != nil {
		b.Fatal(err)
	}
	v := one.Dispatch(context.Background(), ev)
	var last Receipt
	var out bytes.Buffer
	for out.Len() < 64<<20 {
		ev.Session.ID = fmt.Sprint("session-", records/200)
		body := FromVerdict(ev, v, Meta{Config: "sha256:c", Engine: "v1", Started: time.Unix(1e9, 0).Add(time.Duration(records) * time.Second)}).
			AppendJSON(nil)
		last = last.next(body)
		out.Write(last.line(body))
		records++
	}
	if err := os.WriteFile(filepath.Join(dir, currentName), out.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	return dir, int64(out.Len()), records
}

func BenchmarkVerify(b *testing.B) {
	dir, size, records := benchLog(b)
	b.SetBytes(size)
	for b.Loop() {
		if r, err := Verify(dir); err != nil || r.Broken != nil || r.Records != uint64(records) {
			b.Fatal(r, err)
		}
	}
	b.ReportMetric(float64(records*b.N)/b.Elapsed().Seconds(), "records/s")
}

func BenchmarkList(b *testing.B) {
	dir, size, records := benchLog(b)
	b.SetBytes(size)
	for b.Loop() {
		n := 0
		if err := List(dir, Filter{}, func(Row) error { n++; return nil }); err != nil || n != records {
			b.Fatal(n, err)
		}
	}
	b.ReportMetric(float64(records*b.N)/b.Elapsed().Seconds(), "records/s")
}
