package codex

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/internal/strict"
)

func reader() *decode.Reader {
	return &decode.Reader{Host: &Host, Known: []string{"turn_id"}, Bypass: []string{"bypassPermissions", "dontAsk"},
		Read: func(f *strict.Fields, ev *trammel.Event) { ev.Session.Turn = f.String("turn_id") }}
}

// DecodeEvent reads what Codex sent. A sub-agent's events carry the session of
// its parent and the sub-agent's own id. What a failed command printed comes as
// an ordinary output: Codex has no event for failures.
func (Dialect) DecodeEvent(raw []byte, name string) (*trammel.Event, error) {
	return reader().Event(raw, name)
}
