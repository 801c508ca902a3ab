package match

import (
	"iter"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/programs"
)

// Words are the arguments of a run, for questions about them. The zero Words are
// unknown: with Loose they may contain anything.
type Words struct {
	Run *effects.Run
	// Loose makes an argument count that may be there: one that is unknown, or
	// cannot be seen.
	Loose bool
	// Wide makes other ways to write an argument count, for rules that stop calls: git push
	// origin HEAD:main has main.
	Wide bool
	// Turn is which of several values of an option counts, from 1 on; 0 is the last.
	Turn int
}

func (w Words) args() []effects.Word {
	if w.Run == nil {
		return nil
	}
	return w.Run.Args
}

// List returns the arguments' texts.
func (w Words) List() []string {
	out := make([]string, len(w.args()))
	for i := range out {
		out[i] = w.Run.Args[i].Text
	}
	return out
}

// Text returns the arguments, joined by blanks.
func (w Words) Text() string { return strings.Join(w.List(), " ") }

// Unknown reports whether there may be arguments that cannot be seen, or
// arguments whose text is not known.
func (w Words) Unknown() bool {
	if w.Run == nil || w.Run.More {
		return true
	}
	for i := range w.Run.Args {
		if !w.Run.Args[i].Known {
			return true
		}
	}
	return false
}

// Has reports whether any of the given words is among the arguments. An option
// is also found with a value (--x=1), abbreviated the way git and GNU programs
// allow (--forc), or in a cluster (-uf); a cluster (-rf) also with its letters
// apart, and a long option with one dash (-auto-approve) also with two; --x=1
// also as two words, and a word that is no option also as an option's value
// (--x=word). Where the program is known, -f and --force are the same. After a
// bare -- there are only operands.
func (w Words) Has(any ...string) bool {
	w, any = w.folded(any)
	for _, want := range any {
		if w.has(want) || w.Wide && w.forced(want) {
			return true
		}
		name, _, _ := strings.Cut(want, "=")
		for _, alias := range w.aliases(name) {
			if w.has(alias + want[len(name):]) {
				return true
			}
		}
	}
	return false
}

// folded is both in lower case for a program that does not tell it from upper case.
func (w Words) folded(wanted []string) (Words, []string) {
	if w.Run == nil {
		return w, wanted
	}
	if row, _ := programs.Lookup(w.Run.Program); !row.Folds() {
		return w, wanted
	}
	run := *w.Run
	run.Args = slices.Clone(run.Args)
	for i := range run.Args {
		run.Args[i].Text = strings.ToLower(run.Args[i].Text)
	}
	lower := make([]string, len(wanted))
	for i, text := range wanted {
		lower[i] = strings.ToLower(text)
	}
	w.Run = &run
	return w, lower
}

// aliases are the other names of an option.
func (w Words) aliases(option string) []string {
	if w.Run == nil || len(option) < 2 || option[0] != '-' {
		return nil
	}
	return programs.Aliases(w.Run, option)
}

// RunWords returns the arguments of a run, including options set by variables.
func RunWords(r *effects.Run, loose bool) Words { return Words{Run: programs.Told(r), Loose: loose} }

func (w Words) has(want string) bool {
	if w.Loose && (w.Run == nil || w.Run.More) {
		return true
	}
	if name, value, ok := strings.Cut(want, "="); ok && len(name) > 1 && name[0] == '-' {
		for got := range w.given(name) {
			if got.Text == value || w.Loose && !got.Known && mayBe(got.Text, value) {
				return true
			}
		}
		return false
	}
	if len(want) > 2 && want[0] == '-' && isCluster(want[1:]) && w.letters(want[1:]) {
		return true
	}
	operands := false
	args := w.args()
	read := reading{run: w.Run}
	for i := range args {
		a := &args[i]
		switch {
		case w.Loose && !a.Known && !a.Names && (!operands || want == "" || want[0] != '-') && mayBe(a.Text, want) && !read.misplaced(i, want):
			return true
		case operands && !strings.HasPrefix(want, "-") && a.Text == want:
			return true
		case operands:
		case (isWord(a.Text, want) || inCluster(a.Text, want) && w.clusters() || w.oneDash(want, a.Text)) && !read.misplaced(i, want),
			w.resource(a.Text, want), w.Wide && w.pushedTo(a.Text, want):
			return true
		case a.Text == "--":
			operands = true
		}
	}
	return w.verb(want) || len(want) == 2 && want[0] == '-' && w.Run != nil && read.listed(want[1])
}

// resource reports whether a word is a kind of thing in a cluster, and a text names it
// with others or with a name: pods,secrets and secret/db.
func (w Words) resource(text, want string) bool {
	if want == "" || want[0] == '-' || !strings.ContainsAny(text, ",/") || strings.ContainsAny(want, ",/") || text[0] == '-' || w.Run == nil {
		return false
	}
	if row, _ := programs.Lookup(w.Run.Program); !row.Lists() {
		return false
	}
	for one := range strings.SplitSeq(text, ",") {
		if kind, _, _ := strings.Cut(one, "/"); kind == want {
			return true
		}
	}
	return false
}

// pushedTo reports whether a word is where git push puts something, and a text names it in
// another way: feature:main, +main and refs/heads/main for main.
func (w Words) pushedTo(text, want string) bool {
	if w.Run == nil || w.Run.Program != "git" || want == "" || !strings.HasSuffix(text, want) || !w.git("push") {
		return false
	}
	_, to, apart := strings.Cut(strings.TrimPrefix(text, "+"), ":")
	if !apart {
		to = strings.TrimPrefix(text, "+")
	}
	return strings.TrimPrefix(strings.TrimPrefix(to, "refs/"), "heads/") == want
}

func (w Words) git(sub string) bool {
	git, ok := programs.ReadGit(w.Run)
	return ok && git.Sub == sub
}

// forced reports whether an option of git branch is given as two: -d -f for -D.
func (w Words) forced(want string) bool {
	if w.Run == nil || w.Run.Program != "git" || want != "-D" && want != "-M" && want != "-C" || !w.git("branch") {
		return false
	}
	return w.Has(strings.ToLower(want)) && w.Has("-f")
}

// verb reports whether one of the first two operands is another name of a word: npm
// i for install, gh pr new for create. What is run is not the program's own.
func (w Words) verb(want string) bool {
	if w.Run == nil || want == "" || want[0] == '-' {
		return false
	}
	row, _ := programs.Lookup(w.Run.Program)
	if !row.Renames() {
		return false
	}
	own := operands(w.Run)
	for i := range own[:min(len(own), 2)] {
		switch text := own[i].Text; {
		case row.Means(text, want):
			return true
		case row.Means(text, "run") || row.Means(text, "exec"):
			return false
		}
	}
	return false
}

// reading is how a program reads its arguments, once that is asked.
type reading struct {
	run    *effects.Run
	places programs.Places
	done   bool
}

func (r *reading) is() *programs.Places {
	if !r.done {
		r.places, r.done = programs.PlacesOf(r.run), true
	}
	return &r.places
}

// listed reports whether a letter that the program's row lists is given: -XDELETE, tar xf.
func (r *reading) listed(letter byte) bool {
	return slices.ContainsFunc(r.is().Options(), func(g programs.Given) bool { return g.Letter == letter && !g.Unlisted && !g.Off })
}

// misplaced reports whether an argument only looks like an option of the program.
func (r *reading) misplaced(i int, option string) bool {
	return len(option) > 1 && option[0] == '-' && r.is().Misplaced(i, option)
}

// letters reports whether all of these letters are given as options, in one cluster
// or several.
func (w Words) letters(all string) bool {
	for i := range len(all) {
		if !w.Has("-" + all[i:i+1]) {
			return false
		}
	}
	return true
}

// clusters reports whether the program takes letters together: -rf. One that has
// long options with one dash does not.
func (w Words) clusters() bool {
	if w.Run == nil {
		return true
	}
	row, _ := programs.Lookup(w.Run.Program)
	return row.Clusters()
}

// oneDash reports whether a text is a long option with one dash, and the program
// one that takes it for the same as with two: terraform.
func (w Words) oneDash(option, text string) bool {
	text, _, _ = strings.Cut(text, "=")
	return len(option) > 3 && option[:2] == "--" && text == option[1:] && !w.clusters()
}

// Value returns the value of an option given as --x=1, --x 1, -x 1 or -x1, as far
// as it is known; "" if it is missing. The last one counts, as for most programs.
func (w Words) Value(names ...string) string {
	all := w.values(names)
	if w.Turn > 0 && w.Turn <= len(all) {
		return all[w.Turn-1]
	} else if len(all) > 0 {
		return all[len(all)-1]
	}
	return ""
}

// Turns is how many values the options have at most. Of several accounts or clusters, only the
// last is meant.
func (w Words) Turns(names ...string) (most int) {
	if w.Run == nil {
		return 0
	}
	read := reading{run: w.Run}
	for _, name := range names {
		all := append(w.aliases(name), name)
		if slices.ContainsFunc(read.is().Options(), func(g programs.Given) bool {
			return strings.HasPrefix(g.Role, "N") && slices.Contains(all, g.Spelled())
		}) {
			continue
		}
		most = max(most, len(w.values([]string{name})))
	}
	return most
}

// values are those of the first of these options that is given.
func (w Words) values(names []string) (all []string) {
	for _, name := range names {
		for _, name := range append([]string{name}, w.aliases(name)...) {
			for v := range w.given(name) {
				all = append(all, v.Text)
			}
		}
		if all != nil {
			break
		}
	}
	return all
}

// Several reports whether options are given more than one value between them, so that
// Value is not the whole truth; with part also whether a value has several statements.
func (w Words) Several(part bool, names ...string) bool {
	var first *string
	for _, name := range names {
		for _, n := range append(w.aliases(name), name) {
			for v := range w.given(n) {
				if first != nil && *first != v.Text || part && strings.ContainsAny(strings.TrimRight(v.Text, "; \n"), ";\n") {
					return true
				}
				first = &v.Text
			}
		}
	}
	return false
}

// given lists the values of an option.
func (w Words) given(name string) iter.Seq[effects.Word] {
	return func(yield func(effects.Word) bool) {
		args := w.args()
		read := reading{run: w.Run}
		for i := range args {
			text := args[i].Text
			if text == "--" {
				return
			}
			before, value, apart := text, "", true
			if option, rest, ok := strings.Cut(text, "="); ok {
				before, value, apart = option, rest, false
			}
			is := before == name || strings.HasPrefix(name, "--") && abbreviates(before, name) ||
				len(name) > 2 && name[1] != '-' && before == "-"+name || w.oneDash(name, before)
			letter := len(name) == 2 && len(text) > 2 && strings.HasPrefix(text, name) && text[1] != '-'
			switch {
			case (is || letter) && read.misplaced(i, name):
			case is && !apart:
				if !yield(effects.Word{Text: value, Known: args[i].Known}) {
					return
				}
			case is && i+1 < len(args):
				if !yield(args[i+1]) {
					return
				}
			case !is && letter && !yield(effects.Word{Text: text[2:], Known: args[i].Known}):
				return
			case !is && !letter && inCluster(text, name):
				if v, ok := read.is().Clustered(i, name[1]); ok && !yield(v) {
					return
				}
			}
		}
	}
}

// Starts reports whether an argument begins with one of these: git push +main.
func (w Words) Starts(any ...string) bool {
	if w.Loose && (w.Run == nil || w.Run.More) {
		return true
	}
	for _, a := range w.args() {
		for _, want := range any {
			if strings.HasPrefix(a.Text, want) || w.Loose && !a.Known && !a.Names && unknownAt(a.Text) < len(want) && mayBe(a.Text, want) {
				return true
			}
		}
	}
	return false
}

func isWord(text, want string) bool {
	switch {
	case text == want:
		return true
	case len(want) > 0 && want[0] != '-':
		option, value, ok := strings.Cut(text, "=")
		return ok && value == want && len(option) > 1 && option[0] == '-'
	case len(want) < 2 || len(text) < 2 || text[0] != '-':
		return false
	case want[1] == '-':
		name, _, _ := strings.Cut(text, "=")
		return name == want || abbreviates(name, want)
	}
	name, _, _ := strings.Cut(text, "=")
	return len(want) > 2 && (name == want || name[1:] == want)
}

// inCluster reports whether a letter is one of several in a cluster.
func inCluster(text, want string) bool {
	return len(want) == 2 && want[0] == '-' && want[1] != '-' && len(text) > 2 && text[0] == '-' && isCluster(text[1:]) &&
		strings.IndexByte(text[1:], want[1]) >= 0
}

// mayBe reports whether a partly unknown text can be the wanted one: the part
// before the unknown one fits.
func mayBe(text, want string) bool {
	if strings.HasPrefix(text, "$(git ") {
		return false // names of branches and commits, and no options
	}
	begin := text[:unknownAt(text)]
	cluster := len(want) == 2 && want[0] == '-' && strings.HasPrefix(begin, "-") && !strings.HasPrefix(begin, "--")
	return strings.HasPrefix(want, begin) || cluster
}

// unknownAt is where the unknown part of a text begins.
func unknownAt(text string) int {
	if i := strings.IndexAny(text, "$`"); i >= 0 {
		return i
	}
	return 0
}

// abbreviates reports whether name is a shortened form of a long option. At
// least two characters have to be there (git takes --ha for --hard), and where the option has several
// parts the first has to be whole and the second begun: --force is an option
// of its own and no short form of --force-with-lease.
func abbreviates(name, option string) bool {
	if len(name) < len("--")+2 || len(name) >= len(option) || !strings.HasPrefix(option, name) {
		return false
	}
	dash := strings.IndexByte(option[2:], '-')
	return dash < 0 || len(name) > 2+dash+1
}

func isCluster(letters string) bool {
	for _, c := range []byte(letters) {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return len(letters) <= 5
}
