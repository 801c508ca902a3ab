package stdio

import (
	"maps"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/internal/option"
)

// Config is the handler's part of a declaration.
type Config struct {
	Dir  string `json:"dir"`  // the pack; a relative path starts at the declaration
	Hook string `json:"hook"` // which of its hooks
	// Payload names the parts of the event that the hook gets, each by its path
	// in the native form of the event. Without it, it gets the whole event.
	Payload map[string]string `json:"payload"`
	// Pinned is the digest that the pack must have, by its path.
	Pinned map[string]string `json:"pinned"`
}

func (c *Config) check() error {
	wrong := func(key, message, expected string) error {
		return &option.Error{Key: key, Message: message, Expected: expected}
	}
	switch {
	case strings.TrimSpace(c.Dir) == "":
		return wrong("dir", "there is no pack", "the directory of a pack")
	case strings.TrimSpace(c.Hook) == "":
		return wrong("hook", "there is no hook", "the id of a hook of the pack")
	}
	for _, name := range slices.Sorted(maps.Keys(c.Payload)) {
		path := c.Payload[name]
		if path == "" || slices.Contains(strings.Split(path, "."), "") {
			return wrong("payload."+name, "this is not a path", "a path such as tool.input.command")
		}
	}
	return nil
}

// pick selects the parts of an event. A missing part is null.
func (c *Config) pick(event map[string]any) map[string]any {
	if c.Payload == nil {
		return event
	}
	out := make(map[string]any, len(c.Payload))
	for name, path := range c.Payload {
		var v any = event
		for _, key := range strings.Split(path, ".") {
			m, _ := v.(map[string]any)
			v = m[key]
		}
		out[name] = v
	}
	return out
}
