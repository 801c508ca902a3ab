package layers

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

var lockSample = []Locked{
	{Sum: "h1:" + strings.Repeat("a", 43) + "=", Name: "a", Version: "v1.0.0", Rev: strings.Repeat("0", 40), Signer: "k+12345678",
		From: "https://h/a b\"c"},
	{Sum: "h1:" + strings.Repeat("/+", 21) + "b=", Name: "b", Version: "v0.1.0", From: "../b"},
}

// TEAM-12: a lock file says the same after it was written; one that is torn or
// damaged is an error.
func TestLockFile(t *testing.T) {
	text := FormatLock(lockSample)
	for _, form := range []string{string(text), strings.ReplaceAll(string(text), "\n", "\r\n")} {
		if got, err := ParseLock([]byte(form)); err != nil || !reflect.DeepEqual(got, lockSample) {
			t.Errorf("%+v, %v", got, err)
		}
	}
	for n := range text[:len(text)-1] {
		if _, err := ParseLock(text[:n]); err == nil {
			t.Errorf("the first %d bytes are taken", n)
		}
	}
	for _, wrong := range []string{"trammel-lock 2\nend\n", "trammel-lock 1\nbundle\nend\n", string(text) + "more\n",
		strings.Replace(string(text), "h1:a", "h1:..", 1), strings.Replace(string(text), "h1:", "h2:", 1),
		strings.Replace(string(text), "h1:a", "h1:{", 1), strings.Replace(string(text), "h1:a", "h1:[", 1),
		strings.Replace(string(text), `"../b"`, `""`, 1),
		string(FormatLock(append(lockSample[:2:2], Locked{Sum: lockSample[0].Sum, Name: "b", Version: "v0.1.0", From: "../b"})))} {
		if _, err := ParseLock([]byte(wrong)); err == nil || !strings.HasSuffix(err.Error(), "rewrite it with: trammel bundle lock") {
			t.Errorf("taken, or it does not say what to do: %s: %v", wrong, err)
		}
	}
}

// TEAM-14, TEAM-16: a plan is for exactly these bytes of lock and bundles: a
// change of either, also of what is missing, is another set.
func TestBundlesAreInputs(t *testing.T) {
	w := newWorld(t)
	w.write("p/trammel.yaml", "extends: x")
	seen := map[string]string{}
	step := func(name string) *Set {
		set := w.find("p")
		if before, twice := seen[set.Digest]; twice {
			t.Errorf("%s has the digest of %s", name, before)
		}
		seen[set.Digest] = name
		return set
	}
	step("no lock")
	w.write("p/trammel.lock", string(FormatLock(lockSample)))
	set := step("a lock")
	if len(set.Files) != 2 || !set.Files[1].IsLock() || len(set.Bundles) != 2 || set.Bundles[lockSample[0].Sum].Data != nil {
		t.Errorf("%+v", set)
	}
	w.write("p/trammel.lock", string(FormatLock(lockSample[:1])))
	step("another lock")
	stored := "state/bundles/" + BundleFile(lockSample[0].Sum)
	w.write(stored, "one")
	step("a bundle")
	w.write(stored, "two")
	step("another bundle")
	w.write("p/.trammel/bundles/"+BundleFile(lockSample[0].Sum), "two")
	if set := step("a copy in the project"); !strings.HasPrefix(set.Bundles[lockSample[0].Sum].Path, w.path("p")) {
		t.Errorf("%+v", set.Bundles)
	}
	w.write("p/trammel.lock", "trammel-lock 1\nbundle")
	if _, err := Find(w.Dirs, w.path("p")); err == nil || !strings.Contains(err.Error(), "trammel bundle lock") {
		t.Errorf("a torn lock: %v", err)
	}
}

// TEAM-14: what was trusted of a lock stays in force when it changes or goes.
func TestLockIsTrusted(t *testing.T) {
	w := newWorld(t)
	w.write("p/trammel.yaml", "extends: x")
	w.write("p/trammel.lock", string(FormatLock(lockSample)))
	w.trust("p", nil)
	if set := w.find("p"); set.Files[1].Trust != Trusted {
		t.Errorf("%+v", set.Notes)
	}
	w.write("p/trammel.yaml", "nothing")
	w.write("p/trammel.lock", string(FormatLock(lockSample[:1])))
	pinned := func() (locks int, whole bool) {
		set := w.find("p")
		for _, f := range set.Files {
			if f.IsLock() && f.Pinned {
				locks++
				whole = string(f.Data) == string(FormatLock(lockSample)) && f.Trust == Trusted
			}
		}
		return locks, whole && len(set.Bundles) == 2
	}
	if n, whole := pinned(); n != 1 || !whole {
		t.Errorf("%d trusted copies, whole: %v", n, whole)
	}
	if err := os.Remove(w.path("p/trammel.lock")); err != nil {
		t.Fatal(err)
	}
	if n, whole := pinned(); n != 1 || !whole {
		t.Errorf("when it is gone: %d trusted copies, whole: %v", n, whole)
	}
}
