// Package sedscript reads scripts of sed, which can read, write and run what they like.
package sedscript

import "strings"

// Host is told what a script does.
type Host struct {
	Reads, Writes func(file string)
	Runs          func(text string) // a line of shell
	RunsInput     func()            // each line of the input is a line of shell
	Doubt         func(what string) // something is run, and it is not known what
}

// Read finds the commands of a script that touch files or run programs.
func Read(s string, h Host) {
	for i := 0; i < len(s); {
		switch b := s[i]; b {
		case ' ', '\t', '\n', ';', '{', '}', ',', '!', '$', '~', '+', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			i++
		case '/', '\\': // an address
			if b == '\\' {
				i++
			}
			i = delimited(s, i, 1)
			for i < len(s) && (s[i] == 'I' || s[i] == 'M') {
				i++
			}
		case 's', 'y':
			if i+1 >= len(s) {
				return
			}
			from := i + 1
			i = delimited(s, from, 2)
			if b == 's' {
				i = h.flags(s, from, i)
			}
		case '#', ':', 'b', 't', 'T', 'a', 'i', 'c':
			i = lineEnd(s, i)
			if b == 'b' || b == 't' || b == 'T' {
				continue
			}
		case 'w', 'W':
			end := lineEnd(s, i)
			h.Writes(strings.TrimSpace(s[i+1 : end]))
			i = end
		case 'r', 'R':
			end := lineEnd(s, i)
			h.Reads(strings.TrimSpace(s[i+1 : end]))
			i = end
		case 'e':
			end := lineEnd(s, i)
			if text := strings.TrimSpace(s[i+1 : end]); text != "" {
				h.Runs(text)
			} else {
				h.RunsInput()
			}
			i = end
		default:
			i++
		}
	}
}

// flags reads the flags behind s/from/to/ and returns where they end.
func (h *Host) flags(s string, from, i int) int {
	for ; i < len(s); i++ {
		switch s[i] {
		case 'w':
			end := lineEnd(s, i)
			h.Writes(strings.TrimSpace(s[i+1 : end]))
			return end
		case 'e': // the result of the substitution is run
			end := from
			for end = delimited(s, from, 1); end < i && s[i-1] != s[from]; i-- {
			}
			if text := s[min(end, i):max(end, i)]; len(text) > 1 && !strings.ContainsAny(text, `\&`) {
				h.Runs(strings.TrimSuffix(text, s[from:from+1]))
			} else {
				h.Doubt("sed s///e")
			}
			return lineEnd(s, i)
		case 'g', 'p', 'i', 'I', 'm', 'M', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		default:
			return i
		}
	}
	return i
}

// delimited skips n parts, separated and ended by the byte at i.
func delimited(s string, i, n int) int {
	if i >= len(s) {
		return i
	}
	end := s[i]
	class := false
	for i++; i < len(s) && n > 0; i++ {
		switch {
		case s[i] == '\\':
			i++
		case class:
			class = s[i] != ']'
		case s[i] == '[' && n > 0 && strings.IndexByte(s[i:], ']') > 0 && end != '[':
			class = strings.IndexByte(s[i:], end) > 0 && n == 1
		case s[i] == end:
			n--
		}
	}
	return min(i, len(s))
}

func lineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}
