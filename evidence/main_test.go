package evidence

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/internal/flock"
)

// TestMain lets the test binary be its own subprocess.
func TestMain(m *testing.M) {
	dir := os.Getenv("EVIDENCE_TEST_DIR")
	n, _ := strconv.Atoi(os.Getenv("EVIDENCE_TEST_N"))
	switch os.Getenv("EVIDENCE_TEST_ROLE") {
	case "append":
		appendMany(dir, n)
	case "acknowledge":
		acknowledge(dir, n)
	case "limit":
		appendUntilLimit(dir, n)
	default:
		os.Exit(m.Run())
	}
}

// appendMany appends n records.
func appendMany(dir string, n int) {
	log := Open(dir, Options{Segment: 1 << 20})
	for i := range n {
		if _, err := log.Append(context.Background(), body(fmt.Sprintf("%d-%d", os.Getpid(), i), 400)); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
}

// acknowledge appends records of n bytes until it is killed, and says the
// number of each once it is in the log.
func acknowledge(dir string, n int) {
	log := Open(dir, Options{Segment: 16 << 20})
	out := bufio.NewWriter(os.Stdout)
	for i := 0; ; i++ {
		r, err := log.Append(context.Background(), body(fmt.Sprintf("%d-%d", os.Getpid(), i), n))
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Fprintln(out, r.Seq, r.Hash)
		out.Flush()
	}
}

// body makes a canonical body of about n bytes.
func body(name string, n int) []byte {
	return fmt.Appendf(nil, `{"filler":"%s","id":"%s"}`, strings.Repeat("x", n), name)
}

// fill appends n records to a new log and returns its directory.
func fill(t testing.TB, n int, opts Options) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "log")
	extend(t, dir, n, opts)
	return dir
}

func extend(t testing.TB, dir string, n int, opts Options) {
	t.Helper()
	log := Open(dir, opts)
	for i := range n {
		if _, err := log.Append(soon(t), body(fmt.Sprint(i), 20)); err != nil {
			t.Fatal(err)
		}
	}
}

// sound verifies a log that must be.
func sound(t testing.TB, dir string, records int) Report {
	t.Helper()
	r, err := Verify(dir)
	if err != nil {
		t.Fatal(err)
	}
	if r.Broken != nil {
		t.Fatal(r.Broken)
	}
	if records >= 0 && r.Records != uint64(records) {
		t.Fatalf("%d records, want %d", r.Records, records)
	}
	return r
}

func soon(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// tidy puts what a killed writer left behind a whole record aside, as the
// next append would, and returns how many bytes that were.
func (l *Log) tidy(ctx context.Context) (cut int64, err error) {
	err = l.locked(ctx, func(*flock.Held, bool) error {
		before, err := os.Stat(filepath.Join(l.dir, currentName))
		if err != nil {
			return err
		}
		c, err := l.open()
		if err != nil {
			return err
		}
		cut = before.Size() - c.size
		return c.file.Close()
	})
	if err != nil {
		return 0, fmt.Errorf("tidy evidence: %w", err)
	}
	return cut, nil
}
