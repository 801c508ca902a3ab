package configprotection

import (
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel/effects"
)

// config looks at git config: what changes where hooks are looked for,
// and aliases that skip them.
func (b *bypasses) config(args []effects.Word, dir string) (string, bool) {
	var words []string
	reads := false
	for i := 0; i < len(args); i++ {
		switch text := args[i].Text; {
		case text == "--get", text == "--get-all", text == "--get-regexp", text == "--list", text == "-l", text == "--get-urlmatch":
			reads = true
		case text == "-f", text == "--file", text == "--blob", text == "--type", text == "--default", text == "--comment":
			i++
		case strings.HasPrefix(text, "-"):
			if strings.HasPrefix(text, "--unset") || strings.HasPrefix(text, "--remove-section") || strings.HasPrefix(text, "--rename-section") {
				words = append(words, text)
			}
		default:
			words = append(words, text)
		}
	}
	if reads || len(words) < 2 || words[0] == "get" || words[0] == "list" {
		return "", false
	}
	for i, word := range words {
		if strings.EqualFold(word, "core.hooksPath") && i == len(words)-2 && b.hookDir(dir, words[i+1]) {
			return "", false
		}
		if strings.EqualFold(word, "core.hooksPath") || i > 0 && strings.HasPrefix(words[0], "--re") && strings.EqualFold(word, "core") {
			return "git config " + strings.Join(words, " "), true
		}
		if _, ok := cutFold(word, "alias."); ok && i+1 < len(words) {
			if _, off := b.git(fields(words[i+1]), dir); off {
				return "git config " + word, true
			}
		}
	}
	return "", false
}

// hookDir reports whether a project keeps its hooks in a directory: one of the
// usual names, and something in it.
func (b *bypasses) hookDir(dir, value string) bool {
	switch strings.TrimSuffix(strings.TrimPrefix(value, "./"), "/") {
	case ".githooks", ".husky", ".husky/_", ".hooks", "githooks", ".git/hooks":
		entries, err := b.world.ReadDir(filepath.Join(dir, value), 1)
		return dir != "" && err == nil && len(entries) > 0
	}
	return false
}

// fields are the words of an alias, also of one that starts a shell with git.
func fields(alias string) []effects.Word {
	var out []effects.Word
	alias = strings.TrimPrefix(strings.TrimPrefix(alias, "!"), "git ")
	for field := range strings.FieldsSeq(alias) {
		out = append(out, effects.Word{Text: strings.Trim(field, `"'`), Known: true})
	}
	return out
}

func cutFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return "", false
	}
	return s[len(prefix):], true
}
