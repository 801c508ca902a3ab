package fit

import (
	"path"
	"testing"

	"github.com/trammel-dev/trammel/effects/model"
)

// Stars match as those of path.Match do, but a slash as well.
func TestStars(t *testing.T) {
	texts := []string{"", "a", "ab", "abc", "get-token", "token", "xtokenx", "get-x-token", "a.b", "aa", "aba"}
	for _, pattern := range []string{"*", "a*", "*a", "*token*", "get-*-token", "*a*b*", "a*a", "**"} {
		for _, text := range texts {
			want, _ := path.Match(pattern, text)
			if got := stars(pattern, text); got != want {
				t.Errorf("%q fits %q: %v", pattern, text, got)
			}
		}
	}
	if !stars("*token*", "a/token/b") {
		t.Error("a slash is no letter")
	}
}

// A letter that is another one in ASCII when its case is ignored still counts.
func TestWordFoldsAllLetters(t *testing.T) {
	for text, want := range map[string]bool{"kill": true, "KILL": true, "\u212aill": true, "kil": false, "skill": false} {
		if got := Word("stop|kill", &model.Word{Text: text, Known: true}); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
