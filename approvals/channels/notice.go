package channels

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/approvals/show"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/visible"
)

// Notice is a message to people that needs no answer.
type Notice struct {
	ID          string // the same for repeated sends
	Title, Text string // safe to look at, without markup; Text can be empty
}

// Notifier is a channel that also sends notices: it can be used without any
// hook.
type Notifier interface {
	Channel
	Notify(ctx context.Context, n *Notice) error
}

// Limits of a notice, in bytes. Every platform accepts this much.
const (
	maxTitle = 150
	maxText  = 2000
)

// NewNotice makes a notice from any text: secrets are masked, invisible
// characters are written out, and long texts are cut.
func NewNotice(title, text string) *Notice {
	n := &Notice{ID: "ntc_" + rand.Text()}
	n.Title, _ = show.Cut(show.Safe(title), maxTitle)
	text, _ = secret.Redact(text)
	text, _ = visible.Text(strings.TrimSpace(text))
	n.Text, _ = show.Cut(text, maxText)
	return n
}

// Notify sends a notice through the channels with these names, all that are
// declared if none is named, and returns the names of those that accepted it. A
// channel that cannot be opened keeps no other from being used.
func Notify(ctx context.Context, declared map[string]json.RawMessage, kinds map[string]Kind, env *Env, names []string,
	n *Notice) (took []string, err error) {
	known := slices.Sorted(maps.Keys(declared))
	if len(names) == 0 {
		names = known
	}
	var failed []string
	for _, name := range names {
		if !slices.Contains(known, name) {
			failed = append(failed, fmt.Sprintf("there is no channel %q, expected one of %s", name, strings.Join(known, ", ")))
			continue
		}
		c, err := open(name, declared[name], kinds, env)
		if to, ok := c.(Notifier); ok {
			err = to.Notify(ctx, n)
		} else if err == nil {
			err = errors.New("it sends no notices")
		}
		if err != nil {
			failed = append(failed, fmt.Sprintf("channel %s: %v", name, err))
			continue
		}
		took = append(took, name)
	}
	if len(failed) > 0 {
		err = fmt.Errorf("%s", strings.Join(failed, "; "))
	}
	return took, err
}
