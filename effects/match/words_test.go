package match

import (
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects"
)

// wordsOf are arguments; those with a $ are unknown, and ... stands for more.
func wordsOf(line string, loose bool) Words {
	r := &effects.Run{}
	for _, word := range strings.Fields(line) {
		if word == "..." {
			r.More = true
			continue
		}
		r.Args = append(r.Args, effects.Word{Text: word, Known: !strings.Contains(word, "$")})
	}
	return Words{Run: r, Loose: loose}
}

// Where the program is known, the two names of an option are one.
func TestAliases(t *testing.T) {
	for _, tc := range []struct {
		line, want string
		has        bool
	}{
		{"git push -f", "--force", true},
		{"git push -uf", "--force", true},
		{"git push --force", "-f", true},
		{"git push --forc", "-f", true},
		{"git -C x push -f", "--force", true},
		{"git push -q", "--force", false},
		{"git push -- -f", "--force", false},
		{"git push --force-with-lease", "-f", false},
		{"rm --recursive --force x", "-rf", true},
		{"rm --recursive x", "-rf", false},
		{"rm -rf x", "--recursive", true},
		{"rm -f x", "--recursive", false},
		{"kubectl delete pod -n prod", "--namespace=prod", true},
		{"kubectl delete pod -nprod", "--namespace=prod", true},
		{"kubectl delete pod --namespace prod", "-n=prod", true},
		{"kubectl delete pod -n test", "--namespace=prod", false},
		{"unknown-program -f", "--force", false},
	} {
		words := strings.Fields(tc.line)
		w := wordsOf(strings.Join(words[1:], " "), false)
		w.Run.Program = words[0]
		if got := w.Has(tc.want); got != tc.has {
			t.Errorf("%s has %s: %v", tc.line, tc.want, got)
		}
	}
	w := wordsOf("get pods -n prod", false)
	w.Run.Program = "kubectl"
	if got := w.Value("--namespace"); got != "prod" {
		t.Errorf("--namespace is %q", got)
	}
}

// What args.has, args.starts and args.begins find. In doubt, what may be there counts.
func TestWords(t *testing.T) {
	const starts, begins = "starts ", "begins "
	for _, tc := range []struct {
		args, want    string
		sure, loosely bool
	}{
		{"push --force", "--force", true, true},
		{"push --force=x", "--force", true, true},
		{"push --forc", "--force", true, true},
		{"push --fo", "--force", true, true},
		{"push --f", "--force", false, false},
		{"push --forced", "--force", false, false},
		{"push --force", "--force-with-lease", false, false},
		{"push --force-", "--force-with-lease", false, false},
		{"push --force-w", "--force-with-lease", true, true},
		{"push --ha=1", "--hard", true, true},
		{"push -uf", "-f", true, true},
		{"push -abcdf", "-f", true, true},
		{"push -abcdef", "-f", false, false}, // a word with one dash
		{"push -AZzaf", "-f", true, true},
		{"push -u1f", "-f", false, false},
		{"push -u@f", "-f", false, false},
		{"push -u[f", "-f", false, false},
		{"push -u`f", "-f", false, false},
		{"push -u{f", "-f", false, false},
		{"push -", "-f", false, false},
		{"push uf", "-f", false, false},
		{"push -xy", "-xyz", false, false},
		{"-f", "-", false, false},
		{"-", "-", true, true},
		{"--x=word", "word", true, true},
		{"-=word", "word", false, false},
		{"x=word", "word", false, false},
		{"word", "", false, false},
		{"--x=word", "wor", false, false},
		{"--x=1", "--x=1", true, true},
		{"--x 1", "--x=1", true, true},
		{"--exact 1", "--exactly=1", true, true},
		{"--exact=1", "--exactly=1", true, true},
		{"--exact=2 1", "--exactly=1", false, false},
		{"-x 1", "-x=1", true, true},
		{"-x1", "-x=1", true, true},
		{"--x", "--x=", false, false},
		{"--x", "-x=", false, false},
		{"x1", "-x=1", false, false},
		{"-x 2", "-x=1", false, false},
		{"-y 1", "-x=1", false, false},
		{"=1", "=1", true, true},
		{"ab 1", "ab=1", false, false}, // no option, so no value of its own
		{"--x $V", "--x=1", false, true},
		{"--x a$V", "--x=1", false, false},
		{"--x=a$V", "--x=ab", false, true},
		{"-- --x 1", "--x=1", false, false},
		{"-- --force", "--force", false, false},
		{"-- file", "file", true, true},
		{"-- -f", "-f", false, false},
		{"--", "--", true, true},
		{"-- $V", "--force", false, false},
		{"-- $V", "file", false, true},
		{"$V", "--force", false, true},
		{"--fo$V", "--force", false, true},
		{"--no$V", "--force", false, false},
		{"-u$V", "-f", false, true},
		{"--u$V", "-f", false, false},
		{"u$V", "-f", false, false},
		{"-u$V", "--force", false, false},
		{"$(git$V", "x", false, true},
		{"a ...", "--force", false, true},
		{"origin +main", starts + "+", true, true},
		{"origin main", starts + "+", false, false},
		{"a ...", starts + "+", false, true},
		{"$V", starts + "+", false, true},
		{"+$V", starts + "+", true, true},
		{"a$V", starts + "+", false, false},
		{"ab$V", starts + "abc", false, true},
		{"abd$V", starts + "abc", false, false},
		{"push origin", begins + "push", true, true},
		{"pushx", begins + "push", false, false},
		{"-C x push", begins + "push", true, true},
		{"-c a=b --no-pager push", begins + "push", true, true},
		{"-C push status", begins + "push", false, false},
		{"stash push", begins + "push", false, false},
		{"push origin -f", begins + "push --force", true, true},
		{"push origin -uf", begins + "push -f", true, true},
		{"push --forc origin", begins + "push --force", true, true},
		{"push --force origin", begins + "push --force origin", true, true},
		{"push origin --force", begins + "push --force origin", true, true},
		{"push other --force", begins + "push --force origin", false, false},
		{"push -- --force", begins + "push --force", false, false},
		{"-C x status", begins + "-C x status", true, true},
		{"--no-pager -C x status", begins + "-C x status", true, true},
		{"-C y status", begins + "-C x status", false, false},
		{"$V", begins + "push", false, true},
		{"push $V", begins + "push origin", false, true},
		{"pull $V", begins + "push origin", false, false},
		{"...", begins + "push", false, true},
		{"pull ...", begins + "push", false, false},
	} {
		for loose, want := range map[bool]bool{false: tc.sure, true: tc.loosely} {
			w := wordsOf(tc.args, loose)
			got := w.Has(tc.want)
			if prefix, ok := strings.CutPrefix(tc.want, starts); ok {
				got = w.Starts(prefix)
			}
			if words, ok := strings.CutPrefix(tc.want, begins); ok {
				w.Run.Program = "git"
				got = w.Begins(strings.Fields(words)...)
			}
			if got != want {
				t.Errorf("%q in %q, loose %v: got %v", tc.want, tc.args, loose, got)
			}
		}
	}
	if nothing := (Words{Loose: true}); !nothing.Has("x") || !nothing.Starts("x") || (Words{}).Has("x") || (Words{}).Starts("x") {
		t.Error("of what is not known, anything may be among the arguments, but only if that counts")
	}
}

// A name that a program lists is no option and no word that a rule means.
func TestWordsThatAreNames(t *testing.T) {
	w := Words{Run: &effects.Run{Args: []effects.Word{{Text: "$(ls)", Names: true}}}, Loose: true}
	if w.Has("--force") || w.Starts("+") {
		t.Error("a name is taken for an option")
	}
}

func TestWordsUnknown(t *testing.T) {
	for args, want := range map[string]bool{"": false, "a b": false, "a $V": true, "a ...": true} {
		if got := wordsOf(args, false).Unknown(); got != want {
			t.Errorf("%q: got %v", args, got)
		}
	}
	if !(Words{}).Unknown() {
		t.Error("nothing is known of nothing")
	}
}

func TestOptionValues(t *testing.T) {
	for args, want := range map[string]string{"--name=a": "a", "--name b": "b", "--nam=c": "c", "-n d": "d", "-ne": "e", "--": "",
		"-- --name f": "",
		"--name":      "", "-n --name=g": "g", "--n=h": "", "-name": "ame"} {
		if got := wordsOf(args, false).Value("--name", "-n"); got != want {
			t.Errorf("%q: got %q, want %q", args, got, want)
		}
	}
}
