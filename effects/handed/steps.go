package handed

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/recipes"
)

// maxSteps limits how many commands of one file are looked at. The name of a program is
// no longer than maxWord.
const (
	maxSteps = 160
	maxWord  = 256
)

// Steps are the commands that a file may make a program run, if the program runs any of
// it: what is code is code, and of everything else it is the values, lists and lines that
// read like command lines. more is true if there are more than are listed.
func Steps(f *File) (steps []recipes.Step, more bool) {
	name, text := f.Path.Abs, f.Text
	if f.Idle {
		return nil, false
	}
	if base := strings.ToLower(path.Base(name)); strings.HasPrefix(base, "dockerfile") || strings.HasPrefix(base, "containerfile") {
		return recipes.Of(name, text, nil), false // what it runs, it runs in a container
	}
	if f.How == Built {
		return []recipes.Step{{Language: "unknown", Text: starting(text)}}, false
	}
	if language := recipes.Interpreter(name, text); language != "" {
		return []recipes.Step{{Language: language, Text: text}}, false
	}
	if language := recipes.Language(name); language != "unknown" {
		return []recipes.Step{{Language: language, Text: text}}, false
	}
	r := &reader{seen: map[string]bool{}}
	if strings.HasPrefix(text, "#!") || f.How == Started {
		r.add(text)
	}
	if strings.Contains(text, "kind:") && strings.Contains(text, "containers:") {
		r.steps = append(r.steps, recipes.Of(name, text, nil)...)
	}
	if !data(name) && !prose(name) {
		r.steps = append(r.steps, recipes.Step{Language: "unknown", Text: text})
	}
	all := strings.Split(strings.ReplaceAll(text, "\\\n", " "), "\n")
	if prose(name) && !(f.How == Named && configures(f.Option)) {
		all = shown(all)
	}
	r.lines(all)
	r.blocks(all)
	for _, line := range recipes.ArgumentLists(text) {
		r.add(line)
	}
	return r.steps, r.more
}

// starting are the parts of code that start programs or remove something: the rest of it
// may hold commands as data. Tests at the end of a file are left out.
func starting(text string) string {
	text, _, _ = strings.Cut(text, "#[cfg(test)]")
	var out []string
	until := -1
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if recipes.Mentions(strings.ToLower(line), "command", "exec", "spawn", "system", "process", "popen", "shell", "remove", "delete",
			"rmtree", "unlink", "rm_rf", "upload", "post(", "connect", "env", "home") {
			until = i + 3
		}
		if i <= until {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// shown are the lines of a text for people that stand in code blocks.
func shown(all []string) (out []string) {
	inside := false
	for _, line := range all {
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			inside = !inside
			out = append(out, "")
		case inside, strings.HasPrefix(line, "    "), strings.HasPrefix(line, "\t"):
			out = append(out, line)
		}
	}
	return out
}

type reader struct {
	steps []recipes.Step
	seen  map[string]bool
	more  bool
}

func (r *reader) add(line string) {
	if line = strings.TrimSpace(line); line == "" || r.seen[line] {
		return
	}
	if r.seen[line] = true; len(r.steps) >= maxSteps {
		r.more = true
		return
	}
	r.steps = append(r.steps, recipes.Step{Language: "shell", Text: line})
}

// lines looks at each line: what may begin a value there, and reads like a command.
func (r *reader) lines(all []string) {
	quiet, column := false, 0
	for i, line := range all {
		text := strings.TrimSpace(line)
		if text == "" || comment(text) {
			continue
		}
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		name, value := key(text)
		item := strings.HasPrefix(text, "- ") || name == ""
		if quiet && (indent > column || indent == column && item) {
			continue
		}
		if quiet = name != "" && describes(name); quiet {
			column = indent
			continue
		}
		r.commands(text)
		if word := strings.Trim(value, `"',{ `); word != "" && recipes.IsCommand(word+" ") && !strings.Contains(word, " ") {
			r.add(word + " " + arguments(all[i+1:]))
		}
		if word, ok := strings.CutPrefix(text, "- "); ok && recipes.IsCommand(strings.Trim(word, `"'`)+" ") {
			r.add(strings.Trim(word, `"'`) + " " + items(all[i+1:]))
		}
	}
}

// comment reports whether a line is a comment.
func comment(text string) bool {
	return text[0] == '#' && !strings.HasPrefix(text, "#(") || text[0] == ';' || text[0] == '%' || strings.HasPrefix(text, "//") ||
		strings.HasPrefix(text, "--") && !strings.Contains(text, "=") || strings.HasPrefix(text, "<!--")
}

// key takes the name off a line of a configuration: name: value, name = value, "name": value.
func key(text string) (name, value string) {
	text = strings.TrimPrefix(text, "- ")
	at := strings.IndexAny(text, ":=")
	if at <= 0 || strings.ContainsAny(text[:at], " (") && !strings.HasSuffix(text[:at], " ") {
		return "", text
	}
	name = strings.Trim(text[:at], ` "'{`)
	return name, strings.TrimLeft(text[at:], ":= >")
}

// describes reports whether a name of a configuration is for a text that people read or
// that other texts are compared with.
func describes(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "description", "desc", "summary", "title", "message", "msg", "help", "doc", "docs", "comment", "note", "notes", "label", "example",
		"examples", "pattern", "patterns", "regex", "match", "matches", "deny", "denied", "block", "blocked", "forbid", "forbidden", "denylist",
		"blocklist", "reason", "why", "want", "expect", "expected", "input", "fixture", "prompt", "changelog", "contains", "text", "question",
		"answer", "severity", "url", "homepage", "pattern-regex":
		return true
	}
	return strings.HasPrefix(name, "deny") || strings.HasPrefix(name, "disallow") || strings.Contains(name, "pattern") ||
		strings.Contains(name, "descr")
}

// commands lists the command lines in a line, from where a word may begin to the end of
// its quotes or of the line.
func (r *reader) commands(text string) {
	for at := 0; at < len(text); at++ {
		if at > 0 && strings.IndexByte(" \t\"'`=|:;,(){}[]!^$>&@", text[at-1]) < 0 || text[at] == ' ' ||
			!recipes.IsCommand(strings.ReplaceAll(text[at:min(len(text), at+maxWord)], "\t", " ")) || compared(text[:at]) || assigns(text[at:]) {
			continue
		}
		line, n := text[at:], len(text)-at
		if open := opened(text[:at]); open != 0 {
			if body, length := recipes.Quoted(text[at:], open); length > 0 {
				line, n = body, length
			}
		} else {
			line = strings.TrimRight(line, " })],;")
		}
		r.add(strings.ReplaceAll(line, "\t", " "))
		if n < len(text)-at {
			at += n - 1
		}
	}
	if at := strings.IndexByte(text, '['); at >= 0 {
		r.add(list(text[at+1:]))
	}
}

// assigns reports whether the first word of a text is a name that is given something, or
// compared with it: cmd == "x", env = x.
func assigns(text string) bool {
	_, rest, _ := strings.Cut(text, " ")
	return strings.HasPrefix(strings.TrimLeft(rest, " "), "=")
}

// compared reports whether what follows is only compared with something.
func compared(before string) bool {
	before = strings.TrimRight(before, "\"'` (")
	before = strings.ToLower(before[max(0, len(before)-16):])
	for _, sign := range [...]string{"==", "!=", "=~", "contains", "match", "startswith", "includes", "equals", "regex"} {
		if strings.HasSuffix(before, sign) {
			return true
		}
	}
	return false
}

// opened is the quote that is open at the end of a text, 0 if none is.
func opened(before string) (quote byte) {
	for i := 0; i < len(before); i++ {
		switch c := before[i]; {
		case c == '\\':
			i++
		case quote == 0 && (c == '"' || c == '`' || c == '\'' && (i == 0 || strings.IndexByte(" \t=:,([{", before[i-1]) >= 0)):
			quote = c
		case c == quote:
			quote = 0
		}
	}
	return quote
}

// list is the command line of a list without quotes or with some: [sh, -c, "x y"].
func list(text string) string {
	var words []string
	for text = strings.TrimLeft(text, " "); text != "" && text[0] != ']'; text = strings.TrimLeft(text, " ,") {
		if text[0] == '"' || text[0] == '\'' {
			body, n := recipes.Quoted(text[1:], text[0])
			if n < 0 {
				break
			}
			words, text = append(words, body), text[1+n:]
		} else {
			end := strings.IndexAny(text, ",]")
			if end < 0 {
				end = len(text)
			}
			words, text = append(words, strings.TrimSpace(text[:end])), text[end:]
		}
	}
	return joined(words)
}

// joined is the command line of words, "" if they do not begin one.
func joined(words []string) string {
	if len(words) < 2 || !recipes.IsCommand(words[0]+" ") {
		return ""
	}
	var out []string
	for _, word := range words {
		if strings.ContainsAny(word, " ;|&$\"()<>") {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		out = append(out, word)
	}
	return strings.Join(out, " ")
}

// items are the words of a list with one in each line.
func items(all []string) string {
	words := []string{"env"} // any program
	for _, line := range all[:min(len(all), 32)] {
		word, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if !ok {
			break
		}
		words = append(words, strings.Trim(word, `"'`))
	}
	return strings.TrimPrefix(joined(words), "env ")
}

// arguments are the words that the lines below a program's name list as its arguments.
func arguments(all []string) string {
	for i, line := range all[:min(len(all), 3)] {
		name, value := key(strings.TrimSpace(line))
		if !strings.Contains(strings.ToLower(name), "arg") {
			continue
		}
		if open := strings.IndexByte(value, '['); open >= 0 {
			return strings.TrimPrefix(list("env, "+value[open+1:]), "env ")
		}
		if value == "" {
			return items(all[i+1:])
		}
		return strings.Trim(value, `"'`)
	}
	return ""
}

// blocks are the scripts of several lines: deeper lines below a name, or between marks.
func (r *reader) blocks(all []string) {
	for i := 0; i < len(all); i++ {
		text := strings.TrimSpace(all[i])
		mark := ""
		for _, m := range [...]string{"'''", `"""`, "```", "~~~", "|", "|-", "|+", ">", ">-", "{", "<<EOF", "%{"} {
			if strings.HasSuffix(text, m) || (m == "```" || m == "~~~") && strings.HasPrefix(text, m) {
				mark = m
			}
		}
		if mark == "" {
			continue
		}
		indent := len(all[i]) - len(strings.TrimLeft(all[i], " \t"))
		var lines []string
		k := i + 1
		for ; k < len(all); k++ {
			line := strings.TrimSpace(all[k])
			deeper := len(all[k])-len(strings.TrimLeft(all[k], " \t")) > indent
			if len(mark) == 3 && mark[0] == mark[1] { // quotes
				if strings.HasPrefix(line, mark) {
					break
				}
			} else if line != "" && !deeper {
				break
			}
			lines = append(lines, line)
		}
		if slices.ContainsFunc(lines, func(line string) bool { return strings.ContainsRune(line, '=') || strings.HasPrefix(line, "cd ") }) {
			r.add(strings.Join(lines, "\n"))
		}
	}
}

// Options are the words that settings of one name in each line stand for, as options of
// the program: post_file = .env, --pre=./x, upload-file ".env".
func Options(text string) (words []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || line[0] == ';' || line[0] == '[' || strings.HasPrefix(line, "//") {
			continue
		}
		if len(words) >= 64 {
			break
		}
		at := strings.IndexAny(line, "=: \t")
		if at < 0 {
			at = len(line)
		}
		name := strings.Trim(line[:at], `"'`)
		if strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" || name == "" {
			continue
		}
		dash := "--"
		switch {
		case strings.HasPrefix(name, "-"):
			dash = ""
		case len(name) == 1:
			dash = "-"
		}
		words = append(words, dash+strings.ReplaceAll(name, "_", "-"))
		if value := strings.Trim(strings.TrimLeft(line[at:], "=: \t"), `"' ,`); value != "" {
			words = append(words, value)
		}
	}
	return words
}

// Line is a command line as a step.
func Line(text string) recipes.Step { return recipes.Step{Language: "shell", Text: text} }

// Settings reports whether a file holds options of the program that it is given to.
func Settings(f *File) bool {
	if f.How == Loaded {
		base := strings.ToLower(path.Base(f.Path.Abs))
		return strings.HasSuffix(base, "rc") || strings.HasSuffix(base, ".conf")
	}
	return f.How == Named && configures(f.Option)
}
