package optnames

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/recipes"
)

// maxLine is how long a text is in which a command line is looked for.
const maxLine = 1 << 16

// maxPiped is how much is read behind a | for the program that gets its output.
const maxPiped = 256

// Lines finds command lines in the texts that a program is given.
type Lines struct {
	Program    func(name string) bool
	ReachesOut func(text string) bool
	Own        bool // the program is the project's own, and may only talk about a line
}

// Is reports whether a text is a command line that reaches out of the project,
// or runs an interpreter. What has a slash is a path, or a name in some language:
// clojure.java.shell/sh.
func (l *Lines) Is(text string) bool {
	text = strings.TrimSpace(text)
	return l.within(text)(text)
}

// within is Is for the ends of a text, which it looks at only once.
func (l *Lines) within(text string) func(end string) bool {
	reaches, feeds, at := -1, -1, 0
	for word := range strings.FieldsSeq(text) {
		if at += strings.Index(text[at:], word); l.ReachesOut(word) {
			reaches = at
		}
		at += len(word)
	}
	for at := strings.LastIndexByte(text, '|'); at >= 0 && feeds < 0; at = strings.LastIndexByte(text[:at], '|') {
		if Feeds(text[at:min(len(text), at+maxPiped)]) {
			feeds = at
		}
	}
	return func(end string) bool {
		first, rest, ok := strings.Cut(strings.TrimSpace(end), " ")
		for equals := strings.IndexByte(first, '='); ok && equals > 0; equals = strings.IndexByte(first, '=') { // A=b rm x
			if strings.ContainsAny(first[:equals], ".-:/([\"'") {
				return false
			}
			first, rest, ok = strings.Cut(strings.TrimSpace(rest), " ")
		}
		if !ok {
			return false
		}
		name, from := path.Base(first), len(text)-len(rest)
		return l.Program(name) && (name == first || strings.IndexByte("/.~$", first[0]) >= 0) &&
			(from <= reaches || Interpreter(name) || from <= feeds && !l.Own)
	}
}

// opens are the signs behind which a command line may stand in a text, and closes those
// that end it.
const opens, closes = "\"'`{[", "\"'`}]"

// In finds a command line in the value of an option: as it is, behind a name or
// a sign that runs it, or in quotes.
func (l *Lines) In(text string) (line string, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) >= maxLine {
		return "", false
	}
	is := l.within(text)
	for at := -1; ; {
		rest := text[at+1:]
		if line = strings.TrimLeft(rest, "!|({ "); !is(line) {
			line = recipes.Escape(line)
		}
		if is(line) {
			if at >= 0 && strings.IndexByte(opens, text[at]) >= 0 {
				line, _, _ = strings.Cut(line, closes[strings.IndexByte(opens, text[at]):][:1])
			}
			return line, true
		}
		next := strings.IndexAny(rest, "=:"+opens)
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return "", false
}
