package frame

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// PeekID returns the JSON of the id at the top level of a text, if it can be
// read: a string, a number or null. It is "" if there is none, or two.
func PeekID(raw []byte) string { return peekID(raw, false) }

// peekID is PeekID. A text with at most one id need not be read to its end.
func peekID(raw []byte, one bool) string {
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return ""
	}
	id := ""
	for {
		name, err := dec.ReadToken()
		if err != nil || name.Kind() != '"' {
			return id
		}
		if name.String() != "id" {
			if dec.SkipValue() != nil {
				return id
			}
			continue
		}
		value, err := dec.ReadValue()
		if err != nil || id != "" {
			return ""
		}
		switch value.Kind() {
		case '"', '0', 'n':
			if id = string(value); one {
				return id
			}
		default:
			return ""
		}
	}
}

// PeekLastID is given the end of an object. It returns the id if that is the
// last field, else "".
func PeekLastID(tail []byte) string {
	at := bytes.LastIndex(tail, []byte(`"id"`))
	if at < 0 {
		return ""
	}
	return PeekID(append([]byte{'{'}, tail[at:]...))
}
