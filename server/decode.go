package server

import (
	"bytes"
	"encoding/json"
	"io"
)

// decode reads exactly one JSON value, and nothing that v does not know.
func decode(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return malformed("this is not the JSON that is expected here: " + err.Error())
	}
	if _, err := d.Token(); err != io.EOF {
		return malformed("there is something after the JSON")
	}
	return nil
}
