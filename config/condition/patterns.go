package condition

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
)

// pattern looks for regular expressions that fit no text, and for a backslash too many.
func (m *mistakes) pattern(text string) {
	re, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return // compiling says so
	}
	if fitsNone(re) {
		m.never("the pattern %q demands something behind the end of a text, or before its beginning", text)
	}
	if class := doubled(text); class != "" {
		m.found = append(m.found, Mistake{Code: "misspelled", Fix: fmt.Sprintf(`write \%s`, class),
			Text: fmt.Sprintf(`%q looks for a backslash and the letter %s`, text, class[1:])})
	}
}

// doubled is a class of characters that is spelled with a backslash too many, as in \\s+,
// "" if there is none. A letter that others follow is part of a Windows path: C:\\dir.
func doubled(text string) string {
	for rest := text; ; {
		_, after, ok := strings.Cut(rest, `\\`)
		if !ok {
			return ""
		}
		if after != "" && strings.Contains("sdwbSDWB", after[:1]) && (len(after) == 1 || strings.Contains("+*?({|)", after[1:2])) {
			return `\` + after[:1]
		}
		rest = after
	}
}

// fitsNone reports whether an expression fits no text.
func fitsNone(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpNoMatch:
		return true
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !fitsNone(sub) })
	case syntax.OpCapture, syntax.OpPlus:
		return fitsNone(re.Sub[0])
	case syntax.OpConcat:
		taken, ended := false, false
		for _, sub := range re.Sub {
			takes := least(sub) > 0
			if fitsNone(sub) || ended && takes || taken && sub.Op == syntax.OpBeginText {
				return true
			}
			taken, ended = taken || takes, ended || sub.Op == syntax.OpEndText
		}
	}
	return false
}

// least is how many characters an expression takes at least.
func least(re *syntax.Regexp) (n int) {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpCapture, syntax.OpPlus:
		return least(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min * least(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			n += least(sub)
		}
	case syntax.OpAlternate:
		n = least(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			n = min(n, least(sub))
		}
	}
	return n
}
