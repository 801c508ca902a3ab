// Package fit compares the arguments of a run with the patterns of the table.
package fit

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs/options"
)

// Any reports whether one of several patterns, separated by commas, fits.
func Any(patterns string, a *options.Args) bool {
	for rest := patterns; rest != ""; {
		var one string
		if one, rest, _ = strings.Cut(rest, ","); All(one, a) {
			return true
		}
	}
	return false
}

// All reports whether arguments fit a pattern: words in their order, each with
// alternatives (rm|del) and stars; ** for any words; $ for the end; and options,
// wherever they are: -f|--force, --replicas=0, !--all.
func All(pattern string, a *options.Args) bool {
	at, any := 0, false
	for pattern != "" {
		var term string
		term, pattern = options.CutToken(pattern)
		switch {
		case term == "":
		case term == "$":
			if at < len(a.Operands) {
				return false
			}
		case term == "**":
			any = true
		case strings.HasPrefix(term, "!-"):
			if Given(term[1:], a) {
				return false
			}
		case strings.HasPrefix(term, "-"):
			if !Given(term, a) {
				return false
			}
		default:
			for any && at < len(a.Operands) && !Word(term, &a.Operands[at]) {
				at++
			}
			if at >= len(a.Operands) || !Word(term, &a.Operands[at]) {
				return false
			}
			at, any = at+1, false
		}
	}
	return true
}

// Word reports whether a word is one of the alternatives.
func Word(alternatives string, w *model.Word) bool {
	for rest := alternatives; rest != ""; {
		var one string
		var pattern bool
		if one, rest, pattern = cut(rest); one == "*" || strings.EqualFold(one, w.Text) {
			return true
		}
		if pattern && (w.Known || strings.Contains(one, "/")) && wild(one, strings.ToLower(w.Text)) {
			return true
		}
	}
	return false
}

// cut takes the first alternative off, and reports whether it is more to path.Match
// than itself.
func cut(alternatives string) (one, rest string, pattern bool) {
	for i := range len(alternatives) {
		switch alternatives[i] {
		case '|':
			return alternatives[:i], alternatives[i+1:], pattern
		case '*', '?', '[', '\\':
			pattern = true
		}
	}
	return alternatives, "", pattern
}

// wild is path.Match for words, in which a slash is a letter like all others.
func wild(pattern, text string) bool {
	if c := pattern[0]; c >= 'a' && c <= 'z' && (text == "" || text[0] != c) {
		return false // as most are: the first letters differ
	}
	if strings.IndexByte(text, '/') >= 0 {
		pattern, text = strings.ReplaceAll(pattern, "/", "\x00"), strings.ReplaceAll(text, "/", "\x00")
	}
	ok, _ := path.Match(pattern, text)
	return ok
}

// Given reports whether one of the alternative options is given, with its value
// if the pattern names one.
func Given(alternatives string, a *options.Args) bool {
	for rest := alternatives; rest != ""; {
		var one string
		one, rest, _ = strings.Cut(rest, "|")
		name, value, valued := strings.Cut(strings.TrimLeft(one, "-"), "=")
		if begin, ok := strings.CutSuffix(name, "*"); ok {
			for i := range a.Given {
				if strings.HasPrefix(a.Given[i].Name, begin) {
					return true
				}
			}
		}
		if !valued && a.Follows(one) {
			return true
		}
		if w, on := a.Value(name); on && (!valued || Word(value, &w) || within(value, w.Text)) && (valued || !off(w)) {
			return true
		}
	}
	return false
}

// within reports whether a text has in it what a pattern has between stars, with
// slashes around it, too: *secrets*.
func within(pattern, text string) bool {
	inner := strings.Trim(pattern, "*")
	return len(pattern) == len(inner)+2 && inner != "" && strings.Contains(strings.ToLower(text), inner)
}

// off reports whether --name=value says no.
func off(w model.Word) bool { return w.Text == "false" || w.Text == "none" }

// May is like All, but an unknown word matches anything. more is true if there may
// be further words.
func May(pattern string, a *options.Args, more bool) bool {
	at := 0
	for pattern != "" {
		var term string
		term, pattern = options.CutToken(pattern)
		switch {
		case term == "" || term == "$" || strings.HasPrefix(term, "!-"):
		case term == "**":
			return false // too much would fit
		case term[0] == '-':
			if !more && !Given(term, a) {
				return false
			}
		case at >= len(a.Operands):
			return more
		case a.Operands[at].Known && !Word(term, &a.Operands[at]):
			return false
		default:
			at++
		}
	}
	return true
}

// Same reports whether a word means the same as a verb, by groups that are separated
// by commas: install|i are one command, and add>install says that add is also install.
func Same(groups, word, verb string) bool {
	for rest := groups; rest != ""; {
		var one string
		one, rest, _ = strings.Cut(rest, ",")
		from, to, oneWay := strings.Cut(strings.TrimSpace(one), ">")
		if !oneWay {
			to = from
		}
		if among(from, word) && among(to, verb) {
			return true
		}
	}
	return false
}

func among(group, word string) bool {
	for more := true; more; {
		var one string
		if one, group, more = strings.Cut(group, "|"); strings.Contains(one, "\n") { // the row goes on in another line
			one = strings.Join(strings.Fields(one), " ")
		}
		if one == word {
			return true
		}
	}
	return false
}
