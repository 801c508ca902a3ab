package recipes

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/paths"
)

// leaks are the commands of a Dockerfile that send a secret of the project
// somewhere. Everything else happens inside of the image.
func leaks(text string) string {
	var out []string
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		command, ok := cutWord(line, "RUN")
		if !ok {
			continue
		}
		for part := range strings.SplitSeq(command, "&&") {
			for word := range strings.FieldsFuncSeq(part, func(r rune) bool { return strings.ContainsRune(" \t\"'=@<;|()\n", r) }) {
				if talks(part) && !strings.Contains(word, "://") && paths.SecretName(path.Base(word)) {
					out = append(out, strings.ReplaceAll(part, word, "./"+path.Base(word)))
					break
				}
			}
		}
	}
	return strings.Join(out, "\n")
}

// talks reports whether a command is one that sends things.
func talks(line string) bool {
	for word := range strings.FieldsSeq(line) {
		switch path.Base(word) {
		case "curl", "wget", "nc", "ncat", "scp", "rsync", "ssh", "http", "https", "socat", "ftp":
			return true
		}
	}
	return strings.Contains(line, "://")
}

func cutWord(line, word string) (rest string, ok bool) {
	first, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	return rest, strings.EqualFold(first, word)
}
