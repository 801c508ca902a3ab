// Package compute has what filters and expansions of the shell compute from texts
// that are known: printf, tr, sed, cut, patterns, arithmetic, escapes.
package compute

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// Word is a word of a reading.
type Word = model.Word

// MaxText bounds the bytes of one computed text.
const MaxText = 256 << 10

// Escaped resolves the escapes of echo -e and of printf's %b, in which an octal
// number begins with 0 and quotes mean themselves. With octal it may do without.
func Escaped(s string, octal bool) string {
	return escapes(s, func(b *strings.Builder, i int) int {
		switch c := s[i]; {
		case c == 'c':
			return len(s) // prints nothing more
		case c == '0' || octal && '1' <= c && c <= '7':
			n, v := 0, 0
			if c != '0' {
				i--
			}
			for n < 3 && i+1 < len(s) && '0' <= s[i+1] && s[i+1] <= '7' {
				i, n, v = i+1, n+1, v*8+int(s[i+1]-'0')
			}
			b.WriteByte(byte(v))
		case strings.IndexByte("abefnrtvE\\", c) >= 0:
			b.WriteString(Unescape(s[i-1 : i+1]))
		case strings.IndexByte("xuU", c) >= 0:
			end := i + 1
			for end < len(s) && end < i+9 && isHex(s[end]) && (c != 'x' || end < i+3) && (c != 'u' || end < i+5) {
				end++
			}
			b.WriteString(Unescape(s[i-1 : end]))
			i = end - 1
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
		return i
	})
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// Printf is what printf prints.
func Printf(args []Word) (string, bool) {
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return "", true
	}
	ok := args[0].Known
	layout, args := args[0].Text, args[1:]
	var b strings.Builder
	for { // the format is used again while there are arguments
		used, sure := printedOnce(&b, layout, args)
		ok = ok && sure
		args = args[min(used, len(args)):]
		if used == 0 || len(args) == 0 || b.Len() > MaxText {
			break
		}
	}
	return b.String(), ok && b.Len() <= MaxText
}

func printedOnce(b *strings.Builder, layout string, args []Word) (used int, ok bool) {
	ok = true
	next := func() string {
		if used++; used > len(args) {
			return ""
		}
		ok = ok && args[used-1].Known
		return args[used-1].Text
	}
	for i := 0; i < len(layout); {
		at := strings.IndexByte(layout[i:], '%')
		if at < 0 {
			b.WriteString(Unescape(layout[i:]))
			return used, ok
		}
		b.WriteString(Unescape(layout[i : i+at]))
		from := i + at
		i = from + 1
		for i < len(layout) && strings.IndexByte("-+ #0123456789.*", layout[i]) >= 0 {
			i++
		}
		if i >= len(layout) {
			b.WriteString(layout[from:])
			return used, ok
		}
		flags, verb := layout[from+1:i], layout[i]
		i++
		switch verb {
		case '%':
			b.WriteByte('%')
		case 's':
			ok = padded(b, flags, 's', next()) && ok
		case 'q':
			b.WriteString(backslashed(next()))
		case 'b':
			b.WriteString(Escaped(next(), true))
		case 'c':
			if s := next(); s != "" {
				b.WriteString(s[:1])
			}
		case 'd', 'i', 'u':
			n, isNumber := argument(next())
			ok = padded(b, flags, 'd', n) && ok && isNumber && (verb != 'u' || n >= 0)
		case 'x', 'X', 'o':
			n, isNumber := argument(next())
			ok = padded(b, flags, verb, n) && ok && isNumber && n >= 0
		default:
			next()
			ok = false
		}
	}
	return used, ok
}

// backslashed is what %q writes: a word that a shell reads as s.
func backslashed(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(" \t\n\\'\"`$&|;<>()*?[]{}#~=%!^", s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// argument reads an argument of %d: also 'a, the code of a letter.
func argument(s string) (int, bool) {
	if len(s) > 1 && (s[0] == '\'' || s[0] == '"') {
		return int(s[1]), true
	}
	if s == "" {
		return 0, true
	}
	return Integer(s)
}

// padded writes with a width and a precision, and reports whether it can.
func padded(b *strings.Builder, flags string, verb byte, v any) bool {
	for field := range strings.FieldsFuncSeq(flags, func(r rune) bool { return r < '0' || r > '9' }) {
		if len(field) > 3 {
			return false
		}
	}
	if strings.Contains(flags, "*") { // the width is an argument
		fmt.Fprint(b, v)
		return false
	}
	if verb == 's' {
		flags = strings.TrimLeft(flags, "0")
	}
	fmt.Fprintf(b, "%"+flags+string(verb), v)
	return true
}

// Tr is what tr writes: letters for letters, or some deleted.
func Tr(args []Word, s string) (string, bool) {
	remove, sets := false, []string{}
	for i := range args {
		t := args[i].Text
		switch {
		case len(t) > 1 && t[0] == '-' && len(sets) == 0:
			remove = remove || strings.IndexByte(t, 'd') > 0
			if strings.ContainsAny(t[1:], "csC") {
				return s, false
			}
		case !args[i].Known:
			return s, false
		case strings.Contains(letters(t), "[:") || strings.Contains(t, "[="): // another class
			return s, false
		default:
			sets = append(sets, letters(t))
		}
	}
	if remove && len(sets) == 1 {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(sets[0], r) {
				return -1
			}
			return r
		}, s), true
	}
	if len(sets) != 2 || sets[1] == "" {
		return s, false
	}
	text := []byte(s)
	for i, c := range text {
		if at := strings.LastIndexByte(sets[0], c); at >= 0 {
			text[i] = sets[1][min(at, len(sets[1])-1)]
		}
	}
	return string(text), true
}

// letters expands a set of tr: a-z, [:upper:], \n.
func letters(s string) string {
	s = strings.NewReplacer("[:upper:]", "A-Z", "[:lower:]", "a-z", "[:digit:]", "0-9", "[:space:]", " \t\n\r\v\f").Replace(s)
	s = Unescape(s)
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if i+2 < len(s) && s[i+1] == '-' && s[i] <= s[i+2] {
			for c := int(s[i]); c <= int(s[i+2]); c++ {
				b.WriteByte(byte(c))
			}
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// Cut is what cut -dX -fN writes.
func Cut(args []Word, s string) (string, bool) {
	delimiter, field, rest := "\t", 0, false
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		if len(t) < 2 || t[0] != '-' {
			return s, false
		}
		val := t[2:]
		if val == "" && i+1 < len(args) {
			i++
			val = args[i].Text
		}
		switch t[1] {
		case 'd':
			delimiter = val
		case 'f':
			val, rest = strings.CutSuffix(val, "-")
			field, _ = strconv.Atoi(val)
		default:
			return s, false
		}
	}
	if field < 1 || delimiter == "" {
		return s, false
	}
	return EachLine(s, func(line string) string {
		fields := strings.Split(line, delimiter)
		if len(fields) == 1 {
			return line
		}
		if rest && field <= len(fields) {
			return strings.Join(fields[field-1:], delimiter)
		}
		if field > len(fields) {
			return ""
		}
		return fields[field-1]
	}), true
}

// EachLine changes each line of a text.
func EachLine(s string, change func(string) string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if i < len(lines)-1 || line != "" { // behind the last line end is no line
			lines[i] = change(line)
		}
	}
	return strings.Join(lines, "\n")
}

// Instant reports whether a program is done as soon as it has written what it is given.
func Instant(program string) bool {
	switch program {
	case "", ":", "true", "false", "[", "[[", "test", "let", "echo", "printf", "cat", "cp", "dd", "head", "tail", "tee", "date", "seq", "tr",
		"rev", "base64", "od", "xxd", "openssl", "fallocate", "truncate":
		return true
	}
	return false
}

// LinesFromEnd is a text with its last line first.
func LinesFromEnd(s string) string {
	lines := strings.SplitAfter(s, "\n")
	slices.Reverse(lines)
	return strings.Join(lines, "")
}
