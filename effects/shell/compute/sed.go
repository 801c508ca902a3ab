package compute

import (
	"strconv"
	"strings"
)

// anyName stands for a name that is not known in a line of them.
const anyName = "\x01"

// Sed is what sed makes of a text with simple s commands. For others
// the text is only likely.
func Sed(args []Word, s string) (string, bool) { return substituted(args, s, false) }

// Perl is what perl -pe makes of it, whose s may have brackets: s{^}{x}.
func Perl(args []Word, s string) (string, bool) { return substituted(args, s, true) }

func substituted(args []Word, s string, perl bool) (string, bool) {
	for i := range args {
		t := args[i].Text
		if t == "-e" || t == "-E" || t == "-r" {
			continue
		}
		for command := range strings.SplitSeq(strings.ReplaceAll(t, "\n", ";"), ";") {
			if command = strings.TrimSpace(command); command == "" {
				continue
			}
			change, ok := substitution(command, perl)
			if !ok || !args[i].Known {
				return s, false
			}
			if s = EachLine(s, change); len(s) > MaxText {
				return "", false
			}
		}
	}
	return s, true
}

// substitution is what an s command does to a line: s/^/x/, s/$/x/, s/.*/x&/, or one
// with a plain text.
func substitution(command string, perl bool) (change func(string) string, ok bool) {
	if len(command) < 4 || command[0] != 's' {
		return nil, false
	}
	pattern, rest, ok := part(command[1:], perl)
	if !ok {
		return nil, false
	}
	if !perl || closes(command[1]) == command[1] {
		rest = command[1:2] + rest
	}
	replacement, flags, ok := part(rest, perl)
	with, plain := replaced(replacement, perl)
	if !ok || !plain || flags != "" && flags != "g" {
		return nil, false
	}
	switch pattern {
	case "^":
		return func(line string) string { return with("") + line }, true
	case "$":
		return func(line string) string { return line + with("") }, true
	case ".*", "^.*", "^.*$", ".*$":
		return with, flags == ""
	}
	text, first := strings.CutPrefix(pattern, "^")
	if text == "" || strings.ContainsAny(strings.NewReplacer(`\.`, "", `\/`, "").Replace(text), ".*[]^$+?(){}|@\\") {
		return nil, false
	}
	text = strings.NewReplacer(`\.`, ".", `\/`, "/").Replace(text)
	return func(line string) string {
		switch {
		case first && strings.HasPrefix(line, text):
			return with(text) + line[len(text):]
		case first:
			return line
		case flags == "":
			return strings.Replace(line, text, with(text), 1)
		}
		return strings.ReplaceAll(line, text, with(text))
	}, true
}

// closes is the delimiter that ends what c opens in Perl.
func closes(c byte) byte {
	if i := strings.IndexByte("{([<", c); i >= 0 {
		return "})]>"[i]
	}
	return c
}

// part cuts what is between two delimiters.
func part(s string, perl bool) (text, rest string, ok bool) {
	if s == "" {
		return "", "", false
	}
	end := s[0]
	if perl {
		end = closes(end)
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case end:
			return s[1:i], s[i+1:], true
		}
	}
	return "", "", false
}

// replaced is a replacement, given what was found. Perl has variables in it.
func replaced(s string, perl bool) (with func(found string) string, ok bool) {
	var parts []string // what was found stands between them
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case perl && strings.IndexByte("$@&{", s[i]) >= 0:
			return nil, false
		case s[i] == '&':
			parts = append(parts, b.String())
			b.Reset()
		case s[i] != '\\':
			b.WriteByte(s[i])
		case i+1 < len(s) && strings.IndexByte(`/&\|#,"'@ .`, s[i+1]) >= 0:
			i++
			b.WriteByte(s[i])
		default:
			return nil, false
		}
	}
	parts = append(parts, b.String())
	return func(found string) string { return strings.Join(parts, found) }, true
}

// Awk is what awk prints for each line of a text, if its program is one print of
// texts and fields: {print "x/" $0}.
func Awk(args []Word, s string) (string, bool) {
	items, ok := awkPrint(args)
	if !ok {
		return s, false
	}
	out := EachLine(s, func(line string) string {
		fields, b := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' }), strings.Builder{}
		for _, item := range items {
			switch n, _ := strconv.Atoi(item[1:]); {
			case item[0] != '$':
				b.WriteString(item[1:])
			case n == 0, line == anyName: // in whatever column
				b.WriteString(line)
			case n > 0 && n <= len(fields):
				b.WriteString(fields[n-1])
			case n < 0 && len(fields) > 0:
				b.WriteString(fields[len(fields)-1])
			}
		}
		return b.String()
	})
	if len(out) > MaxText {
		return "", false
	}
	return out, true
}

// awkPrint returns what {print …} prints: "text, $0, $7, $-1 for the last field.
func awkPrint(args []Word) (items []string, ok bool) {
	if len(args) != 1 || !args[0].Known || strings.Contains(args[0].Text, "\\") {
		return nil, false
	}
	s, ok := strings.CutPrefix(strings.TrimSpace(args[0].Text), "{")
	if !ok || !strings.HasSuffix(s, "}") {
		return nil, false
	}
	s, ok = strings.CutPrefix(strings.TrimSpace(s[:len(s)-1]), "print")
	if s = strings.TrimSpace(strings.TrimSuffix(s, ";")); !ok || s == "" {
		return []string{"$0"}, ok
	}
	for s != "" {
		switch {
		case s[0] == ' ':
			s = s[1:]
		case s[0] == ',':
			items, s = append(items, `" `), s[1:]
		case s[0] == '"':
			text, rest, ended := strings.Cut(s[1:], `"`)
			if !ended {
				return nil, false
			}
			items, s = append(items, `"`+text), rest
		case strings.HasPrefix(s, "$NF"):
			items, s = append(items, "$-1"), s[3:]
		case s[0] == '$':
			rest := strings.TrimLeft(s[1:], "0123456789")
			if len(rest) == len(s)-1 {
				return nil, false
			}
			items, s = append(items, s[:len(s)-len(rest)]), rest
		default:
			return nil, false
		}
	}
	return items, true
}

// Renamed is what a change of each line makes of the lines that only name files:
// of places, or of all names in some directory.
func Renamed(change func(string) (string, bool), places []Word, names bool) (out []Word, still bool) {
	if names {
		places = []Word{{Text: anyName, Known: true, Glob: true}}
	}
	for _, w := range places {
		text, ok := change(w.Text)
		if !ok {
			return nil, false
		}
		if text == anyName {
			return nil, true
		}
		if text = strings.Trim(strings.ReplaceAll(text, anyName, "*"), " \"'"); strings.ContainsAny(text, " \t\n\"'\\$`;&|<>") {
			return nil, false // several words, or more than a name
		}
		w.Text = text
		w.Glob = w.Glob && strings.Contains(w.Text, "*")
		out = append(out, w)
	}
	return out, false
}
