package recipes

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// packageNames are the scripts that a package manager runs: the one it is told,
// with what comes before and after it, or those of an installation.
func packageNames(words []string) []string {
	word := ""
	if len(words) > 0 {
		word = words[0]
	}
	switch word {
	case "run", "run-script", "rum", "urn":
		if word = ""; len(words) > 1 {
			word = words[1]
		}
	case "t", "tst":
		word = "test"
	case "", "install", "i", "ci", "add", "in", "ins", "clean-install":
		word = "install"
	}
	names := []string{"pre" + word, word, "post" + word}
	if word == "install" || word == "publish" || word == "pack" {
		names = append(names, "prepare", "prepublishOnly")
	}
	return names
}

// Shortcut is the command line that an operand of a program stands for, which starts
// one for each: npm:build of concurrently and build of npm-run-all are scripts of
// package.json.
func Shortcut(program, text string) string {
	manager, name, short := strings.Cut(text, ":")
	run := ""
	switch {
	case program == "npm-run-all":
		run, name = "npm run ", text
	case !short || program != "concurrently":
	case manager == "npm" || manager == "yarn" || manager == "pnpm" || manager == "bun":
		run = manager + " run "
	case manager == "node":
		run = "npm run " // node --run
	case manager == "deno":
		run = "deno task "
	}
	if run == "" {
		return text
	}
	name, rest, _ := strings.Cut(name, " ")
	return run + quoteWord(name) + " " + rest
}

// matching are names, with those that are patterns (build:*) replaced by the names in
// an object that begin as they do.
func matching(object string, names []string) (out []string) {
	for _, name := range names {
		at := strings.IndexAny(name, "*({![?")
		var keys map[string]any
		if at < 0 || json.Unmarshal([]byte(object), &keys) != nil {
			out = append(out, name)
			continue
		}
		for key := range keys {
			if strings.HasPrefix(key, name[:at]) {
				out = append(out, key)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// composerNames are the scripts that composer runs by itself.
var composerNames = []string{"pre-install-cmd", "post-install-cmd", "pre-update-cmd", "post-update-cmd", "post-autoload-dump",
	"pre-autoload-dump", "post-root-package-install"}

// Passed is before the arguments that a script gets.
const Passed = "\x00passed"

// scripts finds scripts by their names in a part of a JSON text. The one that is named
// gets the words behind Passed.
func scripts(text, part string, names, words []string) (out []Step) {
	given, called := "", ""
	if i := slices.Index(words, Passed); i > 0 {
		called = words[i-1]
		for _, word := range words[i+1:] {
			given += " " + quoteWord(word)
		}
	}
	_, object, _ := strings.Cut(text, strconv.Quote(part))
	object = upTo(object, '{', '}')
	if slices.ContainsFunc(names, func(name string) bool { return strings.ContainsAny(name, "*({![?") }) {
		names = matching(object, names)
	}
	for _, name := range names {
		_, rest, ok := strings.Cut(object, strconv.Quote(name))
		rest, colon := strings.CutPrefix(strings.TrimLeft(rest, " \t\r\n"), ":")
		rest = strings.TrimLeft(rest, " \t\r\n")
		if !ok || !colon || rest == "" {
			continue
		}
		switch rest[0] {
		case '[':
			rest = upTo(rest, '[', ']')
		case '{': // a task with a description
			_, command, found := strings.Cut(upTo(rest, '{', '}'), `"command"`)
			if rest = ""; found {
				rest = firstText(command)
			}
		default:
			rest = firstText(rest)
		}
		for line := range quotedTexts(rest) {
			if name == called {
				line += given
			}
			out = append(out, Step{"shell", line})
		}
	}
	return out
}

// upTo is a text from a bracket to the one that closes it.
func upTo(text string, open, closing byte) string {
	from, depth := strings.IndexByte(text, open), 0
	for i := max(from, 0); i < len(text) && from >= 0; i++ {
		switch text[i] {
		case '"':
			if quoted, err := strconv.QuotedPrefix(text[i:]); err == nil {
				i += len(quoted) - 1
			}
		case open:
			depth++
		case closing:
			if depth--; depth == 0 {
				return text[from : i+1]
			}
		}
	}
	return ""
}

func firstText(text string) string {
	at := strings.IndexByte(text, '"')
	quoted, err := strconv.QuotedPrefix(text[max(at, 0):])
	if at < 0 || err != nil {
		return ""
	}
	return quoted
}

// quotedTexts are the texts in double quotes, as JSON writes them.
func quotedTexts(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for text != "" {
			quoted := firstText(text)
			if quoted == "" {
				return
			}
			_, text, _ = strings.Cut(text, quoted)
			if line, err := strconv.Unquote(quoted); err == nil && !yield(line) {
				return
			}
		}
	}
}

// notebook is the code of a notebook's cells: Python, and what it hands to a
// shell in lines such as !ls or x = !ls, and in cells that begin with %%bash.
func notebook(text string) []Step {
	var python, commands strings.Builder
	for {
		_, rest, ok := strings.Cut(text, `"source"`)
		if !ok {
			return append([]Step{{"python", python.String()}}, shell(commands.String())...)
		}
		if text = rest; strings.HasPrefix(strings.TrimLeft(rest, " :\r\n\t"), "[") {
			rest = upTo(rest, '[', ']')
		} else {
			rest = firstText(rest)
		}
		var cell strings.Builder
		for line := range quotedTexts(rest) {
			cell.WriteString(line)
		}
		whole := ""
		for line := range strings.Lines(cell.String() + "\n") {
			line = strings.TrimSpace(line)
			_, command, handed := strings.Cut(line, "!")
			switch {
			case strings.HasPrefix(line, "%%"):
				whole = line
			case whole != "" && !strings.HasPrefix(whole, "%%time") && !strings.HasPrefix(whole, "%%capture"):
				commands.WriteString(line + "\n")
			case handed && (strings.HasPrefix(line, "!") || strings.Contains(line, "= !")):
				commands.WriteString(strings.TrimLeft(command, "!") + "\n")
			}
		}
		python.WriteString(cell.String() + "\n")
	}
}

// values returns the commands in a task list of any format: the values of names,
// the items of lists, the lines that belong to a name. If one of the words names a
// task, only its lines count, unless they name other tasks.
func values(text string, words []string) (out []Step) {
	if task := taskOf(text, words); task != "" {
		text = task
	}
	var lines []string
	if strings.Contains(text, "args:") && strings.Contains(text, "command:") {
		lines = withArguments(outline(text))
	}
	for line := range strings.Lines(text) {
		for _, one := range unfolded(strings.TrimSpace(line)) {
			if one = valueOf(one); one != "" && !strings.Contains(interpreters, " "+one+" ") {
				lines = append(lines, one)
			}
		}
	}
	return shell(strings.Join(lines, "\n"))
}

// interpreters are values that name what a task is written in or needs: language: python. Run
// without a script, these programs do nothing.
const interpreters = " python python2 python3 py node ruby perl php lua bash sh zsh fish pwsh powershell psql mysql sqlite3 deno bun " +
	"ghci iex irb R julia scala "

// unfolded is a line with a pair of names and values in each, where it holds several in braces:
// hooks: [{id: x, entry: "y"}].
func unfolded(line string) (out []string) {
	open := strings.IndexByte(line, '{')
	if open < 0 || strings.HasPrefix(line[open:], "{{") || strings.Trim(line[strings.LastIndexByte(line[:open], ':')+1:open], " -[") != "" {
		return []string{line}
	}
	start := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '"', '\'':
			if _, n := Quoted(line[i+1:], line[i]); n >= 0 {
				i += n
			}
		case '{', '}', '[', ']', ',':
			out = append(out, strings.TrimSpace(line[start:i]))
			start = i + 1
		}
	}
	return append(out, line[start:])
}

// taskOf is the part of a list that belongs to a task.
func taskOf(text string, words []string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		name, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		name, _, _ = strings.Cut(name, "=")
		if !slices.Contains(words, strings.Trim(name, " \"'")) {
			continue
		}
		end := i + 1
		for end < len(lines) && (strings.TrimSpace(lines[end]) == "" || indent(lines[end]) > indent(line)) {
			end++
		}
		task := strings.Join(lines[i:end], "")
		if strings.Contains(task, "deps") || strings.Contains(task, "task:") || strings.Contains(task, "sequence") {
			return ""
		}
		return task
	}
	return ""
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// commandLines are the command lines of a list in brackets, "" if its items are words.
func commandLines(text string) string {
	list := &entry{}
	if strings.HasPrefix(text, "[") {
		flow(text, list)
	}
	if len(list.under) == 0 || !strings.Contains(list.under[0].text, " ") {
		return ""
	}
	var out []string
	for _, item := range list.under {
		out = append(out, item.text)
	}
	return strings.Join(out, "\n")
}

// valueOf is the command on a line, "" if there is none.
func valueOf(line string) string {
	line = strings.TrimSpace(strings.TrimLeft(line, "-"))
	if line == "" || strings.ContainsAny(line[:1], "#[;<") {
		return ""
	}
	for _, mark := range [...]string{": ", "= ", "="} {
		if name, value, ok := strings.Cut(line, mark); ok && !strings.ContainsAny(strings.TrimSpace(name), " /$(") {
			line = value
			break
		}
	}
	line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "|>-{"))
	if len(line) > 1 && (line[0] == '"' || line[0] == '\'') && line[len(line)-1] == line[0] {
		line = line[1 : len(line)-1]
	}
	if all := commandLines(line); all != "" { // run = ["make a", "make b"]
		return all
	}
	if lists := ArgumentLists(line); strings.HasPrefix(line, "[") && len(lists) > 0 { // runner = ["sh", "-c", "…"]
		return lists[0]
	}
	if strings.HasPrefix(line, "[") || strings.HasSuffix(line, ":") || strings.Count(line, `"`)%2 == 1 || strings.Count(line, "'")%2 == 1 {
		return ""
	}
	return line
}
