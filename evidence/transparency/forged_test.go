package transparency

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
)

// Only a note of exactly the form that is signed counts, even if the key's owner
// has signed it for another purpose.
func TestSignedNotesOfAnotherForm(t *testing.T) {
	key, err := OpenKey(filepath.Join(t.TempDir(), "key"), origin)
	if err != nil {
		t.Fatal(err)
	}
	const root = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
	hash := strings.Repeat("a", 64)
	checkpoint, head := origin+"\n7\n"+root+"\n", headTitle+"\n"+origin+"\n7\n"+hash+"\n"
	for _, text := range []string{checkpoint, head, origin + "\n0\n" + root + "\n", origin + "\n-7\n" + root + "\n", origin + "\n+7\n" +
		root + "\n",
		origin + "\n07\n" + root + "\n", origin + "\nx\n" + root + "\n", "other\n7\n" + root + "\n", origin + "\n7\nroot\n", origin + "\n7\n",
		checkpoint + "more\n", headTitle + "\nother\n7\n" + hash + "\n", "other-title\n" + origin + "\n7\n" + hash + "\n", head + "more\n",
		headTitle + "\n" + origin + "\nx\n" + hash + "\n", headTitle + "\n" + origin + "\n-1\n" + hash + "\n"} {
		data, err := note.Sign(&note.Note{Text: text}, key.signer)
		if err != nil {
			t.Fatal(err)
		}
		if c, err := open(data, key.Verifier); (err == nil) != (text == checkpoint) || err == nil && (c.Size != 7 || c.Root.String() != root) {
			t.Errorf("%q as a checkpoint: %+v, %v", text, c, err)
		}
		if seq, got, err := OpenHead(data, key.Verifier); (err == nil) != (text == head) || err == nil && (seq != 7 || got != hash) {
			t.Errorf("%q as a head: %d, %s, %v", text, seq, got, err)
		}
	}
	signed, err := key.SignHead(7, hash)
	if err != nil {
		t.Fatal(err)
	}
	if seq, got, err := OpenHead(signed, key.Verifier); err != nil || seq != 7 || got != hash {
		t.Errorf("%d, %s, %v", seq, got, err)
	}
	other, err := OpenKey(filepath.Join(t.TempDir(), "key"), origin)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := OpenHead(signed, other.Verifier); err == nil {
		t.Error("a head that another key signed was taken")
	}
	if _, _, err := OpenHead(signed, "nonsense"); err == nil {
		t.Error("nonsense was taken for a key")
	}
}

// Other files beside the checkpoints are ignored; a second checkpoint of the same size
// does not take the place of the first.
func TestWhatIsKept(t *testing.T) {
	dir, key := signed(t)
	for _, name := range []string{"readme.note", "checkpoint-readme.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := VerifyCheckpoints(dir, key.Verifier, nil); err != nil || len(list) != 3 {
		t.Errorf("%d checkpoints, %v", len(list), err)
	}
	if err := keep(dir, &Checkpoint{Size: 12, Note: []byte("another")}); err == nil {
		t.Error("a checkpoint was replaced")
	}
	if _, err := VerifyCheckpoints(dir, key.Verifier, nil, filepath.Join(dir, "nowhere")); err == nil {
		t.Error("copies that are not there do not count as checked")
	}
	empty := filepath.Join(t.TempDir(), "log")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Sign(empty, key, nil); err == nil {
		t.Error("a log without records was signed")
	}
}

// Proofs of another kind, or with an invalid earlier checkpoint, fail.
func TestProofsOfAnotherKind(t *testing.T) {
	dir, key := signed(t)
	proof, err := ProveConsistency(dir, 5, 20, key.Verifier, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{{`"consistency"`, `"other"`}, {`"consistency"`, `"inclusion"`}, {`"kind"`, `"more":1,"kind"`},
		{`"hashes":[`, `"hashes":["x",`}} {
		forged := strings.Replace(string(proof), change[0], change[1], 1)
		if forged == string(proof) || CheckProof([]byte(forged), key.Verifier) == nil {
			t.Errorf("%s was taken for %s", change[1], change[0])
		}
	}
}
