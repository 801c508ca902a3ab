package summary

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trammel-dev/trammel"
)

const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"

func TestLine(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"as it is":         {"ls -l", "ls -l"},
		"one line":         {"a\nb\tc\r\x1b[31m\x00\x7f", "a b c <U+001B>[31m<U+0000><U+007F>"},
		"order, nothing":   {"rm \u202ex\u200b \u009b2J", "rm <U+202E>x<U+200B> <U+009B>2J"},
		"a secret":         {"use " + token, "use [REDACTED:github-token]"},
		"a secret far out": {strings.Repeat("x ", 198) + token, strings.Repeat("x ", 198) + "[RED…"},
		"not UTF-8":        {"a\xffb", "a\uFFFDb"},
	} {
		if got := Line(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	for _, letter := range []string{"日", "\u202e"} {
		long := Line(strings.Repeat(letter, 1<<20))
		if len(long) > maxLine+len("…") || !utf8.ValidString(long) {
			t.Errorf("%d bytes", len(long))
		}
	}
}

func TestTarget(t *testing.T) {
	for want, a := range map[string]trammel.Action{
		"make":                      {Command: "make", Paths: []string{"x"}},
		"a.go":                      {Paths: []string{"a.go", "b.go"}},
		"https://x.test/":           {URL: "https://x.test/"},
		"needle":                    {Query: "needle"},
		"search":                    {Server: "jira", Tool: "search"},
		"researcher":                {Agent: "researcher"},
		"":                          {},
		"[REDACTED:sensitive-file]": {Command: "echo A=1 > .env"},
	} {
		if got := Target(&a); got != want {
			t.Errorf("%+v: %q, want %q", a, got, want)
		}
	}
}
