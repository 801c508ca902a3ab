package recipes

import (
	"strconv"
	"strings"
)

// FoldApple puts together the texts in an AppleScript: what & joins, what set has
// given a name, the paths of folders.
func FoldApple(script string) string {
	f := apple{text: script, names: map[string]string{}}
	var out strings.Builder
	for f.at < len(f.text) && out.Len() <= 4*len(script)+1<<12 {
		from := f.at
		if text, ok := f.expression(); ok {
			out.WriteString(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`)
			continue
		}
		f.at = from
		name := f.word()
		if name == "" {
			out.WriteByte(f.text[f.at])
			f.at++
			continue
		}
		out.WriteString(name)
		if strings.EqualFold(name, "set") || strings.EqualFold(name, "property") {
			f.assign(&out)
		}
	}
	return out.String() + f.text[f.at:] // what is too long stays as it is
}

// apple reads an AppleScript from left to right.
type apple struct {
	text  string
	at    int
	depth int
	names map[string]string
}

// word reads a name, "" if there is none.
func (f *apple) word() string {
	from := f.at
	for f.at < len(f.text) && isLetter(f.text[f.at]) {
		f.at++
	}
	return f.text[from:f.at]
}

func isLetter(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func (f *apple) blanks() {
	for f.at < len(f.text) && strings.IndexByte(" \t¬", f.text[f.at]) >= 0 {
		f.at++
	}
}

// assign notes set name to "text".
func (f *apple) assign(out *strings.Builder) {
	from := f.at
	f.blanks()
	name := strings.ToLower(f.word())
	f.blanks()
	if !strings.EqualFold(f.word(), "to") && !strings.HasPrefix(f.text[f.at:], ":") {
		f.at = from
		return
	}
	f.at += strings.Count(f.text[f.at:min(f.at+1, len(f.text))], ":")
	f.blanks()
	out.WriteString(f.text[from:f.at])
	from = f.at
	delete(f.names, name)
	if text, ok := f.expression(); ok {
		f.names[name] = text
	}
	f.at = from // it is written as it is
}

// expression reads texts with & between them.
func (f *apple) expression() (text string, ok bool) {
	text, ok = f.operand()
	for ok && len(text) < 1<<14 {
		end := f.at
		f.blanks()
		if !strings.HasPrefix(f.text[f.at:], "&") {
			f.at = end
			break
		}
		f.at++
		f.blanks()
		next, known := f.operand()
		if !known {
			f.at = end
			break
		}
		text += next
	}
	return text, ok
}

// operand reads one text: in quotes, by its name, in brackets, or the path of a
// folder.
func (f *apple) operand() (text string, ok bool) {
	if f.depth++; f.depth > 50 || f.at >= len(f.text) {
		f.depth--
		return "", false
	}
	defer func() { f.depth-- }()
	switch c := f.text[f.at]; {
	case c == '"':
		body, n := Quoted(f.text[f.at+1:], '"')
		if n < 0 {
			return "", false
		}
		f.at += n + 1
		return body, true
	case c == '(':
		f.at++
		f.blanks()
		text, ok = f.expression()
		f.blanks()
		if !ok || !strings.HasPrefix(f.text[f.at:], ")") {
			return "", false
		}
		f.at++
		return text, true
	case f.at > 0 && isLetter(f.text[f.at-1]):
		return "", false
	}
	rest := strings.ToLower(f.text[f.at:min(len(f.text), f.at+40)])
	for _, prefix := range [...]string{"quoted form of ", "posix path of ", "the "} {
		if strings.HasPrefix(rest, prefix) {
			f.at += len(prefix)
			f.blanks()
			return f.operand()
		}
	}
	for _, sign := range [...]string{"character id ", "ascii character "} {
		if digits, found := strings.CutPrefix(rest, sign); found {
			end := 0
			for end < len(digits) && digits[end] >= '0' && digits[end] <= '9' {
				end++
			}
			n, err := strconv.Atoi(digits[:end])
			f.at += len(sign) + end
			return string(rune(n)), err == nil
		}
	}
	if strings.HasPrefix(rest, "path to ") {
		return f.folder(rest[len("path to "):])
	}
	text, ok = f.names[strings.ToLower(f.word())]
	return text, ok
}

// folder reads what follows path to: documents folder, home folder as text.
func (f *apple) folder(rest string) (text string, ok bool) {
	for _, name := range [...]string{"home", "documents", "desktop", "pictures", "music", "movies", "downloads", "library"} {
		after, ok := strings.CutPrefix(rest, name)
		if !ok {
			continue
		}
		f.at += len("path to ") + len(name)
		if strings.HasPrefix(after, " folder") {
			f.at += len(" folder")
		}
		for _, kind := range [...]string{" as text", " as string", " from user domain"} {
			if strings.HasPrefix(strings.ToLower(f.text[f.at:]), kind) {
				f.at += len(kind)
			}
		}
		if name == "home" {
			return "~/", true
		}
		return "~/" + strings.ToUpper(name[:1]) + name[1:] + "/", true
	}
	return "", false
}

// Task is the program that code starts with Cocoa's NSTask or Process, and its
// arguments: t.launchPath = "/bin/rm"; t.arguments = ["-rf", NSHomeDirectory()].
func Task(code string) (words []string) {
	program := behind(code, "launchPath", "executableURL", "setLaunchPath", "setExecutableURL", "launchedProcess", "launchPath:")
	if len(program) == 0 {
		return nil
	}
	words = program[:1]
	return append(words, behind(code, "arguments", "setArguments")...)
}

// behind are the texts in the statement behind one of these names.
func behind(code string, names ...string) (texts []string) {
	for _, name := range names {
		at := strings.Index(code, name)
		if at < 0 {
			continue
		}
		rest := code[at+len(name):]
		end := strings.IndexAny(rest, ";\n")
		if end < 0 {
			end = len(rest)
		}
		rest = strings.ReplaceAll(rest[:end], "NSHomeDirectory()", `"~"`)
		for i := 0; i < len(rest); i++ {
			if rest[i] != '"' && rest[i] != '\'' {
				continue
			}
			body, n := Quoted(rest[i+1:], rest[i])
			if n < 0 {
				break
			}
			texts = append(texts, body)
			i += n
		}
		if len(texts) > 0 {
			return texts
		}
	}
	return nil
}
