package languages

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/effects/languages/within"
)

// What is made to take long takes not long (and does not panic).
func TestHostile(t *testing.T) {
	const n = 3000
	nest := func(open, end string) string { return strings.Repeat(open, n) + strings.Repeat(end, n) }
	texts := map[string]string{
		"brackets":   nest("(", ")"),
		"open":       strings.Repeat("([{", n),
		"calls":      nest("f(", ")"),
		"lists":      nest("[", "]"),
		"blocks":     nest("{", "}"),
		"arrows":     strings.Repeat("(a) => ", n),
		"lambda":     strings.Repeat("lambda: ", n),
		"minus":      strings.Repeat("-", 10*n),
		"not":        strings.Repeat("not ", n),
		"plus":       "x = 1" + strings.Repeat(" + 'a'", n),
		"doubling":   "x = 'aaaaaaaa'\n" + strings.Repeat("x = x + x\n", 1000) + "eval(x)",
		"any":        "x = 'a' if y else 'b'\n" + strings.Repeat("x = x + x if x else x\n", 500) + "os.remove(x)",
		"join":       "x = [a or b or c]\n" + strings.Repeat("x = x + x\n", 500) + "os.path.join(*x)",
		"templates":  strings.Repeat("`${", n),
		"nested f":   strings.Repeat("f'{", n),
		"interp":     strings.Repeat(`"#{`, n),
		"sigils":     strings.Repeat("${", n),
		"dollars":    strings.Repeat("$", n),
		"heredocs":   strings.Repeat("<<A ", n) + "\n" + strings.Repeat("x\n", n),
		"heredoc":    strings.Repeat("<<A", n),
		"globs":      strings.Repeat("<", n),
		"slashes":    strings.Repeat("/ ", n),
		"regexes":    strings.Repeat("=~ m{", n),
		"quotes":     strings.Repeat(`'"`, n),
		"backticks":  strings.Repeat("`x`;", 2000),
		"for":        strings.Repeat("for x in ", n),
		"compr":      nest("[x for x in ", "]"),
		"comma":      strings.Repeat("a,", n),
		"targets":    strings.Repeat("a, ", 39) + "\n" + strings.Repeat("a, b, c = ", n),
		"members":    "a" + strings.Repeat(".b", n),
		"indexes":    "a" + strings.Repeat("[0]", n),
		"chain":      "a" + strings.Repeat(".b()", n),
		"then":       "fetch('u')" + strings.Repeat(".then(x => x)", n),
		"ternary":    "x = " + strings.Repeat("a ? b : ", n) + "c",
		"evals":      nest("eval(", ")"),
		"eval self":  "x = 'eval(x)'; eval(x); eval(x)",
		"exec self":  "exec(x := 'exec(x)')",
		"imports":    strings.Repeat("from os import *\n", n),
		"withs":      strings.Repeat("with open('a') as b, ", n),
		"functions":  strings.Repeat("function f(a) { ", n),
		"params":     "function f(" + strings.Repeat("a, ", n) + ") {}",
		"print pipe": strings.Repeat(`print "a" | "b"; `, 2000),
		"concat":     `{ x = "a" ` + strings.Repeat(`x "a" `, n) + " }",
		"zeros":      strings.Repeat("\x00", n),
		"bytes":      strings.Repeat("\xff\xfe", n),
		"big":        strings.Repeat("x = 1\n", maxCode/6+1),
		"writes":     strings.Repeat("open('a','w').write('b')\n", 2000),
	}
	for name, text := range texts {
		for _, l := range all {
			start := time.Now()
			Read(l.name, text, newRecorder())
			if took := time.Since(start); took > 30*time.Second {
				t.Errorf("%s in %s took %s", name, l.name, took)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(uint8(0), "import os as o\nfor x in ['a']: o.remove(x + f'{y!r:>3}')")
	f.Add(uint8(1), "const {rmSync:r} = require('fs'); r(`a${b}`, {recursive: true})")
	f.Add(uint8(2), `open(my $f, ">", "x$y[0]{z}"); system qq{a}; s/a/b/e; unlink <*.x>`)
	f.Add(uint8(3), "Dir['*'].each { |f| File.delete f }; system \"a #{b}\"; x = <<~E\n a\nE")
	f.Add(uint8(4), "foreach (glob('*') as $f) { unlink(\"{$f}x\"); } eval(base64_decode('eA=='));")
	f.Add(uint8(6), `{ print $1 > "out"; "date" | getline d; system("ls " $2) }`)
	f.Fuzz(func(t *testing.T, language uint8, text string) {
		if len(text) > 1<<14 {
			return
		}
		start := time.Now()
		Read(all[int(language)%len(all)].name, text, newRecorder())
		if took := time.Since(start); took > 30*time.Second {
			t.Fatalf("took %s", took)
		}
	})
}

// A typical inline script, as agents write them.
func BenchmarkRead(b *testing.B) {
	text := `import json, os, pathlib
root = pathlib.Path('src')
for p in root.rglob('*.py'):
    text = p.read_text()
    if 'TODO' in text:
        p.write_text(text.replace('TODO', 'DONE'))
print(json.dumps({'done': True}))
`
	b.ReportAllocs()
	for b.Loop() {
		read(&python, text)
	}
}

// Code may end anywhere: an edit holds a part of a file, and a line is cut. Reading it
// must not panic.
func TestCutOff(t *testing.T) {
	read := func(language, text string) {
		defer func() {
			if failed := recover(); failed != nil {
				t.Errorf("%s: %q: %v", language, text, failed)
			}
		}()
		Read(language, text, newRecorder())
	}
	for _, l := range all {
		data, err := os.ReadFile("testdata/" + l.name + ".txt")
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(data)) {
			text, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "$ ")
			for end := range len(text) {
				if ok && !within.NameByte(text[end]) { // behind a name, or in the middle of marks
					read(l.name, text[:end])
					read(l.name, text[:end+1])
				}
			}
		}
	}
}
