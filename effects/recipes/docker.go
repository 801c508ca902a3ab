package recipes

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/paths"
)

// locally are the commands of an Earthfile that run outside of containers: those of the
// targets that say LOCALLY.
func locally(text string) string {
	var out []string
	here := false
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case word == "LOCALLY":
			here = true
		case here && word == "RUN":
			command, _ := built(line)
			out = append(out, command)
		case strings.HasSuffix(word, ":") && line[0] != ' ' && line[0] != '\t':
			here = false // the next target
		}
	}
	return strings.Join(out, "\n")
}

// leaks are the commands of a Dockerfile that send a secret of the project
// somewhere. Everything else happens inside of the image.
func leaks(text string) string {
	var out []string
	copies := map[string]string{}
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		copied(line, copies)
		command, ok := built(line)
		if !ok {
			continue
		}
		for part := range strings.SplitSeq(command, "&&") {
			for word := range strings.FieldsFuncSeq(part, func(r rune) bool { return strings.ContainsRune(" \t\"'=@<;|()\n", r) }) {
				name := path.Base(word)
				if was, ok := copies[strings.Trim(path.Clean(word), "/")]; ok {
					name = was
				}
				if talks(part) && !strings.Contains(word, "://") && paths.SecretName(name) {
					out = append(out, strings.ReplaceAll(part, word, "./"+name))
					break
				}
			}
		}
	}
	return strings.Join(out, "\n")
}

// copied notes under which name an image gets a secret of the project: COPY .env /x.
func copied(line string, copies map[string]string) {
	names, ok := cutWord(line, "COPY")
	if more, add := cutWord(line, "ADD"); add {
		names, ok = more, true
	}
	fields := strings.FieldsFunc(names, func(r rune) bool { return strings.ContainsRune(" \t\n\"',[]", r) })
	if !ok || len(fields) < 2 {
		return
	}
	to := fields[len(fields)-1]
	for _, from := range fields[:len(fields)-1] {
		if paths.SecretName(path.Base(from)) {
			copies[strings.Trim(path.Clean(to), "/")] = path.Base(from)
		}
	}
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

// built is the command of a line of a Dockerfile: RUN --mount=type=cache,target=/x COMMAND.
// A secret of the build in it is written as a variable that holds one, which commands may
// log in with: TOKEN=$(cat /run/secrets/token) npm ci.
func built(line string) (command string, ok bool) {
	command, ok = cutWord(line, "RUN")
	for command = strings.TrimSpace(command); strings.HasPrefix(command, "--"); command = strings.TrimSpace(command) {
		_, command, _ = strings.Cut(command, " ")
	}
	for {
		before, rest, secret := strings.Cut(command, "$(cat /run/secrets/")
		_, behind, closed := strings.Cut(rest, ")")
		if !secret || !closed {
			return command, ok
		}
		command = before + "$BUILD_TOKEN" + behind
	}
}

func cutWord(line, word string) (rest string, ok bool) {
	first, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	return rest, strings.EqualFold(first, word)
}
