package http

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/post"
)

// Config is the handler's part of a declaration.
type Config struct {
	URL        string            `json:"url"`
	Dialect    string            `json:"dialect"`
	Speak      string            `json:"speak"` // options of the dialect, as JSON
	SecretEnv  string            `json:"secret_env"`
	Headers    map[string]string `json:"headers"`
	HeadersEnv map[string]string `json:"headers_env"`
	Connect    option.Duration   `json:"connect"`
	Idempotent bool              `json:"idempotent"`
	Insecure   bool              `json:"insecure"`
	MaxOutput  option.Size       `json:"max_output"`
}

// Defaults is the default configuration.
func Defaults() Config {
	return Config{Dialect: "native", Connect: option.Duration(post.DefaultConnect), MaxOutput: post.DefaultResponse}
}

func (c *Config) check() (*post.Address, error) {
	at, err := post.Parse(c.URL)
	switch {
	case err != nil:
		return nil, &option.Error{Key: "url", Message: err.Error()}
	case at.Exposed() && !c.Insecure:
		return nil, &option.Error{Key: "url", Message: "the event would be sent unencrypted to " + at.String(),
			Expected: "https, a server on this machine, or insecure: true"}
	case time.Duration(c.Connect) <= 0:
		return nil, &option.Error{Key: "connect", Message: "there is no time to connect", Expected: "a duration above zero"}
	}
	for name, value := range c.Headers {
		if err := checkHeader("headers", name); err != nil {
			return nil, err
		}
		if !validValue(value) {
			return nil, &option.Error{Key: "headers." + name, Message: "the value contains a line break or another control character"}
		}
	}
	for name := range c.HeadersEnv {
		if err := checkHeader("headers_env", name); err != nil {
			return nil, err
		}
		if _, twice := c.Headers[name]; twice {
			return nil, &option.Error{Key: "headers_env." + name, Message: "the header is set twice"}
		}
	}
	return at, nil
}

// checkHeader refuses invalid names, and those that Trammel sets.
func checkHeader(key, name string) error {
	e := &option.Error{Key: key + "." + name}
	for _, r := range name {
		if r > 'z' || !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", r)) {
			e.Message = fmt.Sprintf("%q cannot be the name of a header", name)
			return e
		}
	}
	switch canonical := http.CanonicalHeaderKey(name); {
	case name == "":
		e.Message = "a header has no name"
	case canonical == "Content-Type", canonical == "Content-Length", canonical == "Transfer-Encoding", canonical == "Connection",
		canonical == "Host", strings.HasPrefix(canonical, "Trammel-"):
		e.Message = fmt.Sprintf("the header %s is set by Trammel itself", canonical)
	default:
		return nil
	}
	return e
}

func validValue(value string) bool {
	for i := range len(value) {
		if c := value[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}
