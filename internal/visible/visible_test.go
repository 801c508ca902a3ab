package visible_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/internal/visible"
)

// What a screen would obey or leave out is written out, and counted.
func TestText(t *testing.T) {
	for in, want := range map[string]struct {
		text   string
		hidden int
	}{
		"rm -rf build":                    {"rm -rf build", 0},
		"größe 价格 ₹":                      {"größe 价格 ₹", 0},
		"a\nb\tc":                         {"a\nb\tc", 0},
		"\x1b[2Jok":                       {"<U+001B>[2Jok", 1},
		"a\rb\x00\x7f":                    {"a<U+000D>b<U+0000><U+007F>", 3},
		"abc\u202etxt.exe":                {"abc<U+202E>txt.exe", 1},
		"\u2066x\u2069":                   {"<U+2066>x<U+2069>", 2},
		"pay\u200bpal":                    {"pay<U+200B>pal", 1},
		"a\u00a0b\u2028c":                 {"a<U+00A0>b<U+2028>c", 2},
		"a\u3164b\ufe0fc":                 {"a<U+3164>b<U+FE0F>c", 2},
		"\U000e0041":                      {"<U+E0041>", 1},
		"a\xffb":                          {"a<0xFF>b", 1},
		"\u009b31m":                       {"<U+009B>31m", 1},
		"e" + strings.Repeat("\u0301", 6): {"e" + strings.Repeat("\u0301", 4) + "<U+0301><U+0301>", 2},
	} {
		if got, n := visible.Text(in); got != want.text || n != want.hidden {
			t.Errorf("%q is shown as %q (%d), want %q (%d)", in, got, n, want.text, want.hidden)
		}
	}
	if got := visible.Line("a\nb"); got != "a<U+000A>b" {
		t.Error(got)
	}
}

// What a program prints on a terminal keeps our colors, and nothing else that it obeys.
func TestTerminal(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b[32mgood\x1b[0m \x1b[2mdim\x1b[0m\n": "\x1b[32mgood\x1b[0m \x1b[2mdim\x1b[0m\n",
		"a\x1b[2Kb\x1b[8mc\x1b":                   "a<U+001B>[2Kb<U+001B>[8mc<U+001B>",
		"\x1b]0;title\a\r\b\u009b1A\u202etxt.exe": "<U+001B>]0;title<U+0007><U+000D><U+0008><U+009B>1A<U+202E>txt.exe",
	} {
		if got := visible.Terminal(in); got != want {
			t.Errorf("%q is shown as %q", in, got)
		}
	}
}

// JSON with nothing invisible in it has the same value.
func TestJSON(t *testing.T) {
	for _, text := range []string{"a\u202eb\u009b\u200b\U000e0041\x7f\u2028", "größe 价格 😀 <&>", strings.Repeat("e\u0301\u0301", 9)} {
		in, _ := json.Marshal([]string{text})
		out := visible.JSON(in)
		var got []string
		if err := json.Unmarshal([]byte(out), &got); err != nil || got[0] != text {
			t.Errorf("%s: %q, %v", out, got, err)
		}
		if _, hidden := visible.Text(out); hidden > 0 {
			t.Errorf("%d are hidden in %s", hidden, out)
		}
	}
	if got := visible.JSON([]byte("{\n\t\"a\": \"\U000e0041é\"\r\n}")); got != "{\n\t\"a\": \"\\udb40\\udc41é\"\r\n}" {
		t.Error(got)
	}
}
