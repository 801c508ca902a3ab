package trammel

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxQuote is how much of a text is quoted, in characters.
const maxQuote = 600

// quote marks what an answer says as the words of a project that no one has
// trusted: a model must not take them for ours, nor a person.
func (a *Answer) quote(id string, from Source) {
	said := func(text string) string {
		if text == "" {
			return ""
		}
		return fmt.Sprintf("The project's rule %q (%s, not trusted) says: %q", id, from, quotable(text))
	}
	a.Reason, a.Notice = said(a.Reason), said(a.Notice)
	a.Context = slices.Clone(a.Context)
	for i, text := range a.Context {
		a.Context[i] = said(text)
	}
}

// quotable is a text in one line, without what a terminal would obey, and not
// too long. Its quotation marks become single ones, so that it cannot end the
// quotation.
func quotable(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '"' || r == '“' || r == '”':
			return '\''
		case r == '\\':
			return '/'
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > maxQuote {
		text = string([]rune(text)[:maxQuote]) + "…"
	}
	return text
}
