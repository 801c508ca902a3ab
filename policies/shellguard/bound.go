package shellguard

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/policies/shellguard/words"
)

// looped are the names that a loop in code gives to each thing of a service: for c
// in client.containers.list(), for (const b of s3.buckets()). What is removed
// there is all of them.
func looped(text string) (names []string) {
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("\n;{", r) }) {
		loop, ok := strings.CutPrefix(strings.TrimSpace(line), "for")
		name, call, found := strings.Cut(loop, " in ")
		if !found {
			name, call, found = strings.Cut(loop, " of ")
		}
		if !ok || !found || !strings.Contains(call, "(") {
			continue
		}
		call = call[:strings.LastIndexByte(call, '(')]
		for part := range strings.FieldsFuncSeq(call, func(r rune) bool { return strings.ContainsRune(".() \t", r) }) {
			if slices.ContainsFunc(words.Of(part), words.Thing) {
				name = strings.TrimLeft(name, " (")
				names = append(names, name[strings.LastIndexByte(name, ' ')+1:])
				break
			}
		}
	}
	return names
}
