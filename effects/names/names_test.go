package names

import (
	"os"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/internal/strict"
	"unicode/utf8"
)

// guards.md, "Names that deceive": each line of testdata/names.txt is a kind of
// name, yes or no, and the name with escapes.
func TestNames(t *testing.T) {
	data, err := os.ReadFile("testdata/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSuffix(line, "\n"); line == "" || line[0] == '#' {
			continue
		}
		kind, rest, _ := strings.Cut(line, " ")
		want, name, _ := strings.Cut(rest, " ")
		var why string
		switch kind {
		case "host":
			why = Host(name)
		case "url":
			why = URL(name)
		case "word":
			why = Word(name)
		case "npm", "pypi", "crates":
			why = Package(kind, name)
		default:
			t.Fatalf("%q", line)
		}
		if (why != "") != (want == "yes") {
			t.Errorf("%s: %q", line, why)
		}
	}
}

func TestHidden(t *testing.T) {
	for text, want := range map[string]bool{
		"ls -la\n\tx": false, "\ufeffls": false, "l\ufeffs": true, "a\r\nb": false, "rm -rf ~\recho hi": true, "\x1b[2K": true, "a\x08b": true,
		"x\u202ey": true, "x\u2066y": true, "a\u200bb": true, "\U000E0061": true, "\U0001F3F4\U000E0067\U000E0062\U000E007F": false,
		"👩\u200d💻": false, "a\u200db": true, "می\u200cخواهم": false, "❤\ufe0f": false, "x\ufe00\ufe01\ufe02": true, "naïve 中文 ok": false,
		"\xff": false, "soft\u00adhyphen": true, "a\u3164b": true, "\u009b31m": true, "\x7f": true,
	} {
		if why := Hidden(text); (why != "") != want {
			t.Errorf("%q: %q", text, why)
		}
		obeyed := strings.ContainsAny(text, "\r\x1b\x08\x7f\u00ad\u009b") // by a terminal, and stays
		clean, n := CleanText(text)
		if (n > 0) != (want && !obeyed) || !obeyed && Hidden(clean) != "" {
			t.Errorf("%q: cleaned to %q, %d removed", text, clean, n)
		}
	}
	if got := Unseen("hi\U000E0069\U000E0067\U000E006E there"); got != "ign" {
		t.Errorf("got %q", got)
	}
}

// The letters and what they look like stand one above the other.
func TestLetters(t *testing.T) {
	for r, want := range map[rune]rune{'а': 'a', 'ѵ': 'v', 'Ӏ': 'l', 'ɡ': 'g', 'ℓ': 'l', 'ς': 'c', 'Χ': 'X', 'օ': 'o', 'յ': 'j', 'Ꮐ': 'G',
		'Ａ': 'A',
		'𝐚': 'a', '𝟏': '1', 'ⓒ': 'c', 'é': 0, 'я': 0, 'x': 0} {
		if got := strict.Alike(r); got != want {
			t.Errorf("%c looks like %c, want %c", r, got, want)
		}
	}
	if got := fold("ẓñàÅ"); got != "znaa" {
		t.Errorf("accents: %s", got)
	}
	if codepoint('а') != "U+0430" || codepoint(0xE0041) != "U+E0041" || codepoint(utf8.RuneError) != "U+FFFD" {
		t.Error(codepoint('а'), codepoint(0xE0041))
	}
}

func FuzzNames(f *testing.F) {
	for _, seed := range []string{"https://github.com@evil.example/x", "xn--80ak6aa92e.com", "gіthub.com", "a\u202eb", "0x7f.1",
		"http://[::1]/"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		URL(text)
		Host(text)
		Word(text)
		Package("npm", text)
		clean, _ := CleanText(text)
		if clean, _ = CleanText(clean); clean != "" {
			if again, n := CleanText(clean); n > 0 {
				t.Errorf("%q cleaned three times is %q", text, again)
			}
		}
	})
}
