package configprotection

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
)

// unknown judges changes to unknown files: from find, from a pipe, from a
// variable. If the command line names a protected file where these names come
// from, that file is assumed to change.
func (j *judgement) unknown() {
	for _, t := range effects.Touches(j.ev) {
		if !t.Changes() || t.Run < 0 || t.Path.Known() && !j.selects(t.Run) {
			continue
		}
		if word, g := j.mentioned(t.Run); g != free {
			j.add(trammel.Deny, g.code(), word, reason(g, word))
			continue
		}
		if t.Path.Known() {
			continue
		}
		j.add(trammel.DecisionOf(j.Unknown), "unknown_path", t.Path.Text,
			fmt.Sprintf("%q changes a file whose name is not clear from the command (%s). Name the file.", j.set.Runs[t.Run].Program, t.Path.Text))
	}
}

// unlooked judges a command that was understood only in part: then it is enough
// that it names a protected file or the option that skips hooks.
func (j *judgement) unlooked() {
	for i := range j.set.Doubts {
		switch j.set.Doubts[i].Code {
		case "syntax", "size", "depth", "failure":
		default:
			continue
		}
		command := j.ev.Tool.Action.Command
		lower := strings.ToLower(filepath.ToSlash(command))
		in := slices.DeleteFunc(slices.Collect(places), func(p place) bool { return !p.tail.In(lower) })
		for word := range strings.FieldsFuncSeq(command, separates) {
			switch g := ofWord(word, slices.Values(in)); {
			case g != free:
				j.add(trammel.Deny, g.code(), word, reason(g, word))
			case j.GitHooks && (noVerifyWord(word) || strings.EqualFold(word, "core.hooksPath")):
				j.add(trammel.Deny, "hooks_bypassed", word, bypassReason(word))
			default:
				continue
			}
			return
		}
		return
	}
}

func separates(r rune) bool { return strings.ContainsRune(" \t\n\r;&|<>()'\"`=,", r) }

// selects reports whether a run changes only those files of a tree that its
// arguments select.
func (j *judgement) selects(run int) bool {
	return slices.Contains([]string{"find", "fd", "fdfind"}, j.set.Runs[run].Program)
}

// mentioned looks for the name of a protected file among the words that a run
// may take names from. What it is called itself is none: clang-format.
func (j *judgement) mentioned(run int) (string, group) {
	for word := range effects.Words(j.set, run) {
		if g := ofText(word); g != free && word != j.set.Runs[run].Program {
			return word, g
		}
	}
	return "", free
}

// noVerifyWord takes abbreviations, as git does.
func noVerifyWord(text string) bool {
	return len(text) >= len("--no-v") && strings.HasPrefix("--no-verify", text)
}
