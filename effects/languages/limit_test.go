package languages

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects/languages/lex"
)

// Whatever is left out because it is too much leaves a doubt: each case has
// something harmful behind a limit (code 4, guards: caps that forget).
func TestLimitsLeaveDoubts(t *testing.T) {
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	harm := "import os; "
	cases := map[string]struct {
		l    *Language
		code string
	}{
		"bytes":        {&python, strings.Repeat("x = 1\n", maxCode/6+1) + "import os; os.remove('z')"},
		"tokens":       {&python, strings.Repeat("+ ", lex.MaxTokens) + "\nimport os; os.remove('z')"},
		"steps":        {&node, "const s = '" + strings.Repeat("f(a);", 2000) + "';" + strings.Repeat("eval(s);", 20) + "fs.rmSync('z')"},
		"nesting":      {&python, harm + strings.Repeat("(", maxNest) + "os.remove('z')" + strings.Repeat(")", maxNest)},
		"blocks":       {&node, strings.Repeat("{", maxNest+1) + "fs.rmSync('z')" + strings.Repeat("}", maxNest+1)},
		"templates":    {&node, strings.Repeat("`${", maxNest) + "fs.rmSync('z')" + strings.Repeat("}`", maxNest)},
		"names":        {&python, harm + many(maxNames, "a%d = 1\n") + "z = os.remove\nz('q')"},
		"list":         {&python, harm + "for f in [" + many(maxList, "'a%d',") + "'z']: os.remove(f)"},
		"choices":      {&python, harm + "x = " + many(maxChoice+1, "'rm %d' or ") + "'rm z'\nos.system(x)"},
		"eval choices": {&python, "x = " + many(maxChoice+1, "'a%d' or ") + "'os.remove(1)'\neval(x)"},
		"objects":      {&python, "import pathlib; x = " + many(maxChoice+1, "pathlib.Path('a%d') or ") + "pathlib.Path('z')\nx.unlink()"},
		"fields":       {&node, "fs.rmSync('a', {" + many(maxFields, "b%d: 1,") + "recursive: true})"},
		"targets":      {&python, harm + "x = 'a'\n" + many(maxAhead/2, "a%d, ") + "x = 1\nos.remove(x)"},
		"import":       {&node, "import {" + many(maxAhead/2, "a%d,") + "rmSync as q} from 'fs'; q('z')"},
		"arguments":    {&node, "fs.rmSync('a'," + many(maxArgs, "%d,") + "{recursive: true})"},
		"elements":     {&python, harm + "os.system(''.join([" + many(maxList, "'a%d',") + "'; rm z']))"},
		"string":       {&python, harm + "x = 'aaaaaaaa'\n" + strings.Repeat("x = x + x\n", 20) + "os.remove(x)"},
		"calls":        {&python, harm + "def f(p): os.remove(p)\n" + many(maxCalls+1, "f('a%d')\n") + "f('z')"},
		"handed on": {&python, harm + "import subprocess, shutil\nl = [os.system, os.popen, subprocess.run, subprocess.call, subprocess.Popen, " +
			"subprocess.check_call, subprocess.check_output, subprocess.getoutput, os.remove, shutil.rmtree, eval, exec]\n"},
		"awk string": {&awk, `BEGIN { x = "a"; ` + strings.Repeat(`x = x x;`, 20) + ` system(x) }`},
	}
	for name, c := range cases {
		r := newRecorder()
		Read(c.l.name, c.code, r)
		found := strings.Join(r.lines, "\n")
		if !strings.Contains(found, "doubt ") && !strings.Contains(found, "?") {
			t.Errorf("%s: nothing says that something was left out: %.300s", name, found)
		}
	}
}

// Read knows every language by its name, and no other.
func TestRead(t *testing.T) {
	for _, l := range all {
		if find(l.name) != l {
			t.Errorf("%s is not found", l.name)
		}
	}
	for _, language := range []string{"fish", "elvish", "xonsh", "nu", "cobol"} {
		r := newRecorder()
		Read(language, "rm a", r)
		if found := strings.Join(r.lines, "\n"); !strings.Contains(found, "doubt code") {
			t.Errorf("%s: %s", language, found)
		}
	}
}

// The walker knows no language by name: what differs is in the Language.
func TestWalkerNamesNoLanguage(t *testing.T) {
	files, _ := os.ReadDir(".") // "r" is a mode, too
	for _, f := range files {
		own := strings.TrimSuffix(f.Name(), ".go")
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(own, "_test") || own == "languages" || find(own) != nil {
			continue
		}
		data, _ := os.ReadFile(f.Name())
		for _, l := range all {
			if strings.Contains(string(data), `"`+l.name+`"`) && l != &r {
				t.Errorf("%s names %s", f.Name(), l.name)
			}
		}
	}
}
