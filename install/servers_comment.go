package install

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/trammel-dev/trammel/internal/lazy"
)

// If a client refuses unknown names, members that conflict with the proxy
// become comments; removing the marks restores them (MCP-72, 73).
const (
	lineMark             = "#trammel: "
	openMark, closeMark  = "/*trammel: ", "*/"
	addedMark            = "/*trammel*/"
	signsIn, notCommands = "the client signs in itself; if that is not needed, replace it by the proxy with --url",
		"it is not started by a command"
)

// commented is an entry with an address whose members become comments.
type commented struct {
	remote
	members []span // that conflict with the proxy; without their marks, or with them
	forward []string
	toml    bool
}

// jsonCommented reads an entry of a client that supports comments. why says why the
// proxy cannot be put in front of it.
func jsonCommented(src []byte, v *hujson.Value) (r *commented, why string) {
	r = &commented{remote: remote{open: v.StartOffset + 1}}
	o, c, open := v.Value.(*hujson.Object), containerOf(v), false
	for i := range o.Members {
		value := &o.Members[i].Value
		literal, isLiteral := value.Value.(hujson.Literal)
		switch nameOf(&o.Members[i]) {
		case "url":
			r.address = textOf(value)
		case "headers":
			if r.headers = headersOf(value); r.headers == nil {
				return nil, "its headers are not all strings"
			}
		case "type":
		case "oauth":
			if open = isLiteral && string(literal) == "false"; !open {
				return nil, signsIn
			}
		default:
			continue
		}
		at := span{from: c.slots[i].start, to: c.slots[i].end}
		if c.slots[i].comma && i+1 < len(c.slots) {
			at.to += len(c.slots[i].after) + 1
		}
		if bytes.Contains(src[at.from:at.to], []byte(closeMark)) {
			return nil, "it cannot become a comment"
		}
		r.members = append(r.members, at)
	}
	if r.address == "" {
		return nil, notCommands
	}
	if why = r.unsuitable(); open && why != "" && r.usable() {
		why = ""
	}
	return r, why
}

func textOf(v *hujson.Value) string {
	if l, ok := v.Value.(hujson.Literal); ok && l.Kind() == '"' {
		return l.String()
	}
	return ""
}

// jsonUncommented reads an entry that wrap has turned into a command, nil if it
// is something else.
func jsonUncommented(src []byte, v *hujson.Value) *commented {
	at := bytes.Index(src[v.StartOffset:v.EndOffset], []byte(addedMark))
	if at < 0 {
		return nil
	}
	r := &commented{remote: remote{added: span{from: v.StartOffset + 1, to: v.StartOffset + at + len(addedMark)}}}
	for from := r.added.to; ; {
		open := bytes.Index(src[from:v.EndOffset], []byte(openMark))
		if open < 0 {
			return r
		}
		open += from
		end := bytes.Index(src[open:v.EndOffset], []byte(closeMark))
		if end < 0 {
			return r
		}
		from = open + end + len(closeMark)
		r.members = append(r.members, span{from: open, to: from})
	}
}

// wrap turns the entry into a command.
func (r *commented) wrap(e *edits, program string, words []string) {
	words = append(words, "--url", r.address)
	if r.toml {
		text := "command = " + quoted(program) + "\nargs = [" + quoted(words...) + "]\n"
		if len(r.headers) > 0 {
			text += "env = { " + strings.Join(r.variables(" = "), ", ") + " }\n"
		}
		if len(r.forward) > 0 {
			text += "env_vars = [" + quoted(r.forward...) + "]\n"
		}
		e.insert(r.open, text)
		for _, m := range r.members {
			e.insert(m.from, lineMark)
		}
		return
	}
	text := `"type": "local", "command": [` + quoted(append([]string{program}, words...)...) + `]`
	if len(r.headers) > 0 {
		text += `, "environment": {` + strings.Join(r.variables(": "), ", ") + `}`
	}
	e.insert(r.open, text+", "+addedMark)
	for _, m := range r.members {
		e.insert(m.from, openMark)
		e.insert(m.to, closeMark)
	}
}

// unwrap restores the entry.
func (r *commented) unwrap(e *edits) {
	e.cut(r.added.from, r.added.to)
	for _, m := range r.members {
		if r.toml {
			e.cut(m.from, m.from+len(lineMark))
			continue
		}
		e.cut(m.from, m.from+len(openMark))
		e.cut(m.to-len(closeMark), m.to)
	}
}

var (
	tomlField = lazy.Regexp(`^\s*([A-Za-z0-9_]+)\s*=\s*(.*?)\s*$`)
	tomlValue = lazy.Regexp(`^("(?:[^"\\]|\\.)*"|'[^']*')\s*(?:#.*)?$`)
	tomlTable = lazy.Regexp(`^\{\s*(.*?)\s*,?\s*\}\s*(?:#.*)?$`)
	tomlPair  = lazy.Regexp(`^("(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)\s*=\s*("(?:[^"\\]|\\.)*"|'[^']*')\s*(?:,\s*|$)`)
)

// tomlLine reads a line of a server's table that may be about an address.
func (s *server) tomlLine(text string, at, size int) {
	if strings.HasPrefix(text, lineMark) {
		if r, ok := s.wired.(*commented); ok {
			r.members = append(r.members, span{from: at})
		} else {
			s.wired = &commented{toml: true, remote: remote{added: s.ownLines}, members: []span{{from: at}}}
		}
		return
	}
	m := tomlField().FindStringSubmatch(text)
	if m == nil {
		return
	}
	switch m[1] {
	case "url", "bearer_token_env_var", "http_headers", "env_http_headers":
		r, _ := s.url.(*commented)
		if r == nil {
			r = &commented{toml: true, remote: remote{open: s.body}}
			s.url = r
		}
		r.members = append(r.members, span{from: at})
		if !r.tomlMember(m[1], m[2]) {
			s.why, r.broken = m[1]+" has a notation that is not supported", true
		}
		if !r.broken {
			if s.why = r.unsuitable(); r.address == "" {
				s.why = notCommands
			}
		}
	case "oauth", "scopes", "oauth_resource", "bearer_token", "http_headers_helper":
		s.url, s.why = &commented{toml: true, remote: remote{broken: true}}, signsIn
	case "command", "args", "env", "env_vars":
		if s.ownLines.to == at || s.ownLines.to == 0 && at == s.body {
			s.ownLines = span{from: s.body, to: at + size}
		}
	}
}

// tomlMember takes a setting, and reports whether it understands it.
func (r *commented) tomlMember(name, value string) bool {
	switch text := tomlValue().FindStringSubmatch(value); {
	case (name == "url" || name == "bearer_token_env_var") && text != nil:
		said, ok := tomlText(text[1])
		if name == "url" {
			r.address = said
		} else {
			r.headers, r.forward = append(r.headers, "Authorization: Bearer ${"+said+"}"), append(r.forward, said)
		}
		return ok
	case name == "url" || name == "bearer_token_env_var":
		return false
	}
	table := tomlTable().FindStringSubmatch(value)
	if table == nil {
		return false
	}
	for rest := table[1]; rest != ""; {
		pair := tomlPair().FindStringSubmatch(rest)
		if pair == nil {
			return false
		}
		key, ok := tomlName(pair[1])
		said, plain := tomlText(pair[2])
		if !ok || !plain || strings.Contains(said, "${") {
			return false
		}
		if name == "env_http_headers" {
			r.forward = append(r.forward, said)
			said = "${" + said + "}"
		}
		r.headers = append(r.headers, key+": "+said)
		rest = rest[len(pair[0]):]
	}
	return true
}

// tomlAside marks a server whose headers are in a separate table.
func tomlAside(servers []*server, name string) {
	if !strings.HasSuffix(name, ".http_headers") && !strings.HasSuffix(name, ".env_http_headers") {
		return
	}
	i := slices.IndexFunc(servers, func(s *server) bool {
		return strings.HasPrefix(name, s.name+".") || strings.HasPrefix(name, `"`+s.name+`".`)
	})
	if i >= 0 && servers[i].url != nil {
		servers[i].why = "its headers are in a separate table"
	}
}
