package paths

import (
	"io/fs"
	"strings"
)

// maxBeside limits how many names are checked to see whether a word stays in its
// directory.
const maxBeside = 1024

// confine turns a word with unknown values into a pattern, if it stays in one
// directory whatever they are: libressl-$V/src. For $V to lead elsewhere, a
// directory libressl-… would have to exist, and none does. A value that is a
// number or a plain word may be a whole name, logs/$(date +%s), and becomes 0.
func (r *Resolver) confine(w Word, dir Path) (Word, bool) {
	if w.Glob || w.Splits {
		return w, false
	}
	var out strings.Builder
	for rest, more := w.Text, true; more; {
		var part string
		var ok bool
		if part, rest, more, ok = cutPart(rest); !ok {
			return w, false
		}
		begin, pattern, ok := namePattern(part)
		if !ok || begin != "" && r.beside(out.String(), begin, dir) {
			return w, false
		}
		out.WriteString(pattern)
		if more {
			out.WriteByte('/')
		}
	}
	w.Text, w.Known = out.String(), true
	w.Glob = strings.Contains(w.Text, "*")
	w.Some = w.Some || w.Glob
	return w, true
}

// beside reports whether a directory may hold directories or links whose names
// begin so. What is below a name that is not there holds none.
func (r *Resolver) beside(in, prefix string, dir Path) bool {
	if strings.Contains(in, "*") {
		return false
	}
	if in == "" {
		in = "."
	}
	at := r.Resolve(Word{Text: in, Known: true}, dir)
	if !at.Known() {
		return true
	}
	entries, err := r.World.ReadDir(at.Real, maxBeside)
	if len(entries) >= maxBeside {
		return true
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) && (e.IsDir() || e.Type()&fs.ModeSymlink != 0) {
			return true
		}
	}
	return err != nil && len(entries) > 0
}

// cutPart cuts a word after the first slash outside of expansions.
func cutPart(text string) (part, rest string, more, ok bool) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '/':
			return text[:i], text[i+1:], true, true
		case '`', '\\':
			return "", "", false, false
		case '$':
			n := expansion(text[i:])
			if n == 0 {
				return "", "", false, false
			}
			i += n - 1
		}
	}
	return text, "", false, true
}

// namePattern is the pattern of a name with expansions in it, and what it begins
// with for certain if there are some. It fails where their values may make another
// name of it altogether: nothing, . or .., or several.
func namePattern(part string) (begin, pattern string, ok bool) {
	var out strings.Builder
	for i := 0; i < len(part); i++ {
		switch c := part[i]; {
		case strings.IndexByte("*?[]{}()", c) >= 0:
			return "", "", false
		case c != '$':
			out.WriteByte(c)
			continue
		}
		n := expansion(part[i:])
		switch so := out.String(); {
		case PlainValue(part[i : i+n]):
			out.WriteByte('0')
		case begin == "" && strings.Trim(so, ".") == "":
			return "", "", false
		default:
			if begin == "" {
				begin = so
			}
			out.WriteByte('*')
		}
		i += n - 1
	}
	return begin, out.String(), true
}

// expansion is the length of $x, ${x…} or $(…) at the beginning of a text, 0 if it
// is none that is understood.
func expansion(text string) int {
	if len(text) < 2 {
		return 0
	}
	switch c := text[1]; {
	case c == '{' || c == '(':
		open, depth := c, 0
		end := byte('}')
		if c == '(' {
			end = ')'
		}
		for i := 1; i < len(text); i++ {
			switch text[i] {
			case '\'', '"', '\\', '`':
				return 0
			case open:
				depth++
			case end:
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	case c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z':
		n := 2
		for n < len(text) && (text[n] == '_' || text[n] >= '0' && text[n] <= '9' || text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z') {
			n++
		}
		return n
	case c == '$' || c == '!' || c == '?' || c == '#':
		return 2
	}
	return 0
}

// PlainValue reports whether an expansion is a number or a plain word on every
// machine.
func PlainValue(text string) bool {
	switch text {
	case "$$", "$!", "$?", "$#", "$RANDOM", "$SECONDS", "$UID", "$EUID", "$PPID", "$LINENO", "$(nproc)", "$(arch)", "$(uname)", "$(uname -s)",
		"$(uname -m)", "$(uname -r)", "$(id -u)", "$(id -g)", "$(git rev-parse HEAD)", "$(git rev-parse --short HEAD)", "$(go env GOOS)",
		"$(go env GOARCH)", "$(dpkg --print-architecture)", "$(lsb_release -cs)", "$(uuidgen)":
		return true
	}
	if strings.HasPrefix(text, "$((") {
		return true
	}
	format, ok := strings.CutPrefix(strings.TrimPrefix(text, "$(date -u "), "$(date ")
	if !ok {
		format = strings.TrimPrefix(text, "$(date -u ")
		ok = format != text
	}
	format = strings.TrimSuffix(format, ")")
	return ok && len(format) > 2 && strings.HasPrefix(format, "+%") && strings.Trim(format, "+%sYmdHMSFTjyNZ_-") == ""
}
