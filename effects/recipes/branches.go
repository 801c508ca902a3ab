package recipes

import (
	"strings"
	"unicode/utf8"
)

// Branches reports whether code at to may be skipped, or may be an alternative to
// that at from, in any language: it is nested deeper, less nested code is between
// them, or a word like else comes before it.
func Branches(text string, from, to int) bool {
	if from < 0 || from > to || to > len(text) {
		return false
	}
	start := strings.LastIndexByte(text[:to], '\n') + 1
	depth := indent(text[start:])
	if depth > indent(text[strings.LastIndexByte(text[:from], '\n')+1:]) {
		return true
	}
	for word := range strings.FieldsFuncSeq(text[max(start, from):to], func(r rune) bool { return !isNameRune(r) }) {
		if strings.Contains(" if else elif elsif elseif unless while until for foreach case when switch catch except try function def sub then ",
			" "+word+" ") {
			return true
		}
	}
	_, between, _ := strings.Cut(text[min(from, start):start], "\n")
	for line := range strings.Lines(between) {
		if strings.TrimSpace(line) != "" && indent(line) < depth {
			return true
		}
	}
	return false
}

// VerbBefore is the name in front of a text, in lower case: of the function, or
// of the argument.
func VerbBefore(text string) string { return verbBefore(text, 8) }

func verbBefore(text string, depth int) string {
	if label, ok := strings.CutSuffix(strings.TrimSpace(text), ":"); ok {
		if at := strings.LastIndexByte(label, '('); at >= 0 && strings.TrimFunc(strings.TrimSpace(label[at+1:]), isNameRune) == "" {
			text = label[:at] // removeItem(atPath: "x")
		}
	}
	text = strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(text, "#p"), "#P"), " \t\n([{,=>:<-\"'")
	at := strings.LastIndexFunc(text, func(r rune) bool {
		return r > 127 || !isNameRune(r) && !strings.ContainsRune(".!?-:/", r)
	})
	verb := strings.ToLower(text[at+1:])
	switch verb[strings.LastIndexAny(verb, ".:/")+1:] {
	case "expand", "expand_path", "expanduser", "expand-file-name", "joinpath", "build-path", "abspath": // what is done to the path it makes
		if depth > 0 {
			return verbBefore(text[:at+1], depth-1)
		}
	case "file", "path", "of", "get", "directoryinfo", "fileinfo", "pathbuf", "fileurlwithpath": // deleteDirectory(new File("x"))
		before := strings.TrimRight(strings.TrimSuffix(strings.TrimRight(text[:at+1], " "), "new"), " ")
		if depth > 0 && strings.HasSuffix(before, "(") {
			return verbBefore(before, depth-1)
		}
	}
	return verb
}

// VerbBehind returns the method that is called on the value before it:
// File("x").deleteRecursively().
func VerbBehind(text string) string {
	text = strings.TrimLeft(text, " )]")
	if rest, ok := strings.CutPrefix(text, ">>="); ok { // home >>= remove
		text = "." + strings.TrimLeft(rest, " ")
	}
	if text, ok := strings.CutPrefix(text, "."); ok {
		end := strings.IndexFunc(text, func(r rune) bool { return r > 127 || !isNameRune(r) })
		return strings.ToLower(text[:max(end, 0)])
	}
	return ""
}

func isNameRune(r rune) bool {
	return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r >= utf8.RuneSelf
}
