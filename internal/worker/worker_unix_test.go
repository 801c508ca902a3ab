//go:build unix

package worker

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// marked makes a worker whose processes can be found by their environment.
func marked(t *testing.T, args ...string) (*Worker, string) {
	t.Helper()
	mark := fmt.Sprintf("WORKER_MARK=%s-%d", strings.ReplaceAll(t.Name(), "/", "-"), time.Now().UnixNano())
	return New(Command{Args: args, Env: []string{"PATH=" + os.Getenv("PATH"), mark}, Dir: t.TempDir(), MaxLine: 64 << 10}), mark
}

func sh(script string) []string { return []string{"/bin/sh", "-c", script} }

// left counts the processes that carry a mark.
func left(mark string) (n int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range files {
		if env, err := os.ReadFile(f); err == nil && bytes.Contains(env, []byte(mark)) {
			n++
		}
	}
	return n
}

func none(t *testing.T, mark string) {
	t.Helper()
	for end := time.Now().Add(time.Minute); left(mark) > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d processes are left", left(mark))
		}
	}
}

func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

// never is for programs whose answers do not name their call, is for those
// that repeat it.
func never([]byte) bool { return false }

func is(text string) func([]byte) bool {
	return func(answer []byte) bool { return string(answer) == text }
}

// whenTold has a program go on once the test says so with tell.
const whenTold = `{ while [ ! -e told ]; do sleep 0.01; done; :; }`

func tell(t *testing.T, w *Worker) {
	if err := os.WriteFile(filepath.Join(w.command.Dir, "told"), nil, 0o600); err != nil {
		t.Error(err)
	}
}

const echo = `while read -r line; do printf '%s\n' "$line"; done`

// FST-53, FST-54: each kind of bad program has one error, the same over many
// runs (100 with make soak), and leaves no process behind.
func TestBadWorkers(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes are counted in /proc")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is missing")
	}
	runs := 10
	if os.Getenv("TRAMMEL_SOAK") != "" {
		runs = 100
	}
	for _, c := range []struct {
		name    string
		args    []string
		timeout time.Duration
		want    error
	}{
		{"hangs", sh(`read -r l; sleep 1000`), 30 * time.Millisecond, ErrTimeout},
		{"ignores SIGTERM", sh(`trap '' TERM INT HUP; read -r l; while :; do sleep 1000; done`), 30 * time.Millisecond, ErrTimeout},
		{"hangs in the middle of a line", sh(`read -r l; printf '{"status"'; sleep 1000`), 30 * time.Millisecond, ErrTimeout},
		{"does not read", sh(`sleep 1000`), 30 * time.Millisecond, ErrTimeout},
		{"forks children", sh(`read -r l; for i in 1 2 3 4 5; do sleep 1000 & done; sleep 1000`), 50 * time.Millisecond, ErrTimeout},
		{"leaves children", sh(`sleep 1000 & sleep 1000 & exit 0`), time.Minute, ErrExit},
		{"floods 1 GB", sh(`exec head -c 1073741824 /dev/zero`), time.Minute, ErrTooLong},
		{"floods lines", sh(`exec yes`), time.Minute, ErrMore},
		{"floods stderr", sh(`head -c 1000000 /dev/zero >&2; exit 3`), time.Minute, ErrFailed},
		{"writes two lines", sh(`read -r l; printf 'a\nb\n'; sleep 1000`), time.Minute, ErrMore},
		{"dies in the middle of a line", sh(`read -r l; printf '{"status":'; exit 1`), time.Minute, ErrCutOff},
		{"closes stdout and ends", sh(`read -r l; exec >&-; exit 0`), time.Minute, ErrExit},
		{"ends early", sh(`exit 0`), time.Minute, ErrExit},
		{"ends with an error", sh(`read -r l; exit 7`), time.Minute, ErrFailed},
		{"is ended by a signal", sh(`kill -KILL $$`), time.Minute, ErrSignal},
		{"takes too much memory", []string{python, "-c", "x = bytearray(2 << 30); print('{}')"}, time.Minute, ErrFailed},
		{"missing", []string{"no-such-interpreter"}, time.Minute, ErrNotFound},
		{"missing file", []string{"/nowhere/python3"}, time.Minute, ErrNotFound},
		{"not a program", []string{"/etc/passwd"}, time.Minute, ErrStart},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w, mark := marked(t, c.args...)
			for i := range runs {
				answer, err := w.Call(within(t, c.timeout), []byte("{}\n"), never)
				if !errors.Is(err, c.want) || answer != nil && !errors.Is(err, ErrMore) {
					t.Fatalf("run %d: got %q, %v, want %v", i, answer, err, c.want)
				}
			}
			none(t, mark)
		})
	}
}

// FST-54: a program that closes its output and goes on; it costs half a second, so
// not a hundred times.
func TestClosesOutput(t *testing.T) {
	w, mark := marked(t, sh(`read -r l; exec >&-; sleep 1000`)...)
	for range 3 {
		if _, err := w.Call(within(t, time.Minute), []byte("{}\n"), never); !errors.Is(err, ErrClosed) {
			t.Fatal(err)
		}
	}
	none(t, mark)
}

// silenced is a program that has closed its output, and whose caller gives up
// just when it is waited for.
type silenced struct {
	giveUp context.CancelFunc
	ended  chan struct{}
	once   sync.Once
}

func (s *silenced) Kill()                  { s.once.Do(func() { close(s.ended) }) }
func (s *silenced) Ended() <-chan struct{} { s.giveUp(); s.Kill(); return s.ended }
func (s *silenced) Exit() (int, string)    { return -1, "killed" }
func (s *silenced) Close()                 {}

// FST-54: what we have killed when time was up did not end by itself.
func TestClosesOutputAndTimeIsUp(t *testing.T) {
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		w := New(Command{})
		w.start = func(*Command) (*run, error) {
			ours, theirs, err := os.Pipe()
			if err != nil {
				return nil, err
			}
			theirs.Close()
			return follow(&process{theirs, ours, ours, &silenced{giveUp: cancel, ended: make(chan struct{})}}, 100), nil
		}
		if _, err := w.Call(ctx, []byte("{}\n"), never); !errors.Is(err, ErrClosed) {
			t.Fatal(err)
		}
	}
}

// FST-50, FST-55: many calls in order through one process, which is started
// again after it has failed.
func TestKeptAliveAndRestarted(t *testing.T) {
	w, mark := marked(t, sh(
		`while read -r line; do [ "$line" = die ] && exit 1; [ "$line" = hang ] && sleep 1000; printf '%s\n' "$line"; done`)...)
	call := func(text string) (string, error) {
		limit := time.Minute
		if text == "hang" {
			limit = 300 * time.Millisecond
		}
		answer, err := w.Call(within(t, limit), []byte(text+"\n"), is(text))
		return string(answer), err
	}
	for i := range 50 {
		if got, err := call(fmt.Sprint(i)); err != nil || got != fmt.Sprint(i) {
			t.Fatalf("%d: %q, %v", i, got, err)
		}
	}
	for _, bad := range []struct {
		text   string
		want   error
		starts int
	}{{"die", ErrFailed, 3}, {"hang", ErrTimeout, 4}, {"die", ErrFailed, 6}} {
		if _, err := call(bad.text); !errors.Is(err, bad.want) {
			t.Fatalf("%s: %v", bad.text, err)
		}
		if got, err := call("x"); err != nil || got != "x" || w.Starts() != bad.starts {
			t.Fatalf("after it: %q, %v, %d starts", got, err, w.Starts())
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	none(t, mark)
	if got, err := call("again"); err != nil || got != "again" {
		t.Errorf("after closing: %q, %v", got, err)
	}
	w.Close()
	none(t, mark)
}

// A program whose answers do not name their call gets as many lives as calls,
// and one that ends badly has not answered.
func TestOneCallALife(t *testing.T) {
	for script, want := range map[string]error{
		`read -r line; printf '%s\n' "$line"`: nil,
		echo:                                  nil,
		`read -r line; printf '%s\n' "$line"; exit 1`:                ErrFailed,
		`read -r line; printf '%s\n' "$line"; kill -KILL $$`:         ErrSignal,
		`read -r line; printf '%s\n' "$line"; sleep 0.03; echo more`: ErrMore,
	} {
		w, _ := marked(t, sh(script)...)
		for i := range 20 {
			got, err := w.Call(within(t, time.Minute), fmt.Appendf(nil, "%d\n", i), never)
			if !errors.Is(err, want) || err == nil && string(got) != fmt.Sprint(i) {
				t.Fatalf("%q, %d: %q, %v", script, i, got, err)
			}
		}
		if w.Starts() != 20 || w.Close() != nil {
			t.Errorf("%q: %d starts", script, w.Starts())
		}
	}
}

// FST-54: the last call sees for certain what comes after the answer and how
// the program ends, and serves programs that wait for the end of their input.
func TestLast(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		want   error
	}{
		"one line":              {echo, nil},
		"answers at the end":    {`x=$(cat); printf '%s\n' "$x"`, nil},
		"a second line, late":   {echo + `; sleep 0.6; echo more`, ErrMore},
		"a piece of one, late":  {echo + `; sleep 0.6; printf more`, ErrMore},
		"does not end":          {echo + `; sleep 1000`, ErrLingers},
		"ends with an error":    {echo + `; exit 3`, ErrFailed},
		"ends so, late":         {echo + `; sleep 0.6; exit 3`, ErrFailed},
		"is ended by a signal":  {echo + `; kill -SEGV $$`, ErrSignal},
		"leaves a child":        {echo + `; sleep 1000 & exit 0`, nil},
		"closes output, errs":   {echo + `; exec >&-; sleep 0.3; exit 3`, ErrFailed},
		"closes output, lasts":  {echo + `; exec >&-; sleep 1000`, ErrLingers},
		"a child writes, later": {echo + `; (sleep 0.3; echo more) & wait`, ErrMore},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, mark := marked(t, sh(c.script)...)
			limit := time.Minute
			if c.want == ErrLingers { // waited for in full
				limit = time.Second
			}
			got, err := w.Last(within(t, limit), []byte("x\n"))
			for ; err == ErrTimeout && limit < time.Minute; limit *= 2 { // a slow machine takes longer to answer at all
				got, err = w.Last(within(t, limit), []byte("x\n"))
			}
			if !errors.Is(err, c.want) || string(got) != "x" && (err == nil || errors.Is(err, ErrMore)) {
				t.Errorf("%q, %v", got, err)
			}
			none(t, mark)
		})
	}
}

// A line that nobody asked for is not taken for the next answer, and what wrote
// it is not asked again.
func TestUnasked(t *testing.T) {
	script := `while read -r l; do printf '%s\n' "$l"; [ "$l" = twice ] && ` + whenTold + ` && printf '%s\n' "$l"; done`
	for _, before := range []bool{false, true} { // the next call
		w, _ := marked(t, sh(script)...)
		for i, text := range []string{"a", "twice", "b", "c"} {
			if got, err := w.Call(within(t, time.Minute), []byte(text+"\n"), is(text)); err != nil || string(got) != text {
				t.Fatalf("%q, %v", got, err)
			}
			switch {
			case i == 1 && before:
				tell(t, w)
				for len(w.run.lines) == 0 { // until the second line is here
					time.Sleep(time.Millisecond)
				}
			case i == 1:
				time.AfterFunc(50*time.Millisecond, func() { tell(t, w) })
			}
		}
		if w.Starts() != 2 || !errors.Is(w.Close(), ErrMore) {
			t.Errorf("before the next call %v: %d starts, or nobody said that there was more", before, w.Starts())
		}
	}
}

// A conversation is held in one life.
func TestTalk(t *testing.T) {
	w, mark := marked(t, sh(`n=0; while read -r l; do n=$((n+1)); echo $n; [ $n = 3 ] && exit 1; done`)...)
	for i, want := range []string{"1", "2", "3", "", "1"} {
		got, err := w.Talk(within(t, time.Minute), []byte("x\n"))
		if string(got) != want || (err != nil) != (want == "") {
			t.Errorf("line %d: %q, %v", i, got, err)
		}
	}
	w.Close()
	none(t, mark)
	w, _ = marked(t, sh(`read -r l; echo a; `+whenTold+`; echo b; sleep 1000`)...)
	if _, err := w.Talk(within(t, time.Minute), []byte("x\n")); err != nil {
		t.Fatal(err)
	}
	tell(t, w)
	for len(w.run.lines) == 0 { // until the second line is here
		time.Sleep(time.Millisecond)
	}
	if _, err := w.Talk(within(t, time.Minute), []byte("x\n")); !errors.Is(err, ErrUnasked) {
		t.Error(err)
	}
}

// FST-52: stderr is kept, its end, without secrets.
func TestStderr(t *testing.T) {
	key := "AKIA" + "Q3EGRIPJ7XKLW2VN"
	w, _ := marked(t, sh(`echo "export AWS_SECRET_ACCESS_KEY=`+strings.Repeat("Ab3/", 10)+` `+key+`" >&2; `+echo)...)
	if _, err := w.Last(within(t, time.Minute), []byte("x\n")); err != nil {
		t.Fatal(err)
	}
	if got := w.Stderr(); !strings.Contains(got, "REDACTED") || strings.Contains(got, key) || strings.Contains(got, "Ab3/Ab3/") {
		t.Errorf("stderr %q", got)
	}
	w, _ = marked(t, sh(`head -c 3000000 /dev/zero | tr '\0' x >&2; echo end >&2; exit 1`)...)
	w.Call(within(t, time.Minute), []byte("x\n"), never)
	if got := w.Stderr(); len(got) != maxSaid || !strings.HasSuffix(got, "xend") {
		t.Errorf("%d bytes, …%q", len(got), got[max(0, len(got)-10):])
	}
}

// FST-11: nothing is inherited but the three descriptors.
func TestNoDescriptors(t *testing.T) {
	fd, err := syscall.Open("/etc/hostname", syscall.O_RDONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer syscall.Close(fd)
	w, _ := marked(t, sh(`read -r l; for f in /proc/self/fd/*; do printf '%s ' "${f##*/}"; done; echo`)...)
	got, err := w.Last(within(t, time.Minute), []byte("x\n"))
	for _, name := range strings.Fields(string(got)) {
		if name == fmt.Sprint(fd) {
			t.Errorf("descriptor %d is inherited: %s", fd, got)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// A large line that nobody reads does not hold the call beyond its deadline.
func TestUnreadInput(t *testing.T) {
	w, mark := marked(t, sh(`sleep 1000`)...)
	line := append(bytes.Repeat([]byte("x"), 8<<20), '\n')
	begin := time.Now()
	if _, err := w.Call(within(t, 100*time.Millisecond), line, never); !errors.Is(err, ErrTimeout) || time.Since(begin) > time.Minute {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := w.Call(ctx, line, never); !errors.Is(err, ErrCanceled) {
		t.Error(err)
	}
	none(t, mark)
}

func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, script := range []string{echo, "sleep 1000", "exit 1", "exec yes"} {
		w, _ := marked(t, sh(script)...)
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		w.Call(ctx, []byte("x\n"), never)
		cancel()
		w.Close()
	}
	for end := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines before, %d after", before, runtime.NumGoroutine())
		}
	}
}

// What comes with an answer is noticed with it, and not only if its reader is
// quick enough.
func TestNextTellsOfMore(t *testing.T) {
	for text, want := range map[string]line{
		"a\n":    {text: []byte("a")},
		"a\nb\n": {text: []byte("a"), more: true},
		"a\nb":   {text: []byte("a"), more: true},
		"a\n\n":  {text: []byte("a"), more: true},
		"a":      {err: ErrCutOff},
		"":       {err: io.EOF},
		"abcd\n": {text: []byte("abcd")},
		"abcde":  {err: ErrCutOff},
		"abcdef": {err: ErrTooLong},
	} {
		if got := next(bufio.NewReader(strings.NewReader(text)), 4); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	}
}
