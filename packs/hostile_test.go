package packs

import (
	"strings"
	"testing"
	"time"
)

// A manifest from anybody is read or refused soon.
func TestHostileManifests(t *testing.T) {
	for name, text := range map[string]string{
		"many keys":        strings.Repeat("a: b\n", 20_000),
		"other keys":       keys(9_000),
		"many hooks":       "hooks:\n" + strings.Repeat("  - {id: a, type: b}\n", 5_000),
		"long list":        "hooks: [" + strings.Repeat("a,", 50_000) + "]",
		"open brackets":    strings.Repeat("[", 100_000),
		"closed and open":  strings.Repeat("[]", 50_000),
		"dashes":           strings.Repeat("- ", 50_000),
		"dashes below":     stairs("- \n", 400),
		"stairs":           stairs("a:\n", 400),
		"questions":        strings.Repeat("? ", 50_000),
		"braces":           strings.Repeat("{a: ", 30_000),
		"quotes":           strings.Repeat(`"`, 100_000),
		"anchors":          "a: &a [x]\nb: &b [*a,*a]\nc: &c [*b,*b]\n",
		"a block of text":  "a: |\n" + strings.Repeat("  text\n", 15_000),
		"control":          "a: \x00\x01",
		"not UTF-8":        "a: \xff\xfe",
		"very much of it":  strings.Repeat("x", 10<<20),
		"comments":         strings.Repeat("# x\n", 30_000),
		"colons":           strings.Repeat(":", 100_000),
		"spaces":           "a:" + strings.Repeat(" ", 100_000) + "b",
		"tabs":             "a:\n\t\tb: c\n",
		"documents":        strings.Repeat("---\na: b\n", 10_000),
		"flow in a flow":   "a: " + strings.Repeat("[", 30) + strings.Repeat("]", 30),
		"merges":           "a: {<<: {b: c}}\n",
		"tags":             "a: !!python/object/apply:os.system [x]\n",
		"carriage returns": strings.Repeat("a: b\r", 10_000),
	} {
		dir := build(t, map[string]string{ManifestName: text})
		begin := time.Now()
		if p, list := Open(dir); p != nil || len(list) == 0 {
			t.Errorf("%s: taken, %v", name, list)
		}
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("%s took %v", name, took)
		} else if took > 200*time.Millisecond {
			t.Logf("%s took %v", name, took)
		}
	}
}

func keys(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("k")
		b.WriteString(strings.Repeat("x", i%7))
		b.WriteByte(byte('a' + i%26))
		b.WriteByte(byte('a' + i/26%26))
		b.WriteByte(byte('a' + i/676%26))
		b.WriteString(": 1\n")
	}
	return b.String()
}

func stairs(step string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + step)
	}
	return b.String()
}
