package shell

import "strings"

// Words are the arguments of one command, to be asked what is among them.
type Words struct {
	args    []Word
	hidden  []string
	dynamic bool
}

// List returns the arguments' texts.
func (w Words) List() []string {
	out := make([]string, len(w.args))
	for i := range w.args {
		out[i] = w.args[i].Text
	}
	return out
}

// Text returns the arguments, joined by blanks.
func (w Words) Text() string { return strings.Join(w.List(), " ") }

// Unknown reports whether there may be arguments that cannot be seen, or
// arguments whose text is not known.
func (w Words) Unknown() bool {
	if w.dynamic || len(w.hidden) > 0 {
		return true
	}
	for i := range w.args {
		if !w.args[i].Static {
			return true
		}
	}
	return false
}

// Has reports whether any of the given words is among the arguments. A long
// option is also found with a value (--x=1) and abbreviated the way git and
// GNU programs allow (--forc), a single letter also in a cluster (-uf). After
// a bare -- there are only operands. Where arguments cannot be seen, a word
// that the source mentions at all counts as given.
func (w Words) Has(any ...string) bool {
	for _, want := range any {
		if w.has(want) {
			return true
		}
	}
	return false
}

func (w Words) has(want string) bool {
	operands := false
	for i := range w.args {
		text := w.args[i].value
		switch {
		case operands && !strings.HasPrefix(want, "-") && text == want:
			return true
		case operands:
		case isWord(text, want), w.args[i].pattern && inBraces(text, want):
			return true
		case text == "--":
			operands = true
		}
	}
	for _, source := range w.hidden {
		if w.dynamic && strings.Contains(source, want) || mentions(source, want) {
			return true
		}
	}
	return false
}

func isWord(text, want string) bool {
	switch {
	case text == want:
		return true
	case len(want) < 2 || want[0] != '-' || len(text) < 2 || text[0] != '-':
		return false
	case want[1] == '-':
		name, _, _ := strings.Cut(text, "=")
		return name == want || abbreviates(name, want)
	}
	return len(want) == 2 && isCluster(text[1:]) && strings.IndexByte(text[1:], want[1]) >= 0
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

// inBraces reports whether a word with braces can expand to want: as one of
// the choices in {a,b}, or with a choice in the place of the braces.
func inBraces(text, want string) bool {
	open, end := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if open < 0 || end < open || !strings.ContainsAny(text[open:end], ",.") {
		return false
	}
	before, after := text[:open], text[end+1:]
	if before == "" && after == "" {
		return mentions(text, want)
	}
	return len(want) >= len(before)+len(after) && strings.HasPrefix(want, before) && strings.HasSuffix(want, after)
}

// mentions reports whether want stands in the source as a word, in whatever quotes.
func mentions(source, want string) bool {
	if want == "" {
		return false
	}
	for at := 0; ; {
		i := strings.Index(source[at:], want)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(want)
		if (from == 0 || !joins(source[from-1])) && (to == len(source) || !joins(source[to])) {
			return true
		}
		at = from + 1
	}
}

func joins(c byte) bool {
	return c == '-' || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}
