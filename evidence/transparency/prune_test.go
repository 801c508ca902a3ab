package transparency

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/evidence"
)

var (
	begin  = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	person = approvals.PrivateKey(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
	other  = approvals.PrivateKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, ed25519.SeedSize)))
)

// old is a log with a record for each hour, some ten to a file, and checkpoints
// after 3, 8, 20 and 40 of them.
type old struct {
	t    *testing.T
	dir  string
	key  *Key
	p    *Pruning
	from int

	records []*Tombstone // that were put on record
}

func newOld(t *testing.T) *old {
	t.Helper()
	root := t.TempDir()
	key, err := OpenKey(filepath.Join(root, "keys", "checkpoint"), origin)
	if err != nil {
		t.Fatal(err)
	}
	o := &old{t: t, dir: filepath.Join(root, "log"), key: key}
	o.p = &Pruning{Dir: o.dir, Before: begin.Add(35 * time.Hour), Verifier: key.Verifier, Keys: []string{person.KeyID()}, Record: o.record}
	for _, n := range []int{3, 5, 12, 20} {
		o.extend(n)
		if _, err := Sign(o.dir, key, nil); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

func (o *old) append(at time.Time, what string) error {
	_, err := evidence.Open(o.dir, evidence.Options{Segment: 3000}).Append(context.Background(),
		fmt.Appendf(nil, `{"event":"%s","id":"ev_%d","time":"%s"}`, what, o.from, at.Format(time.RFC3339Nano)))
	o.from++
	return err
}

func (o *old) extend(n int) {
	o.t.Helper()
	for range n {
		if err := o.append(begin.Add(time.Duration(o.from)*time.Hour), "x"); err != nil {
			o.t.Fatal(err)
		}
	}
}

func (o *old) record(_ context.Context, stone *Tombstone) error {
	o.records = append(o.records, stone)
	return o.append(begin.Add(1000*time.Hour), "authority.pruned")
}

func (o *old) plan() *Tombstone {
	o.t.Helper()
	t, err := o.p.Plan()
	if err != nil {
		o.t.Fatal(err)
	}
	t.At, t.By, t.Reason = begin.Add(1000*time.Hour), "alice", "they are old"
	return t
}

func (o *old) prune() *Tombstone {
	o.t.Helper()
	t, err := o.p.Prune(o.t.Context(), o.plan(), person)
	if err != nil {
		o.t.Fatal(err)
	}
	return t
}

// whole wants a log that verifies, with all of its checkpoints, and says how
// many records are there and how many are gone.
func (o *old) whole(records, gone uint64) Report {
	o.t.Helper()
	r, err := Verify(o.dir, o.p.Keys)
	if err != nil {
		o.t.Fatal(err)
	}
	if r.Broken != nil || r.Records != records || r.Gone() != gone {
		o.t.Fatalf("%d records and %d gone, expected %d and %d: %v", r.Records, r.Gone(), records, gone, r.Broken)
	}
	if _, err := VerifyCheckpoints(o.dir, o.key.Verifier, o.p.Keys); err != nil {
		o.t.Fatal(err)
	}
	return r
}

func (o *old) broken(what string, fault evidence.Fault, part string) {
	o.t.Helper()
	r, err := Verify(o.dir, o.p.Keys)
	if err != nil || r.Broken == nil || r.Broken.Fault != fault || !strings.Contains(r.Broken.Detail, part) {
		o.t.Errorf("%s: %v, %v, expected %s", what, r.Broken, err, fault)
	}
}

func (o *old) export() []byte {
	o.t.Helper()
	var b bytes.Buffer
	if err := evidence.Export(&b, o.dir, "jsonl", evidence.Filter{}); err != nil {
		o.t.Fatal(err)
	}
	return b.Bytes()
}

// FST-63, UI-18: what a person prunes is gone, the rest is still provable, and so is a
// copy of what was removed.
func TestPrune(t *testing.T) {
	o := newOld(t)
	before := o.export()
	planned := o.plan()
	if !bytes.Equal(before, o.export()) || o.whole(40, 0).Begun != nil {
		t.Fatal("a plan changes the log")
	}
	stone := o.prune()
	n := stone.Last
	if n < 20 || n > 35 || stone.First != 1 || stone.Records != n || stone.Root != planned.Root || !stone.Oldest.Equal(begin) ||
		!stone.Newest.Equal(begin.Add(time.Duration(n-1)*time.Hour)) {
		t.Fatalf("%+v", stone)
	}
	r := o.whole(41-n, n)
	if got := r.Pruned[0]; got.By != "alice" || got.Reason != "they are old" || got.KeyID() != person.KeyID() || Through(o.dir) != n {
		t.Errorf("%+v", got)
	}
	if proof, err := ProveInclusion(o.dir, 38, o.key.Verifier, o.p.Keys); err != nil {
		t.Error(err)
	} else if err := CheckProof(proof, o.key.Verifier); err != nil {
		t.Error(err)
	}
	if _, err := ProveInclusion(o.dir, 2, o.key.Verifier, o.p.Keys); err == nil || !strings.Contains(err.Error(), "pruned") {
		t.Error(err)
	}
	// A second one, after more records and another checkpoint.
	o.extend(30)
	if _, err := Sign(o.dir, o.key, o.p.Keys); err != nil {
		t.Fatal(err)
	}
	if proof, err := ProveConsistency(o.dir, 40, 71, o.key.Verifier, o.p.Keys); err != nil || CheckProof(proof, o.key.Verifier) != nil {
		t.Error(err)
	}
	copied := o.export()
	o.p.Before = begin.Add(2000 * time.Hour)
	second := o.prune() // even the file that was being written goes: all of it is old
	if second.First != n+1 || second.Last != 71 || second.Prev != stone.LastHash {
		t.Fatalf("%+v", second)
	}
	o.whole(1, 71)
	o.extend(5)
	o.whole(6, 71)
	both := append(bytes.Clone(before), behind(copied, 40-n)...)
	for want, c := range map[int][]byte{1: upTo(before, n), 2: both} {
		if found, err := CheckRemoved(o.dir, o.p.Keys, bytes.NewReader(c)); err != nil || len(found) != want {
			t.Errorf("%d of %d: %v", len(found), want, err)
		}
	}
	if found, err := CheckRemoved(o.dir, o.p.Keys, bytes.NewReader(copied)); err != nil || len(found) != 1 || found[0].Last != 71 {
		t.Error(found, err)
	}
	rebuilt := &old{t: t, dir: filepath.Join(t.TempDir(), "log"), from: 1} // a sound chain, of other records
	rebuilt.extend(int(n))
	for name, c := range map[string][]byte{
		"rebuilt": rebuilt.export(),
		"changed": bytes.Replace(before, []byte(`"ev_3"`), []byte(`"ev_4"`), 1),
		"lacking": behind(before, 1),
		"cut off": upTo(before, n-1),
		"torn":    before[:len(before)-1],
		"empty":   nil,
		"behind":  o.export(),
	} {
		if _, err := CheckRemoved(o.dir, o.p.Keys, bytes.NewReader(c)); err == nil {
			t.Errorf("%s: taken for what was removed", name)
		}
	}
}

func upTo(lines []byte, n uint64) []byte {
	return bytes.Join(bytes.SplitAfter(lines, []byte("\n"))[:n], nil)
}

func behind(lines []byte, n uint64) []byte {
	return bytes.Join(bytes.SplitAfter(lines, []byte("\n"))[n:], nil)
}

func (o *old) put(name, data string) {
	o.t.Helper()
	if err := os.WriteFile(filepath.Join(o.dir, name), []byte(data), 0o600); err != nil {
		o.t.Fatal(err)
	}
}

// FST-63: a checkpoint of records that were pruned has to be one that was there.
func TestCheckpointsOfPrunedRecords(t *testing.T) {
	o := newOld(t)
	o.prune()
	for n, want := range map[int]string{8: "did not begin with", 5: "no tombstone covers it"} {
		strange := t.TempDir() // of another log, with the same key
		extend(t, filepath.Join(strange, "log"), "b", n)
		if _, err := Sign(filepath.Join(strange, "log"), o.key, nil, strange); err != nil {
			t.Fatal(err)
		}
		if _, err := VerifyCheckpoints(o.dir, o.key.Verifier, o.p.Keys, strange); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("of %d records: %v", n, err)
		}
	}
}

// FST-63: wherever it is stopped, nothing is lost that no tombstone stands for,
// the log verifies, others go on writing, and the next run finishes it.
func TestPruneStoppedAnywhere(t *testing.T) {
	var steps []string
	o := newOld(t)
	o.p.step = func(name string) { steps = append(steps, name) }
	n := o.prune().Last
	if len(steps) < 6 {
		t.Fatal(steps)
	}
	for i, stop := range steps {
		t.Run(stop, func(t *testing.T) {
			o := newOld(t)
			at := 0
			o.p.step = func(string) {
				if at++; at == i+1 {
					panic("killed")
				}
			}
			func() {
				defer func() { _ = recover() }()
				o.prune()
				t.Error("was not stopped")
			}()
			o.p.step = nil
			r, err := Verify(o.dir, o.p.Keys)
			if err != nil || r.Broken != nil || r.Last != uint64(o.from) {
				t.Fatalf("%+v %v", r, err)
			}
			if begun := strings.HasPrefix(stop, "remove") || stop == "end" || stop == "record"; begun != (r.Begun != nil) {
				t.Fatalf("begun: %v", r.Begun)
			}
			if _, err := VerifyCheckpoints(o.dir, o.key.Verifier, o.p.Keys); err != nil {
				t.Fatal(err)
			}
			o.extend(1)
			if _, err := Sign(o.dir, o.key, o.p.Keys); err != nil {
				t.Fatal(err)
			}
			if r.Begun != nil {
				if _, err := o.p.Plan(); err == nil {
					t.Error("a second removal begins before the first has ended")
				}
			}
			done, err := o.p.Finish(t.Context())
			if err != nil || (done != nil) != (r.Begun != nil) {
				t.Fatal(done, err)
			}
			if done == nil {
				o.prune()
			}
			for _, stone := range o.records { // records differ
				if last := o.records[0]; stone.At != last.At || stone.Last != last.Last || stone.Root != last.Root {
					t.Errorf("%+v and %+v are on record", last, stone)
				}
			}
			o.whole(uint64(o.from)-n, n)
			if done, err := o.p.Finish(t.Context()); done != nil || err != nil {
				t.Error(done, err)
			}
		})
	}
}

// FST-63: of two that prune at the same time one does, and writers go on.
func TestTwoPrune(t *testing.T) {
	o := newOld(t)
	planned := o.plan()
	var wg sync.WaitGroup
	var mu sync.Mutex
	var errs []error
	for range 3 {
		p, mine := *o.p, *planned
		p.Record = func(context.Context, *Tombstone) error {
			mu.Lock()
			defer mu.Unlock()
			return o.record(t.Context(), nil)
		}
		wg.Go(func() {
			_, err := p.Prune(t.Context(), &mine, person)
			mu.Lock()
			defer mu.Unlock()
			errs = append(errs, err)
		})
	}
	wg.Wait()
	done := 0
	for _, err := range errs {
		if err == nil {
			done++
		} else if !errors.Is(err, ErrChanged) {
			t.Error(err)
		}
	}
	if done != 1 {
		t.Errorf("%d have pruned: %v", done, errs)
	}
	o.whole(41-planned.Last, planned.Last)
}

// FST-63: what goes is what the person was shown, and nothing more.
func TestPruneWhatWasShown(t *testing.T) {
	o := newOld(t)
	planned := o.plan()
	o.p.Before = begin.Add(900 * time.Hour) // as if more had become old
	if _, err := o.p.Prune(t.Context(), planned, person); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
	o.whole(40, 0)
}

// FST-63: what cannot be put on record does not happen, and a full disk loses
// nothing.
func TestPruneLeavesATrace(t *testing.T) {
	o := newOld(t)
	full := errors.New("no space left on device")
	o.p.Record = func(context.Context, *Tombstone) error { return full }
	if _, err := o.p.Prune(t.Context(), o.plan(), person); !errors.Is(err, full) {
		t.Error(err)
	}
	if r := o.whole(40, 0); r.Begun != nil {
		t.Error(r.Begun)
	}
	o.p.Record = o.record
	if _, err := o.p.Prune(t.Context(), o.plan(), other); err == nil {
		t.Error("signed with a key that does not count")
	}
	o.whole(40, 0)
}

// FST-63: clocks jump. A file goes only if all in it is old, and none goes
// before those that are older in the log.
func TestPruneWhenTheClockJumps(t *testing.T) {
	for name, c := range map[string]struct {
		at   time.Time
		want bool
	}{
		"ahead":      {begin.Add(24 * 365 * time.Hour), false},
		"back":       {begin.Add(-24 * 365 * time.Hour), true},
		"at the end": {begin.Add(35 * time.Hour), false},
		"just older": {begin.Add(35*time.Hour - 1), true},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			o := &old{t: t, dir: filepath.Join(root, "log")}
			o.p = &Pruning{Dir: o.dir, Before: begin.Add(35 * time.Hour), Keys: []string{person.KeyID()}, Record: o.record}
			if err := o.append(c.at, "x"); err != nil {
				t.Fatal(err)
			}
			o.extend(40)
			if _, err := o.p.Plan(); (err == nil) != c.want {
				t.Error(err)
			}
		})
	}
	t.Run("no time", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "log")
		extend(t, dir, "a", 30)
		if _, err := (&Pruning{Dir: dir, Before: time.Now()}).Plan(); !errors.Is(err, ErrNothing) {
			t.Error(err)
		}
	})
}
