// Package variables says where the words of a command have variables that hold secrets.
package variables

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// Secrets are the variables of a text that hold secrets by their names, as a shell, PowerShell
// and cmd write them: $TOKEN, $env:TOKEN, %TOKEN%.
func Secrets(text string) (names []string) {
	for {
		at := strings.IndexAny(text, "$%")
		if at < 0 {
			return names
		}
		mark, after := text[at], text[at+1:]
		name := strings.TrimLeft(after, "{!")
		if len(name) > 4 && strings.EqualFold(name[:4], "env:") {
			name = name[4:]
		}
		end := strings.IndexFunc(name, func(r rune) bool { return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') })
		if end >= 0 {
			name, after = name[:end], name[end:]
		}
		if (mark == '$' || strings.HasPrefix(after, "%")) && model.SecretVariable(name) {
			names = append(names, name)
		}
		text = after
		if end < 0 {
			return names
		}
	}
}

// Agent reports whether a text names the socket of an agent of ssh or gpg. Who reaches it
// can use its keys.
func Agent(text string) bool {
	for _, name := range [...]string{"SSH_AUTH_SOCK", "agent-socket", "agent-extra-socket", "agent-ssh-socket", "S.gpg-agent", "/agent."} {
		if strings.Contains(text, name) {
			return true
		}
	}
	return false
}

// Plain reports whether nothing in the name of a variable says that it may hold a
// secret.
func Plain(name string) bool {
	if model.SecretVariable(name) {
		return false
	}
	for _, part := range [...]string{"URL", "URI", "DSN", "AUTH", "CRED", "COOKIE", "SESSION", "HOOK", "PRIVATE", "SECRET", "KEY",
		"TOKEN", "PASS", "CONN"} {
		if strings.Contains(strings.ToUpper(name), part) {
			return false
		}
	}
	return true
}

// LogsIn reports whether a variable occurs once in a text, in a URL or as the token
// of a form.
func LogsIn(text, name string) bool {
	before, after, _ := strings.Cut(strings.ReplaceAll(text, "${"+name+"}", "$"+name), "$"+name)
	field := before[strings.LastIndexByte(before, '&')+1:]
	return !strings.Contains(after, "$"+name) && (strings.HasPrefix(text, "https://") || field == "token=" && (after == "" || after[0] == '&'))
}

// WithoutUser removes the user and password from an address:
// https://$TOKEN@github.com/a/b.
func WithoutUser(text string) string {
	scheme, rest, ok := strings.Cut(text, "://")
	if at := strings.IndexByte(rest, '@'); ok && at >= 0 && !strings.ContainsAny(rest[:at], "/?#") {
		return scheme + "://" + rest[at+1:]
	}
	return text
}

// WithoutHost removes the machine from a remote path: web@$HOST:/var/www.
func WithoutHost(text string) string {
	user, rest, at := strings.Cut(text, "@$")
	if host, place, ok := strings.Cut(rest, ":"); at && ok && !strings.ContainsAny(user+host, "/.$(") {
		return user + "@:" + place
	}
	return text
}

// WithoutCommands returns a text without its command substitutions.
func WithoutCommands(text string) string {
	var out strings.Builder
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '`' && depth == 0:
			quoted = !quoted
		case quoted:
		case strings.HasPrefix(text[i:], "$("):
			depth++
			i++
		case depth > 0 && text[i] == '(':
			depth++
		case depth > 0 && text[i] == ')':
			depth--
		case depth == 0:
			out.WriteByte(text[i])
		}
	}
	return out.String()
}
