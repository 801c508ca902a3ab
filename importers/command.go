package importers

import (
	"regexp"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/internal/lazy"
)

// Command is a pattern for one command of a command line. Exactly one of the
// forms is set; the zero Command is every command.
type Command struct {
	// Words are those that it begins with, Or further lists of which one will do,
	// and Exact that there are no others.
	Words []string
	Or    [][]string
	Exact bool
	// Glob is a pattern for the command, in which * stands for any characters. With
	// Line it is looked for in the command line as it is written, because a shell
	// makes something else of it.
	Glob string
	Line bool
	// Regexp is searched for in the command, or with Whole matched with all of it.
	Regexp string
	Whole  bool
}

// Prefix is every command that begins with the words of a text.
func Prefix(text string) *Command {
	if isLine(text) {
		return &Command{Glob: text + " *", Line: true}
	}
	return &Command{Words: Split(text)}
}

// Exactly is the command that has just these words.
func Exactly(text string) *Command {
	if isLine(text) {
		return &Command{Glob: text, Line: true}
	}
	return &Command{Words: Split(text), Exact: true}
}

// joins is what joins commands, or redirects their files, with the blanks around it.
var joins = lazy.Regexp(`\s*[|&;<>\n]+\s*`)

// literal are the parts of a pattern that a shell takes as they are.
var literal = lazy.Regexp("'[^']*'|\"[^\"$`]*\"|\\\\.")

// expands finds what a shell makes something else of: what joins commands, a
// variable, a home directory, an assignment, or a word of its own grammar.
var expands = lazy.Regexp("[|&;<>\n$`()]|(?:^|\\s)[~#]|^\\w+=|" +
	`^(?:case|do|done|elif|else|esac|fi|for|function|if|select|then|time|until|while|!|\[\[|\{)(?:\s|$)`)

// isLine reports whether a pattern can only be compared with a command line as it
// is written.
func isLine(pattern string) bool {
	return expands().MatchString(literal().ReplaceAllString(pattern, "q"))
}

// begin is where a command of a line begins, and end where it ends.
const (
	begin = `(?s)(?:^|[;&|(\n]|\b(?:sudo|doas|nohup|exec|command|time|do|then|else)\s)\s*(?:\w+=\S*\s+)*`
	end   = `\s*(?:$|[;&|)\n])`
)

// inLine is a regular expression for the part of a command line that the pattern
// means.
func (c *Command) inLine() string {
	glob, open := strings.CutSuffix(c.Glob, " *")
	var parts []string
	for part := range strings.SplitSeq(glob, "*") {
		var b strings.Builder
		at := 0
		for _, j := range joins().FindAllStringIndex(part, -1) {
			b.WriteString(spaced(part[at:j[0]]) + `\s*` + regexp.QuoteMeta(strings.TrimSpace(part[j[0]:j[1]])) + `\s*`)
			at = j[1]
		}
		parts = append(parts, b.String()+spaced(part[at:]))
	}
	if open {
		return begin + strings.Join(parts, ".*") + `(?:\s|$|[;&|)])`
	}
	return begin + strings.Join(parts, ".*") + end
}

// spaced is a text with any blanks between its words.
func spaced(text string) string { return strings.ReplaceAll(regexp.QuoteMeta(text), " ", `\s+`) }

// Glob is every command that a pattern matches, in which * stands for any
// characters. A blank and a star at the end stand for nothing as well.
func Glob(text string) *Command {
	text = strings.TrimSpace(text)
	begin, open := strings.CutSuffix(text, " *")
	switch {
	case strings.Trim(text, "*") == "":
		return &Command{}
	case isLine(text):
		return &Command{Glob: text, Line: true}
	case open && !strings.Contains(begin, "*"):
		return Prefix(begin)
	case !strings.Contains(text, "*"):
		return Exactly(text)
	}
	return &Command{Glob: text}
}

// All reports whether every command is meant.
func (c *Command) All() bool { return len(c.Words) == 0 && c.Glob == "" && c.Regexp == "" }

// line is the command that a condition is asked about, as text.
const line = `trim(program + " " + args.text)`

// lists are all lists of words that it may begin with.
func (c *Command) lists() [][]string {
	if len(c.Words) == 0 {
		return nil
	}
	return append([][]string{c.Words}, c.Or...)
}

// condition says what the program has to be, and a condition on its arguments.
func (c *Command) condition() (programs []string, when string) {
	if len(c.Words) > 0 {
		return c.begins(func(rest []string) string {
			switch {
			case c.Exact:
				return "args.text == " + quoted(strings.Join(rest, " "))
			case len(rest) > 0:
				return "args.begins(" + strings.Join(each(rest, quoted), ", ") + ")"
			}
			return ""
		})
	}
	program, when := c.pattern()
	if program != "" {
		programs = []string{program}
	}
	return programs, when
}

// begins joins the conditions on the words after the programs. Where they are the
// same for all programs, they do not name them.
func (c *Command) begins(condition func(rest []string) string) (programs []string, when string) {
	rests := map[string][]string{}
	for _, words := range c.lists() {
		if !slices.Contains(programs, words[0]) {
			programs = append(programs, words[0])
		}
		if w := condition(words[1:]); !slices.Contains(rests[words[0]], w) {
			rests[words[0]] = append(rests[words[0]], w)
		}
	}
	same := true
	var parts []string
	for _, program := range programs {
		same = same && slices.Equal(rests[program], rests[programs[0]])
		any := anyOf(rests[program])
		if any == "" {
			parts = append(parts, "program == "+quoted(base(program)))
		} else {
			parts = append(parts, "program == "+quoted(base(program))+" && "+bracketed(any))
		}
	}
	if same {
		return programs, anyOf(rests[programs[0]])
	}
	return programs, strings.Join(parts, " || ")
}

// anyOf joins conditions of which one has to hold; "" holds always.
func anyOf(conditions []string) string {
	if slices.Contains(conditions, "") {
		return ""
	}
	return strings.Join(conditions, " || ")
}

func bracketed(condition string) string {
	if strings.Contains(condition, " || ") {
		return "(" + condition + ")"
	}
	return condition
}

// pattern is the condition of the other forms.
func (c *Command) pattern() (program, when string) {
	switch {
	case c.Line:
		return "", "command matches " + quoted(c.inLine())
	case c.Glob != "":
		first, rest, several := strings.Cut(c.Glob, " ")
		switch {
		case !several:
			if strings.TrimRight(first, "*") == strings.ReplaceAll(first, "*", "") {
				return first, "" // ls*: lsof, and ls -l
			}
		case !strings.Contains(first, "*"):
			return first, "args.text matches " + quoted("^"+starred(unquote(rest), ".*")+"$")
		}
		return "", line + " matches " + quoted("^"+starred(unquote(c.Glob), ".*")+"$")
	case c.Regexp != "":
		return "", line + " matches " + quoted(c.regexp())
	}
	return "", ""
}

// excepted is the same for what is excepted from another rule: only commands that
// are spelled like this.
func (c *Command) excepted() string {
	var parts []string
	for _, words := range c.lists() {
		part := "program == " + quoted(base(words[0]))
		switch rest := strings.Join(words[1:], " "); {
		case c.Exact:
			part += " && args.text == " + quoted(rest)
		case rest != "":
			part += ` && (args.text + " ") startsWith ` + quoted(rest+" ")
		}
		parts = append(parts, part)
	}
	if len(parts) > 0 {
		return strings.Join(parts, " || ")
	}
	program, when := c.pattern()
	switch {
	case program != "" && strings.Contains(program, "*"):
		return "program matches " + quoted("^"+starred(program, ".*")+"$")
	case program != "" && when != "":
		return "program == " + quoted(base(program)) + " && " + when
	case program != "":
		return "program == " + quoted(base(program))
	}
	return when
}

func (c *Command) regexp() string {
	if c.Whole {
		return "^(?:" + c.Regexp + ")$"
	}
	return c.Regexp
}

// starred is a pattern as a regular expression. A blank and a star at its end
// also stand for nothing.
func starred(glob, star string) string {
	begin, open := strings.CutSuffix(glob, " *")
	var parts []string
	for part := range strings.SplitSeq(begin, "*") {
		parts = append(parts, regexp.QuoteMeta(part))
	}
	out := strings.Join(parts, star)
	if open {
		out += "(?: " + star + ")?"
	}
	return out
}

// unquote drops the quotes of a pattern, which arguments do not have.
func unquote(text string) string { return strings.NewReplacer(`"`, "", `'`, "").Replace(text) }

// base is the last part of a path, as programs are called by conditions.
func base(program string) string {
	return strings.TrimSuffix(strings.ToLower(program[strings.LastIndexByte(program, '/')+1:]), ".exe")
}

// byPath is a program as a match names it: one with a path begins in the project
// unless the path says otherwise.
func byPath(program string) string {
	if strings.Contains(program, "/") && !strings.HasPrefix(program, "/") && !strings.HasPrefix(program, ".") &&
		!strings.HasPrefix(program, "~") {
		return "./" + program
	}
	return program
}

// Split makes words of a text as a shell does with quotes and backslashes, and
// no more. A quote that is not closed is a character.
func Split(text string) []string {
	var out []string
	var word strings.Builder
	begun := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case ' ', '\t', '\n':
			if begun {
				out = append(out, word.String())
				word.Reset()
			}
			begun = false
		case '\'', '"':
			begun = true
			if end := strings.IndexByte(text[i+1:], c); end >= 0 {
				word.WriteString(text[i+1 : i+1+end])
				i += end + 1
			} else {
				word.WriteByte(c)
			}
		case '\\':
			begun = true
			if i++; i < len(text) {
				word.WriteByte(text[i])
			}
		default:
			begun = true
			word.WriteByte(c)
		}
	}
	if begun {
		out = append(out, word.String())
	}
	return out
}

func each[T any](list []T, f func(T) string) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = f(list[i])
	}
	return out
}

// Join is a command line of words.
func Join(words []string) string { return strings.Join(each(words, shellWord), " ") }
