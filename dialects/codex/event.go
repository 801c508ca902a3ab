package codex

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Dialect is Codex's dialect, for the host and for hook programs. A sub-agent's
// events carry the session of its parent and the sub-agent's own id. What a
// failed command printed comes as an ordinary output: Codex has no event for
// failures.
var Dialect = dialect{decode.Reader{Host: &Host, Known: []string{"turn_id"}, Bypass: []string{"bypassPermissions", "dontAsk"},
	Read: func(_ *decode.Reader, f *strict.Fields, ev *trammel.Event) { ev.Session.Turn = f.String("turn_id") }}}

type dialect struct{ decode.Reader }
