// Package within reads parts of strings: names, marks, embedded code, and escapes
// that only one language has.
package within

import (
	"strings"
	"unicode/utf8"

	"github.com/trammel-dev/trammel/effects/recipes"
)

// Hole marks the part of a text that a shell would fill in.
const Hole = "\uFFFC"

// far is how many bytes a name or an index may go on for.
const far = 512

// NameByte reports whether a name can have a byte in it.
func NameByte(b byte) bool {
	return b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || Digit(b) || b >= utf8.RuneSelf
}

// IsName reports whether a text can be a name.
func IsName(s string) bool {
	for i := 0; i < len(s); i++ {
		if !NameByte(s[i]) {
			return false
		}
	}
	return s != ""
}

// Digit reports whether a byte is one of 0 to 9.
func Digit(b byte) bool { return b >= '0' && b <= '9' }

// sigilCode is the variable that a piece of a string begins with, without the
// braces of ${x}.
func sigilCode(s, sigils string, length func(string) int) (string, int) {
	if strings.IndexByte(sigils, s[0]) < 0 {
		return "", 0
	}
	n := length(s)
	if n == 0 {
		return "", 0
	}
	code := s[:n]
	if len(code) > 3 && code[1] == '{' {
		code = code[:1] + strings.TrimSuffix(code[2:], "}")
	}
	return code, n
}

// Perl is $x, @x, $x[0] or $x{k} in a string.
func Perl(s string) (string, int) { return sigilCode(s, "$@", perlVariable) }

// perlVariable is the length of $x, ${x}, @x, $x[0], $x{k}, $x->{k}.
func perlVariable(s string) int {
	n := sigilName(s)
	for n > 0 && n < len(s) && s[1] != '{' {
		rest := strings.TrimPrefix(s[n:], "->")
		if rest == "" || rest[0] != '[' && rest[0] != '{' {
			break
		}
		end := strings.IndexByte(rest[:min(len(rest), far)], rest[0]+2)
		if end < 0 {
			break
		}
		n = len(s) - len(rest) + end + 1
	}
	return n
}

// sigilName is the length of $x or ${x}, 0 if it is none.
func sigilName(s string) int {
	switch {
	case len(s) < 2:
		return 0
	case s[1] == '{':
		return strings.IndexByte(s[:min(len(s), far)], '}') + 1
	case !NameByte(s[1]) || Digit(s[1]) && s[0] != '$':
		return 0
	}
	n := 1
	for n < len(s) && NameByte(s[n]) {
		n++
	}
	return n
}

// PHP is $x, ${x}, {$x}, $x[0] or $x->y in a string.
func PHP(s string) (string, int) {
	if strings.HasPrefix(s, "{$") {
		return recipes.Braced(s, 1)
	}
	return sigilCode(s, "$", func(s string) int {
		n := sigilName(s)
		if n == 0 || n >= len(s) || s[1] == '{' {
			return n
		}
		if rest := s[n:]; strings.HasPrefix(rest, "->") {
			for n += 2; n < len(s) && NameByte(s[n]); n++ {
			}
		} else if rest[0] == '[' {
			n += strings.IndexByte(rest[:min(len(rest), far)], ']') + 1
		}
		return n
	})
}

// Python is the code in braces of an f-string, without the conversion
// and the format behind it.
func Python(s string) (string, int) {
	switch {
	case strings.HasPrefix(s, "{{") || strings.HasPrefix(s, "}}"):
		return "", 2
	case s[0] != '{':
		return "", 0
	}
	code, n := recipes.Braced(s, 1)
	depth := 0
	for i := 0; i < len(code); i++ {
		switch b := code[i]; {
		case b == '(' || b == '[' || b == '{':
			depth++
		case b == ')' || b == ']' || b == '}':
			depth--
		case b == '\'' || b == '"':
			if k := strings.IndexByte(code[i+1:], b); k >= 0 {
				i += k + 1
			}
		case depth == 0 && (b == ':' || b == '!' && !strings.HasPrefix(code[i:], "!=")):
			code = code[:max(i, 1)]
		}
	}
	return code, n
}

// PythonEscape is \N{name}: a character by its name is unknown here.
func PythonEscape(s string, out *strings.Builder) int {
	end := strings.IndexByte(s[:min(len(s), far)], '}')
	if !strings.HasPrefix(s, `\N{`) || end < 0 {
		return 0
	}
	out.WriteString(Hole)
	return end + 1
}

// LuaEscape is \ddd, in decimal digits, and \z, which skips blanks.
func LuaEscape(s string, out *strings.Builder) int {
	switch b := s[1]; {
	case Digit(b):
		return recipes.Digits(s, 1, 3, 10, out)
	case b == 'z':
		return len(s) - len(strings.TrimLeft(s[2:], " \t\r\n"))
	}
	return 0
}

// PrefixIn is the length of the first word of a list that a text begins with.
func PrefixIn(list, text string) int {
	for list != "" {
		one, rest, _ := strings.Cut(list, " ")
		if strings.HasPrefix(text, one) {
			return len(one)
		}
		list = rest
	}
	return 0
}

// Closing is the mark that ends what another one opens.
func Closing(open byte) byte {
	if i := strings.IndexByte("([{<", open); i >= 0 {
		return ")]}>"[i]
	}
	return open
}

// Setting returns the text after a word in a list: word:setting.
func Setting(list, word string) string {
	for _, rest, ok := strings.Cut(list, " "+word); ok; _, rest, ok = strings.Cut(rest, " "+word) {
		if what, found := strings.CutPrefix(rest, ":"); found {
			what, _, _ = strings.Cut(what, " ")
			return what
		}
	}
	return ""
}
