package trammel

import (
	"testing"
)

func TestTheCatalogueIsConsistent(t *testing.T) {
	seen := map[string]Kind{}
	for _, k := range Kinds() {
		if k.String() == "" || k.About() == "" {
			t.Errorf("kind %d has no name or no description", k)
		}
		if back, ok := ParseKind(k.String()); !ok || back != k {
			t.Errorf("%v does not read back: %v", k, back)
		}
		if k.FailsClosed() && !k.Can().Any(Block) {
			t.Errorf("%v fails closed, but cannot be blocked", k)
		}
		if k.Can().Any(CanAsk|Approve) && !k.Can().Any(Block) {
			t.Errorf("%v can be asked about or approved, but not blocked", k)
		}
		for _, a := range k.Aliases() {
			key := a.System + "/" + fold(a.Name)
			if old, taken := seen[key]; taken && old != k {
				t.Errorf("%s means both %v and %v", key, old, k)
			}
			seen[key] = k
		}
	}
	if !Other.Can().ObserveOnly() || Other.FailsClosed() {
		t.Error("an unknown event can only be observed")
	}
}

func TestWords(t *testing.T) {
	for a := Observe; a <= Grant; a++ {
		if back, err := ParseAuthority(a.String()); err != nil || back != a {
			t.Errorf("%v: %v, %v", a, back, err)
		}
	}
	for d := None; d <= Deny; d++ {
		if back, err := ParseDecision(d.String()); err != nil || back != d {
			t.Errorf("%v: %v, %v", d, back, err)
		}
	}
	for a := range actionKinds {
		if back, err := ParseActionKind(a.String()); err != nil || back != a {
			t.Errorf("%v: %v, %v", a, back, err)
		}
	}
	for o := BlockOnError; o <= IgnoreOnError; o++ {
		if back, err := ParseOnError(o.String()); err != nil || back != o {
			t.Errorf("%v: %v, %v", o, back, err)
		}
	}
	// DA-30 case 27: a typing error must not pass for "no opinion".
	for _, word := range []string{"", "Deny", "block", "alow", "default", "none "} {
		_, e1 := ParseAuthority(word)
		_, e2 := ParseDecision(word)
		_, e3 := ParseActionKind(word)
		_, e4 := ParseOnError(word)
		if e1 == nil || e2 == nil || e3 == nil || (e4 == nil) != (word == "block") {
			t.Errorf("%q was taken for a word: %v %v %v %v", word, e1, e2, e3, e4)
		}
	}
}
