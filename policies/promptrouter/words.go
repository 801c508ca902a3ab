package promptrouter

import (
	"slices"
	"strings"
	"unicode"
)

// words are those of a prompt, in lower case and without their plural.
type words struct {
	list []string
	set  map[string]bool
}

// maxPrompt limits how much of a prompt is read: if a log file is pasted, the
// request comes before it.
const maxPrompt = 16 << 10

func wordsOf(text string) words {
	w := words{set: map[string]bool{}}
	if len(text) > maxPrompt {
		text = text[:maxPrompt]
	}
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		word = stem(word)
		w.list = append(w.list, word)
		w.set[word] = true
	}
	return w
}

func stem(word string) string {
	if len(word) > 3 {
		return strings.TrimSuffix(word, "s")
	}
	return word
}

// named returns the keywords in the prompt. Those of several words must be
// consecutive.
func (w words) named(keywords []string) []string {
	var found []string
	for _, k := range keywords {
		wanted := wordsOf(k).list
		if len(wanted) > 0 && w.set[wanted[0]] && w.contains(wanted) && !slices.Contains(found, k) {
			found = append(found, k)
		}
	}
	return found
}

func (w words) contains(wanted []string) bool {
	for i := 0; i+len(wanted) <= len(w.list); i++ {
		if slices.Equal(w.list[i:i+len(wanted)], wanted) {
			return true
		}
	}
	return false
}

// common words say nothing about the subject of a text.
func common(word string) bool {
	if len(word) < 3 {
		return true
	}
	switch word {
	case "the", "and", "for", "with", "this", "that", "from", "into", "when", "what", "how", "why", "you", "your", "are", "can",
		"all", "use", "used", "new", "not", "thi", "file", "code", "repository", "repo", "project", "routing", "document",
		"please", "add", "make", "run", "readme", "see", "its", "has", "have", "must", "will", "one", "thing", "where":
		return true
	}
	return false
}
