package builtin

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Config is the handler's part of a declaration: the policy's name and its
// options, still as JSON.
type Config struct {
	Use  string
	With []byte
}

// Read reads a Config from JSON. It refuses unknown fields.
func Read(data []byte) (Config, error) {
	var c Config
	dec := jsontext.NewDecoder(bytes.NewBuffer(data))
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return c, fmt.Errorf("configuration is not an object: %.80q", data)
	}
	for dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			return c, err
		}
		name := key.String()
		value, err := dec.ReadValue()
		if err != nil {
			return c, fmt.Errorf("%s: %w", name, err)
		}
		switch name {
		case "use":
			text, err := jsontext.AppendUnquote(nil, value)
			if err != nil {
				return c, fmt.Errorf("use: expected a name, found %s", value)
			}
			c.Use = string(text)
		case "with":
			end := dec.InputOffset() // value itself is the decoder's
			c.With = data[end-int64(len(value)) : end]
		default:
			return c, fmt.Errorf("unknown key %q, expected use or with", name)
		}
	}
	if _, err := dec.ReadToken(); err != nil {
		return c, err
	}
	if c.Use == "" {
		return c, fmt.Errorf("use is missing: the name of a policy")
	}
	return c, nil
}
