package programs

import "strings"

// options says how a program takes its options.
type options struct {
	// short are the letters as getopt wants them: a colon after a letter that
	// takes a value, two if the value must be in the same word.
	short string
	// long are the long options, separated by blanks: "name=" takes a value,
	// "name?" may have one after an equals sign. Names that are left out are
	// read as given, but then do not make an abbreviation ambiguous.
	long string
	// strict is true where the first operand ends the options.
	strict bool
	// dash is true where long options begin with one dash (find, java, go).
	dash bool
	// old is true where the first word may be a cluster without a dash (tar).
	old bool
}

// given is one option that is given. Name is a letter or a long name.
type given struct {
	name  string
	value Word
	has   bool // it has a value
}

// arguments are the arguments of a program, sorted.
type arguments struct {
	given    []given
	operands []Word
	refused  bool // an abbreviation could be several options: the program stops
}

// read sorts arguments into options and operands.
func (o *options) read(args []Word) arguments {
	var out arguments
	for i := 0; i < len(args); i++ {
		w := args[i]
		t := w.Text
		cluster := ""
		switch {
		case w.Known && t == "--" && !o.dash:
			out.operands = append(out.operands, args[i+1:]...)
			return out
		case w.Known && len(t) > 2 && t[0] == '-' && t[1] == '-', w.Known && o.dash && len(t) > 1 && t[0] == '-':
			name, value, has := strings.Cut(strings.TrimLeft(t, "-"), "=")
			full, takes, ok := o.find(name)
			if !ok {
				out.refused = true
				continue
			}
			g := given{name: full, value: Word{Text: value, Known: true, Glob: w.Glob}, has: has}
			if !has && takes && i+1 < len(args) {
				i++
				g.value, g.has = args[i], true
			}
			out.given = append(out.given, g)
		case w.Known && len(t) > 1 && t[0] == '-':
			cluster = t[1:]
		case w.Known && i == 0 && o.old && t != "" && !strings.Contains(t, "/"):
			cluster = t
		default:
			if o.strict {
				out.operands = append(out.operands, args[i:]...)
				return out
			}
			out.operands = append(out.operands, w)
		}
		i = o.letters(cluster, w, args, i, &out)
	}
	return out
}

// letters reads a cluster of one-letter options and returns the index of the
// last word that belongs to it.
func (o *options) letters(cluster string, w Word, args []Word, i int, out *arguments) int {
	for n := 0; n < len(cluster); n++ {
		g := given{name: cluster[n : n+1]}
		at := strings.IndexByte(o.short, cluster[n])
		if at < 0 || cluster[n] == ':' || at+1 >= len(o.short) || o.short[at+1] != ':' {
			out.given = append(out.given, g)
			continue
		}
		attached := strings.HasPrefix(o.short[at+1:], "::")
		switch {
		case n+1 < len(cluster) && w.Text[0] == '-':
			g.value, g.has = Word{Text: cluster[n+1:], Known: true, Glob: w.Glob}, true
			n = len(cluster)
		case !attached && i+1 < len(args):
			i++
			g.value, g.has = args[i], true
		}
		out.given = append(out.given, g)
	}
	return i
}

// find completes the name of a long option. It fails if that could be several.
func (o *options) find(name string) (full string, takes, ok bool) {
	matches := 0
	for rest := o.long; rest != ""; {
		var one string
		one, rest, _ = strings.Cut(rest, " ")
		plain := strings.TrimRight(one, "=?")
		if plain == name {
			return plain, strings.HasSuffix(one, "="), true
		}
		if name != "" && !o.dash && strings.HasPrefix(plain, name) {
			matches++
			full, takes = plain, strings.HasSuffix(one, "=")
		}
	}
	switch matches {
	case 0:
		return name, false, true
	case 1:
		return full, takes, true
	}
	return "", false, false
}

// has reports whether one of these options is given.
func (a *arguments) has(names ...string) bool {
	_, ok := a.value(names...)
	return ok
}

// value returns the last value that is given for one of these options.
func (a *arguments) value(names ...string) (w Word, ok bool) {
	for i := range a.given {
		for _, name := range names {
			if a.given[i].name == name {
				w, ok = a.given[i].value, true
			}
		}
	}
	return w, ok
}

// values calls f for each value that is given for one of these options.
func (a *arguments) values(f func(Word), names ...string) {
	for i := range a.given {
		for _, name := range names {
			if a.given[i].name == name && a.given[i].has {
				f(a.given[i].value)
			}
		}
	}
}
