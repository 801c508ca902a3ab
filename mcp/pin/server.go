package pin

import (
	"net/url"
	"strings"
	"sync"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/secret"
)

// Server says which server it is: another command or address under the same
// name is another server (MCP-51). It holds no secrets.
type Server struct {
	Name    string   `json:"name"`
	Command []string `json:"command,omitempty"`
	URL     string   `json:"url,omitempty"`
	// Program is the digest of the file that runs, "" if it cannot be read.
	Program string `json:"program,omitempty"`
}

// Command is the server that a command line starts, without its program.
func Command(name string, argv []string) Server {
	return Server{Name: name, Command: withoutSecrets(argv)}
}

// Program is the digest of the file that a command line starts, "" if it cannot
// be read. look finds the file; usually exec.LookPath. It is read in the
// background, while the server starts: node has 100 MB. Only the caller of what
// is returned waits for it.
func Program(argv []string, look func(string) (string, error)) func() string {
	found := make(chan string, 1)
	go func() {
		defer close(found)
		if path, err := look(argv[0]); err == nil {
			digest, _ := files.Digest(path)
			found <- digest
		}
	}()
	return sync.OnceValue(func() string { return <-found })
}

// Remote is the server at an address: only its origin and path count.
func Remote(name, address string) Server {
	u, err := url.Parse(address)
	if err != nil {
		return Server{Name: name, URL: canonical.Digest([]byte(address))}
	}
	text, _ := secret.Redact((&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String())
	return Server{Name: name, URL: text}
}

// ID is the identity as one text.
func (s Server) ID() string {
	return canonical.DigestOf([]any{s.Name, s.Command, s.URL, s.Program})
}

// withoutSecrets is a command line that can be shown and stored. The value of
// an option or a variable that takes a secret is left out, whatever it looks like.
func withoutSecrets(argv []string) []string {
	out := make([]string, len(argv))
	hide := false
	for i, arg := range argv {
		name, _, joined := strings.Cut(arg, "=")
		variable := strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == "" // env API_TOKEN=x srv
		switch {
		case i > 0 && joined && (variable || strings.HasPrefix(arg, "-")) && takesSecret(name):
			out[i] = name + "=…"
		case hide && !strings.HasPrefix(arg, "-"):
			out[i] = "…"
		default:
			out[i] = withoutUser(arg)
		}
		hide = strings.HasPrefix(arg, "-") && !joined && takesSecret(name)
	}
	return out
}

// takesSecret reports whether the name of an option suggests that it takes a secret.
func takesSecret(option string) bool {
	option = strings.ToLower(strings.TrimLeft(option, "-"))
	for _, word := range []string{"token", "secret", "password", "passwd", "credential", "auth", "bearer", "header"} {
		if strings.Contains(option, word) {
			return true
		}
	}
	return option == "h" || option == "key" || strings.HasSuffix(option, "-key") || strings.HasSuffix(option, "_key") ||
		strings.HasSuffix(option, "apikey")
}

// withoutUser removes known secrets, and the password in an address.
func withoutUser(arg string) string {
	if u, err := url.Parse(arg); err == nil && u.Scheme != "" && u.Host != "" {
		if u.User != nil {
			u.User = url.User("…")
		}
		if u.RawQuery != "" {
			u.RawQuery = "…"
		}
		arg = u.String()
	}
	text, _ := secret.Redact(arg)
	return text
}
