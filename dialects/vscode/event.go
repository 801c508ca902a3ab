package vscode

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/claudelike"
)

func reader() *claudelike.Reader {
	return &claudelike.Reader{Host: Name, Events: events, Tools: tools}
}

// DecodeEvent reads what VS Code sent. It does not say in which mode it asks
// its user, so whether its own questions are switched off is not known.
func (Dialect) DecodeEvent(raw []byte, name string) (*trammel.Event, error) {
	return reader().Event(raw, name)
}
