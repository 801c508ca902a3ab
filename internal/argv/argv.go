// Package argv reads the arguments of a program by a specification, as git and
// getopt_long do: clusters of short options, unambiguous abbreviations of long
// ones, values attached or apart, and "--".
package argv

import (
	"strings"

	"github.com/trammel-dev/trammel/effects"
)

// Options are arguments, read by a specification. What the specification does
// not know is passed over, so that an option nobody has heard of hides nothing.
type Options struct {
	flags []flag
	// Operands are the words that are no options.
	Operands []effects.Word
	// Separator is how many operands stand before "--", -1 if there is none.
	Separator int
	// Help is true when the program only shows its help.
	Help bool
}

type flag struct {
	name  string
	value effects.Word
	has   bool // a value was given
	off   bool // --no-name
}

// On reports whether an option is on: the last of --name and --no-name counts.
func (o *Options) On(name string) bool {
	for i := len(o.flags) - 1; i >= 0; i-- {
		if o.flags[i].name == name {
			return !o.flags[i].off
		}
	}
	return false
}

// Off reports whether an option was switched off by name.
func (o *Options) Off(name string) bool {
	for i := len(o.flags) - 1; i >= 0; i-- {
		if o.flags[i].name == name {
			return o.flags[i].off
		}
	}
	return false
}

// Any reports whether one of the options is on.
func (o *Options) Any(names ...string) bool {
	for _, name := range names {
		if o.On(name) {
			return true
		}
	}
	return false
}

// Value returns the last value of an option, and whether the option is on.
func (o *Options) Value(name string) (effects.Word, bool) {
	for i := len(o.flags) - 1; i >= 0; i-- {
		if o.flags[i].name == name {
			return o.flags[i].value, !o.flags[i].off
		}
	}
	return effects.Word{}, false
}

// Values returns all values of an option.
func (o *Options) Values(name string) []effects.Word {
	var out []effects.Word
	for _, f := range o.flags {
		if f.name == name && !f.off {
			out = append(out, f.value)
		}
	}
	return out
}

// Parse reads the arguments by a specification: entries with spaces between
// them, each "x,name", "name" or "x", followed by = if it takes a value, or ?
// if it takes one only where it is attached. An option is known by its long
// name, or by its letter if it has no other. Only the first 10,000 words count.
func Parse(args []effects.Word, spec string) Options {
	args = args[:min(len(args), 10_000)]
	o := Options{Separator: -1}
	table := strings.Fields(spec)
	for i := 0; i < len(args); i++ {
		w := args[i]
		text := w.Text
		switch {
		case o.Separator >= 0 || text == "-" || !strings.HasPrefix(text, "-"):
			o.Operands = append(o.Operands, w)
		case text == "--":
			o.Separator = len(o.Operands)
		case strings.HasPrefix(text, "--"):
			i = o.long(args, i, table)
		default:
			i = o.short(args, i, table)
		}
	}
	return o
}

// long reads --name, --name=value, --no-name and their abbreviations.
func (o *Options) long(args []effects.Word, i int, table []string) int {
	given, value, attached := strings.Cut(args[i].Text[2:], "=")
	if given == "help" && !attached {
		o.Help = true
		return i
	}
	name, kind, off := find(table, given)
	if name == "" {
		return i
	}
	f := flag{name: name, off: off, has: attached, value: effects.Word{Text: value, Known: args[i].Known}}
	if kind == '=' && !attached && !off {
		if i++; i >= len(args) {
			return i
		}
		f.value, f.has = args[i], true
	}
	o.flags = append(o.flags, f)
	return i
}

// find looks a long name up; an abbreviation must fit one name only.
func find(table []string, given string) (name string, kind byte, off bool) {
	fits := 0
	for _, entry := range table {
		_, long, kindOf := parts(entry)
		if long == "" {
			continue
		}
		opposite := "no-" + long
		if bare, is := strings.CutPrefix(long, "no-"); is {
			opposite = bare
		}
		switch {
		case long == given:
			return long, kindOf, false
		case opposite == given:
			return long, kindOf, true
		case strings.HasPrefix(long, given):
			name, kind, off = long, kindOf, false
			fits++
		case strings.HasPrefix(opposite, given) && len(given) > 3:
			name, kind, off = long, kindOf, true
			fits++
		}
	}
	if fits != 1 {
		return "", 0, false
	}
	return name, kind, off
}

// short reads a cluster: -fd, -mmessage, -e pattern.
func (o *Options) short(args []effects.Word, i int, table []string) int {
	cluster := args[i].Text[1:]
	for at := range len(cluster) {
		name, kind := letter(table, cluster[at])
		if name == "" {
			continue
		}
		f := flag{name: name}
		if kind == 0 {
			o.flags = append(o.flags, f)
			continue
		}
		rest := cluster[at+1:]
		switch {
		case rest != "" || kind == '?':
			f.value, f.has = effects.Word{Text: rest, Known: args[i].Known}, rest != ""
		case i+1 < len(args):
			i++
			f.value, f.has = args[i], true
		}
		o.flags = append(o.flags, f)
		return i
	}
	return i
}

func letter(table []string, ch byte) (name string, kind byte) {
	for _, entry := range table {
		short, long, kind := parts(entry)
		if short == ch {
			if long == "" {
				return string(ch), kind
			}
			return long, kind
		}
	}
	return "", 0
}

func parts(entry string) (short byte, long string, kind byte) {
	if last := entry[len(entry)-1]; last == '=' || last == '?' {
		kind, entry = last, entry[:len(entry)-1]
	}
	switch {
	case len(entry) == 1:
		return entry[0], "", kind
	case entry[1] == ',':
		return entry[0], entry[2:], kind
	}
	return 0, entry, kind
}
