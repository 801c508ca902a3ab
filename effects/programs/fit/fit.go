// Package fit compares the arguments of a run with the patterns of the table.
package fit

import (
	"path"
	"strings"
	"unicode/utf8"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs/options"
)

// Any reports whether one of several patterns, separated by commas, fits.
func Any(patterns string, a *options.Args) bool { return apart(patterns).any(a) }

// Word reports whether a word is one of the alternatives.
func Word(alternatives string, w *model.Word) bool {
	to := operandOf(w)
	for rest := alternatives; rest != ""; {
		var one word
		if one, rest = cut(rest); one.is(&to) {
			return true
		}
	}
	return false
}

// word is one of several alternatives. A pattern is more to path.Match than itself, and
// not simple if it has more than stars.
type word struct {
	text            string
	pattern, simple bool
}

// cut takes the first alternative off.
func cut(alternatives string) (one word, rest string) {
	defer func() {
		if one.pattern { // it is compared with small letters
			one.text = strings.ToLower(one.text)
		}
	}()
	for i := range len(alternatives) {
		switch alternatives[i] {
		case '|':
			one.text = alternatives[:i]
			return one, alternatives[i+1:]
		case '*':
			one.simple, one.pattern = one.simple || !one.pattern, true
		case '?', '[', '\\':
			one.simple, one.pattern = false, true
		}
	}
	one.text = alternatives
	return one, ""
}

// operand is a word, ready to be compared with many others.
type operand struct {
	*model.Word
	lower string
	plain bool // it has only ASCII letters, so that a word of another length is another one
}

func operandOf(w *model.Word) operand {
	to := operand{Word: w, lower: strings.ToLower(w.Text), plain: true}
	for i := range len(w.Text) {
		to.plain = to.plain && w.Text[i] < utf8.RuneSelf
	}
	return to
}

// is compares an alternative with a word, in any case.
func (o *word) is(to *operand) bool {
	if o.pattern && (o.text == "*" || (to.Known || strings.Contains(o.text, "/")) && o.wild(to.lower)) {
		return true
	}
	return (len(o.text) == len(to.Text) || !to.plain) && strings.EqualFold(o.text, to.Text)
}

// wild is path.Match for words, in which a slash is a letter like all others.
func (o *word) wild(text string) bool {
	pattern := o.text
	if c := pattern[0]; c >= 'a' && c <= 'z' && (text == "" || text[0] != c) {
		return false // as most are: the first letters differ
	}
	if o.simple {
		return stars(pattern, text)
	}
	if strings.IndexByte(text, '/') >= 0 {
		pattern, text = strings.ReplaceAll(pattern, "/", "\x00"), strings.ReplaceAll(text, "/", "\x00")
	}
	ok, _ := path.Match(pattern, text)
	return ok
}

// stars matches a pattern that has nothing but stars.
func stars(pattern, text string) bool {
	head, rest, _ := strings.Cut(pattern, "*")
	if !strings.HasPrefix(text, head) {
		return false
	}
	for text = text[len(head):]; ; {
		middle, after, more := strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(text, rest)
		}
		at := strings.Index(text, middle)
		if at < 0 {
			return false
		}
		text, rest = text[at+len(middle):], after
	}
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

// May reports whether a pattern fits, where an unknown word matches anything. more is true if there may
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
		case (a.Operands[at].Known || strings.HasPrefix(a.Operands[at].Text, "-")) && !Word(term, &a.Operands[at]): // --token=$X
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
