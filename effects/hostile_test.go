package effects

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/internal/strict"
)

// hostile are lines that are made to take long, or to exhaust something.
func hostile() map[string]string {
	nest := func(open, inner, end string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	var calls, vars strings.Builder
	for i := range 30 {
		calls.WriteString("f" + strconv.Itoa(i) + "() { f" + strconv.Itoa(i+1) + "; f" + strconv.Itoa(i+1) + "; }; ")
	}
	for range 10000 {
		vars.WriteString("a=x$a; ")
	}
	var functions strings.Builder
	for i := range 40 {
		next := "f" + strconv.Itoa(i+1) + " $a; "
		functions.WriteString("function f" + strconv.Itoa(i) + "($a) { " + next + next + "}; ")
	}
	doubling := "a=xxxxxxxxxxxxxxxx; " + strings.Repeat("a=$a$a$a$a; ", 60) + "echo $a"
	return map[string]string{
		"subshells":          nest("(", "ls", ")", 300),
		"substitutions":      nest("$(", "ls", ")", 200),
		"quoted":             nest(`"$(echo `, "ls", `)"`, 100),
		"ifs":                nest("if true; then ", "ls", "; fi", 4000),
		"whiles":             nest("while x; do a=$a; ", "ls", "; done", 3000),
		"fors":               nest("for i in 1 2 3 4; do ", "ls $i", "; done", 20),
		"braces":             "rm {1..99999999}",
		"brace product":      "rm " + strings.Repeat("{a,b,c,d}", 30),
		"brace sequences":    "rm " + strings.Repeat("{1..1000}", 10),
		"big steps":          "rm {1..9223372036854775807..9223372036854775807} {-9223372036854775808..9223372036854775807}",
		"calls":              calls.String() + "f30() { ls; }; f0",
		"assignments":        vars.String(),
		"doubling":           doubling,
		"appending":          strings.Repeat("a+=$a$a; ", 2000) + "a=x; " + strings.Repeat("a+=$a$a; ", 2000),
		"choices":            strings.Repeat("x && a=1$a; x || b=2$b; ", 500) + "rm $a $b $c",
		"variables":          strings.Repeat("if x; then v=a; w=b; u=c; t=d; else v=e; w=f; u=g; t=h; fi; rm $v$w$u$t; ", 500),
		"wrappers":           strings.Repeat("env ", 20000) + "ls",
		"commands":           strings.Repeat("command ", 20000) + "ls",
		"sudo sh":            nestScript(12),
		"heredoc":            "cat <<EOF | sh\n" + strings.Repeat("ls; ", 60000) + "\nEOF",
		"long line":          strings.Repeat("ls; ", 60000),
		"long words":         "echo " + strings.Repeat("x ", 100000),
		"recursion":          "f() { f; f; f; }; f; g() { h; h; }; h() { g; g; }; g",
		"self eval":          `x='eval "$x"; eval "$x"'; eval "$x"`,
		"self file":          `echo 'sh x; sh x' > x; sh x`,
		"functions and eval": `f() { eval "f; f"; }; f`,
		"patterns":           "x=" + strings.Repeat("a", 60000) + "; echo ${x##*a*a*a*a*a*b} ${x%%*a*a*a*b} ${x//a*a*a*b/c}",
		"replacing":          "x=" + strings.Repeat("a", 4000) + "; " + strings.Repeat("x=${x//a/aa}; ", 100),
		"printf":             "printf '%1000000s' x | sh; printf '%s' " + strings.Repeat("a ", 50000),
		"pipes":              strings.Repeat("cat | ", 20000) + "cat",
		"ands":               strings.Repeat("x && ", 20000) + "y",
		"backgrounds":        strings.Repeat("x & ", 30000),
		"redirections":       "x " + strings.Repeat("> f ", 30000),
		"xargs":              "seq 1 | xargs " + strings.Repeat("xargs ", 10000) + "rm",
		"many xargs":         "echo " + strings.Repeat("a ", 50000) + "| xargs -n1 rm",
		"find":               "find . " + strings.Repeat(`-exec rm {} \; `, 10000),
		"braces open":        strings.Repeat("{a,", 20000),
		"quotes":             strings.Repeat(`"'`, 50000),
		"broken":             strings.Repeat("rm x; ) ", 20000),
		"newlines":           strings.Repeat("(\n", 100000),
		"not utf-8":          "rm -rf / \xff\xfe",
		"nul":                "rm -rf /\x00",
		"too long":           "rm -rf /;" + strings.Repeat("x", 300<<10),
		"arithmetic":         "echo $((" + strings.Repeat("1+", 20000) + "1)) $((9**99)) $((1/0)) $((-9223372036854775808/-1)) $((1<<99))",
		"indices":            "a[9999999999]=x; a[-1]=y; echo ${a[99]} ${a[-99]} ${a[@]:5:-3} ${a:9:9}",
		"positional":         "set -- " + strings.Repeat("a ", 20000) + "; " + strings.Repeat("shift; rm $1; ", 3000),
		"bare parts":         "$ ${ $( ${x $'  \\",
		"fds":                strings.Repeat("exec 3>f; echo x >&3; ", 3000),
		"process":            "cat " + strings.Repeat("<(ls) ", 5000),
		"powershell calls":   "pwsh -c '" + functions.String() + "function f40($a) { ls }; f0 1'",
		"powershell stars":   "pwsh -c '& (gcm " + strings.Repeat("*", 60) + "x) 1'",
		"powershell ranges":  "pwsh -c '(1..99999999)[0..99999999]; \"a\"[-99999999..99999999]'",
		"trap":               strings.Repeat("trap '", 20) + "ls",
	}
}

func nestScript(n int) string {
	s := "rm -rf /"
	for range n {
		s = "sudo sh -c '" + strings.ReplaceAll(s, "'", `'\''`) + "'"
		if len(s) > 100<<10 {
			break
		}
	}
	return s
}

func TestHostile(t *testing.T) {
	for name, line := range hostile() {
		start := time.Now()
		s := effects(line)
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("%s took %s", name, took)
		} else if testing.Verbose() {
			t.Logf("%-20s %8d bytes %10s %6d runs %5d files %v", name, len(line), took.Round(10*time.Microsecond), len(s.Runs), len(s.Files),
				s.Doubts[:min(len(s.Doubts), 2)])
		}
		if len(s.Runs) > 8_001 || len(s.Doubts) > 256+4 {
			t.Errorf("%s: %d runs, %d doubts", name, len(s.Runs), len(s.Doubts))
		}
	}
}

// What is not looked at is a doubt.
func TestLimitsAreDoubts(t *testing.T) {
	for _, name := range []string{"calls", "wrappers", "braces", "too long", "not utf-8", "broken", "heredoc", "long line"} {
		if s := effects(hostile()[name]); s.Full() {
			t.Errorf("%s: no doubt", name)
		}
	}
}

func FuzzDerive(f *testing.F) {
	for _, line := range []string{
		"rm -rf /", "x=$(echo rm); $x -rf ~", ":(){ :|:& };:", "cat <<EOF | sh\nrm $x\nEOF", "for i in {1..3}; do echo ${a[$i]%%.*} > f$i; done",
		"sudo env -S 'bash -c \"rm x\"'", "find . -exec rm {} +", "echo a | xargs -I% sh -c 'rm %'",
		"a=(1 2); ${a[@]:1} ${!b} ${c//x/y} $((1+2))",
		"exec 3<>/dev/tcp/h/1; cat <&3 > >(tee f)", "python3 -c 'import os; os.system(\"rm x\")'", "while read x; do rm $x; done <<< a",
		"case $x in a) b;; esac",
		"ssh h 'rm x'", "rm \"", "(((", "trap 'rm x' EXIT; alias a=b; a", "printf '%b' '\\0162' | sh", "tmux send-keys 'ls' Enter",
		"pwsh -c 'ls; rm x'",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		start := time.Now()
		s := Derive(&trammel.Action{Command: line}, frozen())
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("took %s", took)
		}
		consistent(t, s)
	})
}

// FuzzArguments reads calls of tools that nobody knows.
func FuzzArguments(f *testing.F) {
	for _, call := range [][2]string{{"editor", `{"command":"view","path":"/etc/hosts"}`},
		{"mcp__x__run", `{"args":["rm","-rf","x"],"program":"sh"}`},
		{"apply_patch", `{"patch":"*** Begin Patch\n*** Add File: a\n+b\n*** Delete File: c\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n"}`},
		{"edit", `{"edits":{"file:///etc/hosts":[{"newText":"x"}]},"uri":"file:x%2Fy","include":["~/.ssh/*"]}`},
		{"kubectl_get", `{"resourceType":"secrets","name":"a","output":"yaml"}`}, {"sql", `{"q":"{\"a\":[\"DROP TABLE x\"]}"}`},
		{"mcp__aws__call", `{"service_name":"ec2","operation_name":"TerminateInstances","parameters":{"a":1}}`}} {
		f.Add(call[0], call[1])
	}
	f.Fuzz(func(t *testing.T, tool, arguments string) {
		input, err := strict.Object([]byte(arguments), strict.Limits{})
		if err != nil {
			return
		}
		call := &trammel.ToolCall{Name: tool, Input: input}
		call.Action = trammel.Shapes{}.Action(call)
		consistent(t, read(call, false, frozen()))
	})
}

// consistent checks that no reading failed, and that effects refer to runs that are there.
func consistent(t *testing.T, s *Set) {
	t.Helper()
	for _, x := range s.Doubts {
		if x.Code == "failure" {
			t.Errorf("%s", x.What)
		}
		if x.Run >= len(s.Runs) || x.Run < -1 {
			t.Errorf("doubt of run %d", x.Run)
		}
	}
	for i, r := range s.Runs {
		if r.By >= i || r.From >= i || r.By < -1 || r.From < -1 {
			t.Errorf("run %d by %d from %d", i, r.By, r.From)
		}
	}
	for _, x := range s.Files {
		if x.Run >= len(s.Runs) || x.Run < -1 {
			t.Errorf("file of run %d", x.Run)
		}
	}
}

// One reading of a command line, by class.
func BenchmarkEffects(b *testing.B) {
	for _, c := range []struct{ class, line string }{
		{"plain", "ls -la"},
		{"ordinary",
			`cd /work/app && npm ci && npm run build -- --mode production 2>&1 | tee build.log; git add -A && git commit -m "build: $(date +%F)"`},
		{"pipe", `git log --oneline | grep -v merge | awk '{print $1}' | sort -u | head -20 > out.txt`},
		{"wrapped", `sudo env X=1 bash -c 'for f in a b c; do rm -rf "$f"; done'`},
		{"python", `python3 -c "import json, pathlib
for p in pathlib.Path('src').rglob('*.py'):
    text = p.read_text()
    if 'TODO' in text:
        p.write_text(text.replace('TODO', 'DONE'))
print(json.dumps({'done': True}))"`},
		{"100kB", strings.Repeat("git -C repo commit -m 'a message' && make test > log 2>&1; ", 1700)},
	} {
		b.Run(c.class, func(b *testing.B) {
			at := &model.Setting{World: world.System{}, Dir: "/work/app", Project: "/work/app"}
			b.ReportAllocs()
			for b.Loop() {
				Derive(&trammel.Action{Kind: trammel.ShellAction, Command: c.line}, at)
			}
		})
	}
}
