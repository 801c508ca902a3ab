// Package words reads what the words of a name say: of a tool, a function, a
// command. They tell whether something is removed, and whether its loss matters.
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Of splits a name into words: delete_repository, deleteRepository.
func Of(name string) (out []string) {
	begin := 0
	cut := func(end int) {
		if word := strings.Trim(name[begin:end], "_-. /:"); word != "" {
			out = append(out, apart(strings.ToLower(word))...)
		}
		begin = end
	}
	lower := false
	for i, r := range name {
		_, size := utf8.DecodeRuneInString(name[i:])
		next, _ := utf8.DecodeRuneInString(name[i+size:])
		if strings.ContainsRune("_-. /:", r) || unicode.IsUpper(r) && (lower || unicode.IsLower(next)) { // DBInstance
			cut(i)
		}
		lower = unicode.IsLower(r)
	}
	cut(len(name))
	return out
}

// apart takes a verb and what it is about apart: deletedb, dropindex.
func apart(word string) []string {
	for _, verb := range [...]string{"delete", "destroy", "drop", "purge", "wipe", "remove", "truncate", "erase", "clear"} {
		if what, ok := strings.CutPrefix(word, verb); ok && Thing(what) {
			return []string{verb, what}
		}
	}
	if len(word) > len("destroy") && strings.HasSuffix(word, "destroy") { // bdestroy
		return []string{"destroy"}
	}
	return []string{word}
}
