package clip

import "testing"

func TestClip(t *testing.T) {
	for _, c := range []struct {
		text         string
		most         int
		bytes, runes string
	}{
		{"", 0, "", ""}, {"a", 0, "…", "…"}, {"ab", 2, "ab", "ab"}, {"abc", 2, "ab…", "ab…"},
		{"äöü", 3, "ä…", "äöü"}, {"äöü", 2, "ä…", "äö…"}, {"äöü", 6, "äöü", "äöü"}, {"a\xffbc", 2, "a…", "a\xff…"},
	} {
		if got := Bytes(c.text, c.most); got != c.bytes {
			t.Errorf("%d bytes of %q: %q, expected %q", c.most, c.text, got, c.bytes)
		}
		if got := Runes(c.text, c.most); got != c.runes {
			t.Errorf("%d characters of %q: %q, expected %q", c.most, c.text, got, c.runes)
		}
	}
}
