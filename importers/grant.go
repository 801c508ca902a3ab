package importers

import (
	"regexp"
	"slices"
	"strings"
)

// What is allowed is looked for in the command line as it is written, and only
// where that is made of plain words: without variables, substitutions, patterns,
// redirections, assignments or paths to programs there is nothing in it that the
// system which wrote the rule might read in another way.
const (
	plainWord = "(?:[\\w./:@,+%^=-]|\"[^\"$`\\\\!]*\"|'[^']*')+"
	plainText = "(?:[\\w./:@,+%^= -]|\"[^\"$`\\\\!]*\"|'[^']*')*"
	joined    = " *(?:&&|\\|\\||;|\\|) *"
)

// written is a regular expression for all plain spellings of the command, "" if
// it is one that cannot be had.
func (c *Command) written() string {
	switch {
	case len(c.Words) > 0:
		out := "(?:" + strings.Join(each(c.lists(), func(words []string) string { return strings.Join(each(words, spelled), " ") }), "|") + ")"
		if len(c.Or) == 0 {
			out = strings.Join(each(c.Words, spelled), " ")
		}
		if !c.Exact {
			out += "(?: " + plainWord + ")*"
		}
		return out
	case c.Glob != "":
		return starred(c.Glob, plainText)
	case c.Regexp != "":
		return ""
	}
	return plainWord + "(?: " + plainWord + ")*"
}

// spelled is a word as it may be written: one that is not plain only in quotes.
func spelled(word string) string {
	if regexp.MustCompile("^" + `[\w./:@,+%^=-]+` + "$").MatchString(word) {
		return regexp.QuoteMeta(word)
	}
	if !strings.Contains(word, "'") {
		return "(?:'" + regexp.QuoteMeta(word) + "'|\"" + regexp.QuoteMeta(word) + "\")"
	}
	return "\"" + regexp.QuoteMeta(word) + "\""
}

// granted is the condition under which a call is allowed by the command.
func (c *Command) granted() string {
	if c.All() {
		return ""
	}
	if c.Regexp != "" {
		return "command matches " + quoted("^"+plainWord+"(?: "+plainWord+")*$") + " && command matches " + quoted(c.regexp())
	}
	when := "command matches " + quoted("^"+c.written()+"$")
	first, _, _ := strings.Cut(c.Glob, " ")
	if first == "find" || slices.ContainsFunc(c.lists(), func(words []string) bool { return words[0] == "find" }) {
		when += " && !(command matches " + quoted(" -(?:exec|ok|delete|fprint|fls)") + ")"
	}
	return when
}

// unless is the condition under which a call is more than a chain of the commands.
func unless(commands []*Command) string {
	var forms, when []string
	for _, c := range commands {
		if form := c.written(); form != "" {
			forms = append(forms, form)
		} else {
			when = append(when, "!("+c.granted()+")")
		}
	}
	if len(forms) > 0 {
		any := "(?:" + strings.Join(forms, "|") + ")"
		when = append(when, "!(command matches "+quoted("^"+any+"(?:"+joined+any+")*$")+")")
	}
	return strings.Join(when, " && ")
}
