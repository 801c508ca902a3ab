package channels

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/post"
	"github.com/trammel-dev/trammel/store"
)

// Kind makes a channel from its options.
type Kind func(name string, options []byte, env *Env) (Channel, error)

// Env is the environment of channels.
type Env struct {
	Now    func() time.Time    // the clock
	Getenv func(string) string // the environment, for secrets
	HTTP   *http.Client        // nil means a client with limits
	// Public is the public address of our server, "" if there is none.
	Public string
	// CallPattern says which calls are similar to one, to show what a grant would
	// cover; it may be nil.
	CallPattern func(a *store.Approval) (approvals.CallPattern, error)

	unread bool // secrets are not read
}

// Open makes the channels that settings declare. Options are read strictly, and
// secrets come from the environment or from files: no option can hold one.
func Open(declared map[string]json.RawMessage, kinds map[string]Kind, env *Env) (map[string]Channel, error) {
	out := make(map[string]Channel, len(declared))
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		c, err := open(name, declared[name], kinds, env)
		if err != nil {
			return nil, fmt.Errorf("channel %s: %w", name, err)
		}
		out[name] = c
	}
	return out, nil
}

func open(name string, options []byte, kinds map[string]Kind, env *Env) (Channel, error) {
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(options, &head); err != nil {
		return nil, fmt.Errorf("type: %w", err)
	}
	kind, known := kinds[head.Type]
	if !known {
		return nil, fmt.Errorf("found type %q, expected one of %s", head.Type, strings.Join(slices.Sorted(maps.Keys(kinds)), ", "))
	}
	return kind(name, options, env)
}

// Check says what is wrong with the options of a channel, before a server opens
// it. Its secrets must be named, but are not read: only the server has them.
func Check(options []byte, kinds map[string]Kind) error {
	_, err := open("", options, kinds, &Env{Now: time.Now, unread: true})
	return err
}

// Read reads the options of a channel into a struct with json tags.
func Read(options []byte, into any) error { return option.Read(options, into) }

// Secret says where a secret is stored.
type Secret struct{ Option, Env, File string }

// Secret reads a secret; "" if none is named.
func (e *Env) Secret(s Secret) (string, error) {
	switch {
	case s.Env != "" && s.File != "":
		return "", fmt.Errorf("%s_env and %s_file are both set, expected one", s.Option, s.Option)
	case e.unread && s.Env+s.File != "":
		return "whsec_" + base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "what stands for %s", s.Option)), nil
	case s.Env != "":
		value := strings.TrimSpace(e.Getenv(s.Env))
		if value == "" {
			return "", fmt.Errorf("%s_env: %s is not set", s.Option, s.Env)
		}
		return value, nil
	case s.File != "":
		data, err := os.ReadFile(s.File)
		if err != nil {
			return "", fmt.Errorf("%s_file: %w", s.Option, err)
		}
		value := strings.TrimSpace(string(data))
		if value == "" {
			return "", fmt.Errorf("%s_file: %s is empty", s.Option, s.File)
		}
		return value, nil
	}
	return "", nil
}

// Need is Secret for a required secret.
func (e *Env) Need(s Secret) (string, error) {
	value, err := e.Secret(s)
	if err == nil && value == "" {
		err = fmt.Errorf("%s_env or %s_file is missing", s.Option, s.Option)
	}
	return value, err
}

// Address checks the address of a platform: secrets go there, so it has to be
// https, or on this machine.
func Address(text string) (string, error) {
	at, err := post.Parse(text)
	switch {
	case err != nil:
		return "", err
	case strings.HasPrefix(text, "unix:"):
		return "", fmt.Errorf("the scheme is %q, expected https", "unix")
	case at.Exposed():
		return "", fmt.Errorf("what is sent to %s could be read in transit, expected https", at)
	}
	return strings.TrimRight(text, "/"), nil
}

// FullView is the address of the page that shows the whole approval, "" if
// there is none.
func (e *Env) FullView(a *store.Approval) string {
	if e.Public == "" {
		return ""
	}
	return strings.TrimRight(e.Public, "/") + "/approvals/" + a.ID
}
