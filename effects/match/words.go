package match

import (
	"strings"

	"github.com/trammel-dev/trammel/effects"
)

// Words are the arguments of a run, to be asked what is among them. The zero
// Words are those of something that is not known: with Loose there may be
// anything among them.
type Words struct {
	Run *effects.Run
	// Loose makes an argument count that may be there: one that is unknown, or
	// cannot be seen.
	Loose bool
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
// allow (--forc), or in a cluster (-uf); --x=1 also as two words, and a word that
// is no option also as an option's value (--x=word). After a bare -- there are
// only operands.
func (w Words) Has(any ...string) bool {
	for _, want := range any {
		if w.has(want) {
			return true
		}
	}
	return false
}

func (w Words) has(want string) bool {
	if w.Loose && (w.Run == nil || w.Run.More) {
		return true
	}
	if name, value, ok := strings.Cut(want, "="); ok && len(name) > 1 && name[0] == '-' {
		got, found := w.option(name)
		return found && (got.Text == value || w.Loose && !got.Known && mayBe(got.Text, value))
	}
	operands := false
	args := w.args()
	for i := range args {
		a := &args[i]
		switch {
		case w.Loose && !a.Known && !a.Names && (!operands || want == "" || want[0] != '-') && mayBe(a.Text, want):
			return true
		case operands && !strings.HasPrefix(want, "-") && a.Text == want:
			return true
		case operands:
		case isWord(a.Text, want):
			return true
		case a.Text == "--":
			operands = true
		}
	}
	return false
}

// Value is what an option is given, as --x=1, --x 1, -x 1 or -x1: the text as
// far as it is known, "" if it is not there.
func (w Words) Value(names ...string) string {
	for _, name := range names {
		if v, ok := w.option(name); ok {
			return v.Text
		}
	}
	return ""
}

func (w Words) option(name string) (effects.Word, bool) {
	args := w.args()
	for i := range args {
		text := args[i].Text
		if text == "--" {
			break
		}
		long := strings.HasPrefix(name, "--")
		before, value, given := strings.Cut(text, "=")
		if given && (before == name || long && abbreviates(before, name)) {
			return effects.Word{Text: value, Known: args[i].Known}, true
		}
		if (text == name || long && !given && abbreviates(text, name)) && i+1 < len(args) {
			return args[i+1], true
		}
		if len(name) == 2 && len(text) > 2 && strings.HasPrefix(text, name) && text[1] != '-' {
			return effects.Word{Text: text[2:], Known: args[i].Known}, true
		}
	}
	return effects.Word{}, false
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
	return len(want) == 2 && isCluster(text[1:]) && strings.IndexByte(text[1:], want[1]) >= 0
}

// mayBe reports whether a text of which a part is unknown can be what is wanted:
// what stands before that part says so.
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
