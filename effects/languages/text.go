package languages

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// quoted reads a string that begins at l.i with open and ends with end.
func (l *lexer) quoted(pos int, open, end byte, raw bool, kind tokenKind) {
	l.i++
	start, depth := l.i, 0
	for l.i < len(l.src) {
		switch b := l.src[l.i]; {
		case b == '\\' && l.i+1 < len(l.src):
			l.i++
		case b == end && depth == 0:
			l.finish(pos, l.src[start:l.i], raw, kind)
			return
		case b == end:
			depth--
		case b == open && open != end:
			depth++
		case (b == '#' && l.language == "ruby" || b == '$' && l.language == "node" && open == '`') && strings.HasPrefix(l.src[l.i+1:], "{") &&
			!raw:
			l.i += codeEnd(l.src[l.i+2:]) + 1
		case b == '\n' && l.language == "node" && open != '`':
			l.finish(pos, l.src[start:l.i], raw, kind)
			return
		}
		l.i++
	}
	l.i = len(l.src)
	l.finish(pos, l.src[min(start, len(l.src)):], raw, kind)
}

// finish adds the string whose body was read.
func (l *lexer) finish(pos int, body string, raw bool, kind tokenKind) {
	l.i = min(l.i+1, len(l.src))
	l.add(kind, "", pos)
	t := &l.out[len(l.out)-1]
	if raw {
		if strings.IndexByte(body, '\\') >= 0 {
			body = strings.NewReplacer(`\\`, `\`, `\'`, `'`).Replace(body)
		}
		t.text = body
		return
	}
	language := l.language
	if language == "node" && l.src[pos] != '`' {
		language = "" // only templates have code in them
	}
	t.text, t.parts = decode(language, body, kind == commandToken)
}

// pythonString reads a string of Python behind its prefix.
func (l *lexer) pythonString(pos int, prefix string) {
	q := l.src[l.i : l.i+1]
	if strings.HasPrefix(l.src[l.i:], q+q+q) {
		q = q + q + q
	}
	l.i += len(q)
	start := l.i
	raw := strings.Contains(prefix, "r")
	for l.i < len(l.src) && !strings.HasPrefix(l.src[l.i:], q) {
		if l.src[l.i] == '\n' && len(q) == 1 {
			break
		}
		if l.src[l.i] == '\\' {
			l.i++
		}
		l.i++
	}
	l.i = min(l.i, len(l.src))
	body := l.src[start:l.i]
	l.i = min(l.i+len(q), len(l.src))
	l.add(textToken, body, pos)
	t := &l.out[len(l.out)-1]
	switch {
	case strings.ContainsAny(prefix, "ft"):
		t.text, t.parts = decode("python", body, raw)
	case !raw:
		t.text, _ = decode("", body, false)
	}
}

// codeEnd returns the index behind the } that ends code in a string.
func codeEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth == 0 {
				return i + 1
			}
			depth--
		case '\'', '"':
			if n := strings.IndexByte(s[i+1:], s[i]); n >= 0 {
				i += n + 1
			}
		}
	}
	return len(s)
}

// decode resolves the escapes of a string and cuts out the code in it: ${x} in
// JavaScript, #{x} in Ruby, {x} in Python, $x in Perl and PHP, none in "".
func decode(language, s string, keepEscapes bool) (string, []part) {
	if strings.IndexByte(s, '\\') < 0 && !strings.ContainsAny(s, "$#{@") {
		return s, nil
	}
	var out strings.Builder
	var parts []part
	code := func(text string) {
		if out.Len() > 0 {
			parts = append(parts, part{text: out.String()})
			out.Reset()
		}
		parts = append(parts, part{text: text, code: true})
	}
	for i := 0; i < len(s); {
		b := s[i]
		switch {
		case b == '\\' && i+1 < len(s) && !keepEscapes:
			i += escape(s[i:], &out)
		case language == "node" && strings.HasPrefix(s[i:], "${"), language == "ruby" && strings.HasPrefix(s[i:], "#{"):
			n := codeEnd(s[i+2:])
			code(strings.TrimSuffix(s[i+2:i+2+n], "}"))
			i += 2 + n
		case language == "python" && b == '{':
			if strings.HasPrefix(s[i:], "{{") {
				out.WriteByte('{')
				i += 2
				continue
			}
			n := codeEnd(s[i+1:])
			text := strings.TrimSuffix(s[i+1:i+1+n], "}")
			code(formatted(text))
			i += 1 + n
		case language == "python" && strings.HasPrefix(s[i:], "}}"):
			out.WriteByte('}')
			i += 2
		case (language == "perl" || language == "php") && (b == '$' || b == '@' && language == "perl" || language == "php" &&
			strings.HasPrefix(s[i:], "{$")):
			n := variable(language, s[i:])
			if n == 0 {
				out.WriteByte(b)
				i++
				continue
			}
			code(bare(s[i : i+n]))
			i += n
		default:
			out.WriteByte(b)
			i++
		}
	}
	if parts == nil {
		return out.String(), nil
	}
	if out.Len() > 0 {
		parts = append(parts, part{text: out.String()})
	}
	return "", parts
}

// bare takes the braces off ${x} and {$x}.
func bare(s string) string {
	switch {
	case strings.HasPrefix(s, "{"):
		return strings.TrimSuffix(s[1:], "}")
	case len(s) > 3 && s[1] == '{':
		return s[:1] + strings.TrimSuffix(s[2:], "}")
	}
	return s
}

// formatted drops the conversion and format behind the code of an f-string.
func formatted(s string) string {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '\'', '"':
			if n := strings.IndexByte(s[i+1:], s[i]); n >= 0 {
				i += n + 1
			}
		case ':':
			if depth == 0 {
				return s[:i]
			}
		case '!':
			if depth == 0 && !strings.HasPrefix(s[i:], "!=") {
				return s[:i]
			}
		}
	}
	return s
}

// variable returns the length of the variable that a string of Perl or PHP
// begins with.
func variable(language, s string) int {
	if strings.HasPrefix(s, "{$") {
		return 1 + codeEnd(s[1:])
	}
	if len(s) < 2 {
		return 0
	}
	n := 1
	switch {
	case s[1] == '{':
		return strings.IndexByte(s[:min(len(s), maxName)], '}') + 1
	case isNameByte(s[1]) && (s[1] < '0' || s[1] > '9' || s[0] == '$'):
		for n < len(s) && isNameByte(s[n]) {
			n++
		}
	default:
		return 0
	}
	for n < len(s) { // $x[0], $x{k}, $x->{k}
		rest := s[n:]
		skip := 0
		if strings.HasPrefix(rest, "->") && len(rest) > 2 && (rest[2] == '[' || rest[2] == '{' || language == "php") {
			skip = 2
		}
		if language == "php" && skip == 2 {
			for skip < len(rest) && isNameByte(rest[skip]) {
				skip++
			}
			return n + skip
		}
		if skip < len(rest) && (rest[skip] == '[' || rest[skip] == '{' && language == "perl") {
			end := strings.IndexByte(rest[:min(len(rest), maxName)], closing(rest[skip]))
			if end < 0 {
				return n
			}
			n += end + 1
			continue
		}
		break
	}
	return n
}

// escape writes what an escape sequence stands for and returns its length.
func escape(s string, out *strings.Builder) int {
	digits := func(from, most, base int) int {
		to := from
		for to < len(s) && to < from+most {
			if _, err := strconv.ParseUint(s[to:to+1], base, 8); err != nil {
				break
			}
			to++
		}
		if to == from {
			out.WriteByte(s[1])
			return 2
		}
		n, _ := strconv.ParseUint(s[from:to], base, 32)
		if base == 16 && most == 2 && n < 256 || base == 8 {
			if n < utf8.RuneSelf {
				out.WriteByte(byte(n))
			} else {
				out.WriteRune(rune(n))
			}
		} else {
			out.WriteRune(rune(n))
		}
		return to
	}
	switch b := s[1]; b {
	case 'n':
		out.WriteByte('\n')
	case 't':
		out.WriteByte('\t')
	case 'r':
		out.WriteByte('\r')
	case 'a':
		out.WriteByte(7)
	case 'e':
		out.WriteByte(27)
	case '\n':
	case 'x', 'u', 'U':
		if len(s) > 2 && s[2] == '{' {
			n := digits(3, 8, 16)
			if n < len(s) && s[n] == '}' {
				n++
			}
			return n
		}
		switch b {
		case 'x':
			return digits(2, 2, 16)
		case 'u':
			return digits(2, 4, 16)
		}
		return digits(2, 8, 16)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return digits(1, 3, 8)
	default:
		if b >= utf8.RuneSelf {
			_, n := utf8.DecodeRuneInString(s[1:])
			out.WriteString(s[1 : 1+n])
			return 1 + n
		}
		out.WriteByte(b)
	}
	return 2
}
