package importers

import (
	"regexp"
	"strings"
)

// Command is a pattern for one command of a command line. Exactly one of the
// forms is set; the zero Command is every command.
type Command struct {
	// Words are those that it begins with, and Exact that there are no others.
	Words []string
	Exact bool
	// Glob is a pattern for the command, in which * stands for any characters.
	Glob string
	// Regexp is searched for in the command, or with Whole matched with all of it.
	Regexp string
	Whole  bool
}

// Prefix is every command that begins with the words of a text.
func Prefix(text string) *Command { return &Command{Words: Split(text)} }

// Exactly is the command that has just these words.
func Exactly(text string) *Command { return &Command{Words: Split(text), Exact: true} }

// Glob is every command that a pattern matches, in which * stands for any
// characters. A blank and a star at the end stand for nothing as well.
func Glob(text string) *Command {
	text = strings.TrimSpace(text)
	begin, open := strings.CutSuffix(text, " *")
	switch {
	case strings.Trim(text, "*") == "":
		return &Command{}
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

// condition says what a program and a condition on its arguments have to be.
func (c *Command) condition() (program, when string) {
	switch {
	case len(c.Words) > 0:
		program = c.Words[0]
		switch rest := c.Words[1:]; {
		case c.Exact:
			when = "args.text == " + quoted(strings.Join(rest, " "))
		case len(rest) > 0:
			when = "args.begins(" + strings.Join(each(rest, quoted), ", ") + ")"
		}
		return program, when
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
	program, when := c.condition()
	if len(c.Words) > 1 && !c.Exact {
		when = `(args.text + " ") startsWith ` + quoted(strings.Join(c.Words[1:], " ")+" ")
	}
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
