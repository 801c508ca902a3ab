package evidence

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func role(name, dir string, n int) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "EVIDENCE_TEST_ROLE="+name, "EVIDENCE_TEST_DIR="+dir, fmt.Sprint("EVIDENCE_TEST_N=", n))
	cmd.Stderr = os.Stderr
	return cmd
}

// 32 processes append 200 records each to one log: none is lost, and the chain
// holds, also across the rotations that happen meanwhile.
func TestManyProcessesAppend(t *testing.T) {
	const processes, each = 32, 200
	dir := filepath.Join(t.TempDir(), "log")
	var group sync.WaitGroup
	for range processes {
		group.Go(func() {
			if out, err := role("append", dir, each).Output(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	group.Wait()
	r := sound(t, dir, processes*each)
	if r.Segments < 2 || r.Torn != 0 {
		t.Errorf("report %+v, want several segments and nothing torn", r)
	}
	next := map[string]int{}
	err := Scan(dir, func(e Entry) error {
		m, err := e.Record()
		var pid string
		var n int
		fmt.Sscanf(strings.Replace(text(m, "id"), "-", " ", 1), "%s %d", &pid, &n)
		if next[pid] != n {
			t.Errorf("record %d is number %d of process %s, want %d", e.Seq, n, pid, next[pid])
		}
		next[pid] = n + 1
		return err
	})
	if err != nil || len(next) != processes {
		t.Errorf("records of %d processes, %v", len(next), err)
	}
}

// kill -9 at 200 random moments during appends: after recovery the log
// verifies, and every record that was acknowledged is in it.
func TestKilledWritersLoseNothingAcknowledged(t *testing.T) {
	const logs, kills = 6, 8
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	torn, acknowledged := 0, 0
	for range logs {
		dir := filepath.Join(t.TempDir(), "log")
		acks := map[uint64]string{}
		for range kills {
			size := []int{200, 20_000, 300_000}[random.IntN(3)]
			appendAndDie(t, dir, size, time.Duration(random.IntN(8000))*time.Microsecond, acks)
		}
		if _, err := Open(dir, Options{}).tidy(soon(t)); err != nil {
			t.Fatal(err)
		}
		torn += sound(t, dir, -1).Torn
		err := Scan(dir, func(e Entry) error {
			if hash, ok := acks[e.Seq]; ok && hash == e.Hash {
				delete(acks, e.Seq)
				acknowledged++
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(acks) > 0 {
			t.Fatalf("%d acknowledged records are lost: %v", len(acks), acks)
		}
		os.RemoveAll(dir)
	}
	t.Logf("%d kills, %d acknowledged records, %d torn tails recovered", logs*kills, acknowledged, torn)
}

// appendAndDie lets a process append, kills it some time after its first
// acknowledgement, and notes what it has acknowledged.
func appendAndDie(t *testing.T, dir string, size int, after time.Duration, acks map[uint64]string) {
	t.Helper()
	cmd := role("acknowledge", dir, size)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	first := true
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		var seq uint64
		var hash string
		if n, _ := fmt.Sscan(lines.Text(), &seq, &hash); n == 2 && len(hash) == hashLen {
			acks[seq] = hash
		} else if strings.HasPrefix(lines.Text(), "error") {
			t.Error(lines.Text())
		}
		if first {
			first = false
			time.AfterFunc(after, func() { cmd.Process.Kill() })
		}
	}
	cmd.Wait()
	if first {
		t.Fatal("the process appended nothing")
	}
}

// Time may jump: the order is in the numbers, not in the clock.
func TestClockJumpsBackwards(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	log := Open(dir, Options{})
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	for i, at := range []time.Time{now, now.Add(-48 * time.Hour), now.Add(-24 * time.Hour), now} {
		rec := Record{ID: NewID(at), Time: at, Host: "h", Event: "stop", Name: fmt.Sprint(i)}
		if _, err := log.Append(soon(t), rec.AppendJSON(nil)); err != nil {
			t.Fatal(err)
		}
	}
	sound(t, dir, 4)
	var seqs []uint64
	if err := List(dir, Filter{Since: now.Add(-30 * time.Hour)}, func(r Row) error { seqs = append(seqs, r.Seq); return nil }); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(seqs) != "[1 3 4]" {
		t.Errorf("since 30 hours ago: %v", seqs)
	}
}

func TestIDsSortByTime(t *testing.T) {
	now := time.Now()
	a, b := NewID(now), NewID(now.Add(time.Millisecond))
	if len(a) != 29 || !strings.HasPrefix(a, "ev_") || a >= b {
		t.Errorf("%s, %s", a, b)
	}
	if NewID(now) == a {
		t.Error("the same id twice")
	}
}

func TestTailFollowsAcrossRotation(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	const rotating, growing = 60, 3
	seqs := make(chan uint64, rotating+growing)
	done := make(chan error, 1)
	go func() {
		done <- Tail(soon(t), dir, 1, func(e Entry) error {
			if r, err := ParseLine(bytes.Clone(e.Line)); err != nil || r.Seq != e.Seq {
				return fmt.Errorf("entry %d: %v", e.Seq, err)
			}
			seqs <- e.Seq
			if e.Seq == rotating+growing {
				return ErrStop
			}
			return nil
		})
	}()
	expect := func(want uint64) {
		t.Helper()
		select {
		case got := <-seqs:
			if got != want {
				t.Fatalf("got record %d, want %d", got, want)
			}
		case err := <-done:
			t.Fatalf("ended before record %d: %v", want, err)
		case <-time.After(time.Minute):
			t.Fatalf("record %d does not come", want)
		}
	}
	log := Open(dir, Options{Segment: 800})
	for i := range rotating {
		if _, err := log.Append(soon(t), body(fmt.Sprint(i), 20)); err != nil {
			t.Fatal(err)
		}
		if i%20 == 19 { // let the reader catch up within a file
			for seq := max(1, i-18); seq <= i+1; seq++ {
				expect(uint64(seq))
			}
		}
	}
	for i := range growing { // and see a file grow
		extend(t, dir, 1, Options{})
		expect(uint64(rotating + 1 + i))
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	err := Tail(soon(t), dir, 3, func(e Entry) error {
		if e.Seq != 3 {
			t.Errorf("record %d comes first, want 3", e.Seq)
		}
		return ErrStop
	})
	if err != nil {
		t.Fatal(err)
	}
}
