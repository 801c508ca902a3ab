package gitline

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// Joined makes one word out of several, with blanks between.
func Joined(words []model.Word) model.Word {
	out := model.Word{Known: true}
	for i, w := range words {
		if i > 0 {
			out.Text += " "
		}
		out.Text += w.Text
		out.Known = out.Known && w.Known
	}
	return out
}

// Pathspec reads the magic in front of git's paths.
func Pathspec(w model.Word) model.Word {
	switch {
	case w.Text == ":/" || w.Text == ":":
		return model.Word{Text: ".", Known: true}
	case strings.HasPrefix(w.Text, ":/"):
		w.Text = w.Text[2:]
	}
	w.Glob = w.Glob || w.Known && strings.ContainsAny(w.Text, "*?[")
	return w
}

// OnlyCommits reports whether options of git log make it list commits, and show
// nothing of what they changed but the names of files.
func OnlyCommits(args []model.Word) bool {
	for _, w := range args {
		name, _, _ := strings.Cut(strings.TrimLeft(w.Text, "-"), "=")
		switch name {
		case "all", "oneline", "full-history", "follow", "stat", "name-only", "name-status", "since", "until", "author", "graph",
			"decorate", "reverse", "max-count", "n", "no-merges", "first-parent", "diff-filter", "format", "pretty", "date":
		default:
			if !w.Known || strings.HasPrefix(w.Text, "-") && strings.Trim(w.Text[1:], "0123456789") != "" {
				return false
			}
		}
	}
	return true
}
