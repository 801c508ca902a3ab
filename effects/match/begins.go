package match

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/programs"
)

// Begins reports whether the arguments begin with these words, as a person means
// git push --force: options and their values may come before and between the
// words, and options among the words may be anywhere, in any form that Has knows.
func (w Words) Begins(words ...string) bool {
	w, words = w.folded(words)
	switch {
	case w.Run == nil:
		return w.Loose
	case w.literally(words):
		return true
	}
	want := make([]effects.Word, len(words))
	for i, text := range words {
		want[i] = effects.Word{Text: text, Known: true}
	}
	meant := &effects.Run{Program: w.Run.Program, Args: want}
	if !w.options(words, meant) {
		return false
	}
	row, _ := programs.Lookup(w.Run.Program)
	wanted := operands(meant)
	got := renamed(row, operands(w.Run), wanted)
	for i, operand := range wanted {
		switch {
		case i >= len(got):
			return w.Loose && w.Run.More
		case w.Loose && !got[i].Known && mayBe(got[i].Text, operand.Text):
			return true // it may be several words
		case !row.Means(got[i].Text, operand.Text):
			return false
		}
	}
	return true
}

// IsAnother reports whether a run is another sub-command than the words name, if they name one:
// cargo run check is not cargo check.
func IsAnother(r *effects.Run, words []string) bool {
	row, _ := programs.Lookup(r.Program)
	got, named := operands(r), false
	for _, word := range words {
		if strings.HasPrefix(word, "-") {
			continue
		}
		named = true
		for _, name := range row.Commands(renamed(row, got, []effects.Word{{Text: word}})) {
			if row.Means(name, word) {
				return false
			}
		}
	}
	return named && len(row.Commands(got)) > 0
}

// renamed are operands, with the first one or two of them as they are wanted if that
// is another name for the same: docker container run is docker run.
func renamed(row *programs.Row, got, wanted []effects.Word) []effects.Word {
	both := func(words []effects.Word) string { return words[0].Text + " " + words[1].Text }
	switch {
	case !row.Renames() || len(got) == 0 || len(wanted) == 0:
	case len(got) > 1 && row.Means(both(got), wanted[0].Text):
		return slices.Concat(wanted[:1], got[2:])
	case len(wanted) > 1 && row.Means(got[0].Text, both(wanted)):
		return slices.Concat(wanted[:2], got[1:])
	}
	return got
}

// literally reports whether the words are the first arguments.
func (w Words) literally(words []string) bool {
	args := w.args()
	if len(args) < len(words) {
		return false
	}
	for i := range words {
		if args[i].Text != words[i] {
			return false
		}
	}
	return true
}

// operands are the arguments that are neither options nor their values.
func operands(r *effects.Run) []effects.Word {
	if git, ok := programs.ReadGit(r); ok && git.Sub != "" {
		return append([]effects.Word{{Text: git.Sub, Known: true}}, git.Options().Operands...)
	}
	return programs.Parse(r).Operands
}

// options reports whether the options among the words are given, each with its
// value if the program's option takes one.
func (w Words) options(words []string, meant *effects.Run) bool {
	valued := map[int]bool{} // words that are the value of the one before
	for _, given := range programs.Parse(meant).Given {
		if given.Apart {
			valued[given.End] = true
		}
	}
	for i, text := range words {
		if text == "--" {
			break
		}
		if len(text) < 2 || text[0] != '-' || valued[i] {
			continue
		}
		dir := meant.Program == "git" && (text == "-C" || text == "-c") && i+1 < len(words)
		if (dir || valued[i+1]) && !strings.Contains(text, "=") {
			text += "=" + words[i+1]
		}
		if !w.Has(text) {
			return false
		}
	}
	return true
}
