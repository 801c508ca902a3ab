package install

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/internal/lazy"
)

// The supported part of TOML: a table for each server, with the command and its
// arguments as plain strings. Everything else is left unchanged.
var (
	tomlHead    = lazy.Regexp(`^\s*\[([^\[\]]+)\]\s*(#.*)?$`)
	tomlCommand = lazy.Regexp(`^(\s*command\s*=\s*)("(?:[^"\\]|\\.)*"|'[^']*')\s*(#.*)?$`)
	tomlArgs    = lazy.Regexp(`^\s*args\s*=\s*\[`)
	tomlItem    = lazy.Regexp(`^(?:\s|#[^\n]*\n)*("(?:[^"\\]|\\.)*"|'[^'\n]*')((?:\s|#[^\n]*\n)*)(,)?`)
	tomlEnd     = lazy.Regexp(`^(?:\s|#[^\n]*\n)*\]`)
)

// tomlServers finds the tables of servers.
func tomlServers(src []byte, key string) []*server {
	var out []*server
	var s *server
	at := 0
	for line := range bytes.Lines(src) {
		text := strings.TrimRight(string(line), "\r\n")
		switch {
		case strings.HasPrefix(strings.TrimSpace(text), "[") && tomlHead().MatchString(text):
			s = nil
			if name, ok := strings.CutPrefix(strings.TrimSpace(tomlHead().FindStringSubmatch(text)[1]), key+"."); ok {
				if plain, ok := tomlName(name); ok {
					s = &server{name: plain, why: notCommands, body: at + len(line),
						missing: func(args string) string { return "\nargs = [" + args + "]" }}
					out = append(out, s)
				} else {
					tomlAside(out, name)
				}
			}
		case s == nil:
		case tomlCommand().MatchString(text):
			m := tomlCommand().FindStringSubmatchIndex(text)
			said, ok := tomlText(text[m[4]:m[5]])
			if s.command = (span{at + m[4], at + m[5], said}); ok && s.why == notCommands {
				s.why = ""
			}
		case tomlArgs().MatchString(text):
			if s.args = tomlList(src, at+len(tomlArgs().FindString(text))); s.args == nil {
				s.why = "its arguments are not a list of plain strings"
			}
		}
		if s != nil {
			s.tomlLine(text, at, len(line))
		}
		at += len(line)
	}
	return out
}

// tomlName is the key of a table, quoted or bare; keys of nested tables are not
// accepted.
func tomlName(key string) (string, bool) {
	if strings.HasPrefix(key, `"`) || strings.HasPrefix(key, `'`) {
		return tomlText(key)
	}
	return key, !strings.ContainsAny(key, `."'`)
}

func tomlText(quoted string) (string, bool) {
	if strings.HasPrefix(quoted, "'") {
		return strings.Trim(quoted, "'"), len(quoted) > 1 && strings.Count(quoted, "'") == 2
	}
	text, err := strconv.Unquote(quoted)
	return text, err == nil
}

// tomlList reads a list of texts that opens at an offset.
func tomlList(src []byte, open int) *texts {
	l := &texts{open: open}
	for at := open; ; {
		if tomlEnd().Match(src[at:]) {
			return l
		}
		m := tomlItem().FindSubmatchIndex(src[at:])
		if m == nil {
			return nil
		}
		text, ok := tomlText(string(src[at+m[2] : at+m[3]]))
		if !ok {
			return nil
		}
		l.items = append(l.items, span{at + m[2], at + m[3], text})
		next := at + m[3]
		if m[6] >= 0 {
			next = at + m[7]
		}
		l.next = append(l.next, next)
		at = next
	}
}
