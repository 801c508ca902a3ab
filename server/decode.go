package server

import (
	"bytes"
	"encoding/json"
	"io"
)

// decode reads exactly one JSON value, and refuses unknown fields.
func decode(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return malformed("this is not the expected JSON: " + err.Error())
	}
	if _, err := d.Token(); err != io.EOF {
		return malformed("found something after the JSON")
	}
	return nil
}
