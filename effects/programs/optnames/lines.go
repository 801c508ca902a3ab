package optnames

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/recipes"
)

// maxLine is how long a text is in which a command line is looked for.
const maxLine = 1 << 16

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
	first, rest, ok := strings.Cut(strings.TrimSpace(text), " ")
	name := path.Base(first)
	return ok && l.Program(name) && (name == first || strings.IndexByte("/.~$", first[0]) >= 0) &&
		(l.ReachesOut(rest) || Interpreter(name) || Feeds(rest) && !l.Own)
}

// opens are the signs behind which a command line may stand in a text, and closes those
// that end it.
const opens, closes = "\"'`{[", "\"'`}]"

// In finds a command line in the value of an option: as it is, behind a name or
// a sign that runs it, or in quotes.
func (l *Lines) In(text string) (line string, ok bool) {
	for at := -1; len(text) < maxLine; {
		rest := text[at+1:]
		if line = strings.TrimLeft(rest, "!|({ "); !l.Is(line) {
			line = recipes.Escape(line)
		}
		if l.Is(line) {
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
