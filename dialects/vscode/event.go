package vscode

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/decode"
)

// DecodeEvent reads what VS Code sent. It does not say in which mode it asks
// its user, so whether its own questions are switched off is not known.
func (Dialect) DecodeEvent(raw []byte, name string) (*trammel.Event, error) {
	return (&decode.Reader{Host: &Host}).Event(raw, name)
}
