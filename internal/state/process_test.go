package state

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Issue 4, 5: 32 processes ask 20 times each; exactly 100 calls pass, and the
// count that has more room has given away no more.
func TestExactlyNPassAcross32Processes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "c")
	var mu sync.Mutex
	passed := 0
	var group sync.WaitGroup
	for range 32 {
		group.Go(func() {
			out, err := role("take", dir, 20).Output()
			var got int
			fmt.Sscan(string(out), &got)
			if err != nil {
				t.Errorf("%v: %s", err, out)
			}
			mu.Lock()
			passed += got
			mu.Unlock()
		})
	}
	group.Wait()
	if passed != 100 {
		t.Errorf("%d calls passed, want exactly 100", passed)
	}
	counts, err := in(dir).Take(t.Context(), Claim{Key: []string{"total"}, Limit: 120})
	if err != nil || counts[0].Used != 100 || !counts[0].Room {
		t.Errorf("the other count: %+v, %v; want 100", counts, err)
	}
}

// kill -9 at random moments: the count is never damaged, and never behind what
// was acknowledged.
func TestKilledCountersLoseNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "c")
	acknowledged := 0
	for range 60 {
		cmd := role("count", dir, 0)
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(stdout)
		lines.Scan() // it has begun
		done := make(chan struct{})
		last := lines.Text()
		go func() {
			defer close(done)
			for lines.Scan() {
				last = lines.Text()
			}
		}()
		time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
		cmd.Process.Kill()
		<-done
		cmd.Wait()
		n, err := strconv.Atoi(last)
		if err != nil {
			t.Fatalf("it said %q", last)
		}
		acknowledged = max(acknowledged, n)
		now, err := in(dir).Add(t.Context(), "k")
		if err != nil || now <= acknowledged {
			t.Fatalf("counted %d after %d, %v", now, acknowledged, err)
		}
	}
	if acknowledged < 60 {
		t.Errorf("only %d were counted", acknowledged)
	}
}
