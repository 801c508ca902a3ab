package transparency

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/evidence"
)

const origin = "trammel/project"

func extend(t *testing.T, dir, what string, n int) {
	t.Helper()
	log := evidence.Open(dir, evidence.Options{Segment: 2000})
	for i := range n {
		if _, err := log.Append(context.Background(), fmt.Appendf(nil, `{"id":"%s-%d"}`, what, i)); err != nil {
			t.Fatal(err)
		}
	}
}

// signed makes a log with checkpoints after 5, 12 and 20 records.
func signed(t *testing.T) (dir string, key *Key) {
	t.Helper()
	root := t.TempDir()
	dir = filepath.Join(root, "log")
	key, err := OpenKey(filepath.Join(root, "keys", "checkpoint"), origin)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{5, 7, 8} {
		extend(t, dir, "a", n)
		if _, err := Sign(dir, key, nil); err != nil {
			t.Fatal(err)
		}
	}
	extend(t, dir, "a", 3)
	return dir, key
}

func TestCheckpointsAreReproduced(t *testing.T) {
	dir, key := signed(t)
	list, err := VerifyCheckpoints(dir, key.Verifier, nil)
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int64
	for _, c := range list {
		sizes = append(sizes, c.Size)
	}
	if fmt.Sprint(sizes) != "[5 12 20]" {
		t.Errorf("checkpoints of %v", sizes)
	}
	if c, err := Sign(dir, key, nil); err != nil || c.Size != 23 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := Sign(dir, key, nil); err != nil {
		t.Errorf("signing the same again: %v", err)
	}
}

// A chain that was rebuilt is sound in itself; the checkpoint catches it. So
// it does a log whose end was cut off.
func TestRebuiltChainIsCaught(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, dir string){
		"rebuilt": func(t *testing.T, dir string) {
			removeRecords(t, dir)
			extend(t, dir, "b", 23)
		},
		"one record": func(t *testing.T, dir string) {
			removeRecords(t, dir)
			extend(t, dir, "a", 4)
			extend(t, dir, "b", 1)
			extend(t, dir, "a", 18)
		},
		"cut off": func(t *testing.T, dir string) {
			removeRecords(t, dir)
			extend(t, dir, "a", 5)
		},
	} {
		dir, key := signed(t)
		change(t, dir)
		if r, err := evidence.Verify(dir); err != nil || r.Broken != nil {
			t.Fatalf("%s: the chain itself should hold: %v, %v", name, err, r.Broken)
		}
		if _, err := VerifyCheckpoints(dir, key.Verifier, nil); err == nil {
			t.Errorf("%s: not caught", name)
		}
		if _, err := Sign(dir, key, nil); err == nil {
			t.Errorf("%s: signed", name)
		}
	}
}

func removeRecords(t *testing.T, dir string) {
	t.Helper()
	for _, pattern := range []string{"current.jsonl", "segment-*.jsonl"} {
		files, _ := filepath.Glob(filepath.Join(dir, pattern))
		for _, f := range files {
			os.Remove(f)
		}
	}
}

// Whoever can remake the log can also remove the checkpoints beside it; the
// copy elsewhere still tells.
func TestCopyElsewhereStillTells(t *testing.T) {
	dir, key := signed(t)
	elsewhere := filepath.Join(t.TempDir(), "safe")
	if _, err := Sign(dir, key, nil, elsewhere); err != nil {
		t.Fatal(err)
	}
	removeRecords(t, dir)
	notes, _ := filepath.Glob(filepath.Join(dir, "*.note"))
	for _, f := range notes {
		os.Remove(f)
	}
	extend(t, dir, "b", 30)
	if _, err := VerifyCheckpoints(dir, key.Verifier, nil); err != nil {
		t.Fatalf("there should be nothing left to tell: %v", err)
	}
	if _, err := VerifyCheckpoints(dir, key.Verifier, nil, elsewhere); err == nil {
		t.Error("the copy did not tell")
	}
}

func TestForgedCheckpointsAreRefused(t *testing.T) {
	dir, key := signed(t)
	path := filepath.Join(dir, fileName(12))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		forged := bytes.Clone(whole)
		forged[i] ^= 1
		os.WriteFile(path, forged, 0o600)
		if _, err := VerifyCheckpoints(dir, key.Verifier, nil); err == nil {
			t.Errorf("byte %d flipped: not found", i)
		}
	}
	os.WriteFile(path, whole, 0o600)
	os.Rename(path, filepath.Join(dir, fileName(13)))
	if _, err := VerifyCheckpoints(dir, key.Verifier, nil); err == nil {
		t.Error("a checkpoint under another name: not found")
	}
	other, err := OpenKey(filepath.Join(t.TempDir(), "key"), origin)
	if err != nil {
		t.Fatal(err)
	}
	os.Rename(filepath.Join(dir, fileName(13)), path)
	if _, err := VerifyCheckpoints(dir, other.Verifier, nil); err == nil {
		t.Error("another's key verified")
	}
}

func TestBrokenLogIsNotSigned(t *testing.T) {
	dir, key := signed(t)
	path := filepath.Join(dir, "current.jsonl")
	data, _ := os.ReadFile(path)
	data[12] ^= 1
	os.WriteFile(path, data, 0o600)
	if _, err := Sign(dir, key, nil); err == nil {
		t.Error("signed")
	}
}

func TestInclusionProofs(t *testing.T) {
	dir, key := signed(t)
	for seq := uint64(1); seq <= 20; seq++ {
		proof, err := ProveInclusion(dir, seq, key.Verifier, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := CheckProof(proof, key.Verifier); err != nil {
			t.Errorf("record %d: %v", seq, err)
		}
		other := strings.Replace(string(proof), fmt.Sprintf(`"seq":%d,`, seq), fmt.Sprintf(`"seq":%d,`, seq%20+1), 1)
		if other == string(proof) || CheckProof([]byte(other), key.Verifier) == nil {
			t.Errorf("record %d proves another", seq)
		}
	}
	for _, seq := range []uint64{0, 21, 24} { // none, not yet under a checkpoint, not there
		if _, err := ProveInclusion(dir, seq, key.Verifier, nil); err == nil {
			t.Errorf("record %d was proved", seq)
		}
	}
}

func TestConsistencyProofs(t *testing.T) {
	dir, key := signed(t)
	for _, sizes := range [][2]int64{{5, 12}, {5, 20}, {12, 20}, {20, 20}} {
		proof, err := ProveConsistency(dir, sizes[0], sizes[1], key.Verifier, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := CheckProof(proof, key.Verifier); err != nil {
			t.Errorf("%v: %v", sizes, err)
		}
	}
	for _, sizes := range [][2]int64{{5, 13}, {12, 5}, {0, 5}} {
		if _, err := ProveConsistency(dir, sizes[0], sizes[1], key.Verifier, nil); err == nil {
			t.Errorf("%v was proved", sizes)
		}
	}
}

// Any byte of a proof that is changed makes it fail, or was not part of what
// it proves; the latter there must not be.
func TestFlippedProofsFail(t *testing.T) {
	dir, key := signed(t)
	inclusion, err := ProveInclusion(dir, 7, key.Verifier, nil)
	if err != nil {
		t.Fatal(err)
	}
	consistency, err := ProveConsistency(dir, 5, 20, key.Verifier, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, proof := range [][]byte{inclusion, consistency} {
		for i := range proof {
			forged := bytes.Clone(proof)
			forged[i] ^= 1
			if CheckProof(forged, key.Verifier) == nil {
				t.Errorf("byte %d of %s flipped: not found", i, proof)
			}
		}
	}
}

func TestKeyIsMadeOnceAndKeptSecret(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "key")
	keys := make([]*Key, 8)
	var group sync.WaitGroup
	for i := range keys {
		group.Go(func() {
			var err error
			if keys[i], err = OpenKey(path, origin); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for _, k := range keys {
		if k == nil || k.Verifier != keys[0].Verifier {
			t.Fatal("two keys were made")
		}
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("%d files are left, want the key alone", len(left))
	}
	if _, err := OpenKey(path, "trammel/other"); err == nil {
		t.Error("the key of another log was taken")
	}
	os.WriteFile(path, []byte("nonsense"), 0o600)
	if _, err := OpenKey(path, origin); err == nil {
		t.Error("nonsense was taken for a key")
	}
}

func FuzzCheckProof(f *testing.F) {
	f.Add([]byte(`{"kind":"inclusion","checkpoint":"","seq":1,"record":"","hashes":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if CheckProof(data, "trammel/project+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW") == nil {
			t.Fatalf("%q was taken for a proof", data)
		}
	})
}

// UI-18: the newest checkpoint, and when it was made.
func TestNewest(t *testing.T) {
	dir, _ := signed(t)
	size, at, err := Newest(dir)
	if err != nil || size != 20 || time.Since(at) > time.Minute || time.Since(at) < -time.Minute {
		t.Error(size, at, err)
	}
	if size, _, err = Newest(t.TempDir()); size != 0 || err != nil {
		t.Error(size, err)
	}
}
