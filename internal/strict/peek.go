package strict

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Peek returns every string that stands under key at the top level of raw, as
// far as raw can be read at all. It is for the one question that has to be
// answered about a payload that Object refuses: in which form does the host
// want its answer. Nothing else may be taken from such a payload.
func Peek(raw []byte, key string) []string {
	if len(raw) == 0 {
		return nil
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return nil
	}
	var found []string
	for {
		name, err := dec.ReadToken()
		if err != nil || name.Kind() != '"' {
			return found
		}
		wanted := name.String() == key
		if !wanted || dec.PeekKind() != '"' {
			if dec.SkipValue() != nil {
				return found
			}
			continue
		}
		value, err := dec.ReadToken()
		if err != nil {
			return found
		}
		found = append(found, value.String())
	}
}
