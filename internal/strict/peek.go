package strict

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Peek returns every string that stands at a path of keys in raw, as far as raw
// can be read at all. It is for the one question that has to be answered about a
// payload that Object refuses: in which form does the host want its answer.
// Nothing else may be taken from such a payload.
func Peek(raw []byte, path ...string) (found []string) {
	if len(raw) > 0 {
		peek(jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)), path, &found)
	}
	return found
}

// peek looks in an object. It reports whether what follows can be read.
func peek(dec *jsontext.Decoder, path []string, found *[]string) bool {
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return false
	}
	for {
		name, err := dec.ReadToken()
		if err != nil || name.Kind() != '"' {
			return err == nil
		}
		wanted, kind := name.String() == path[0], dec.PeekKind()
		switch {
		case wanted && kind == '{' && len(path) > 1:
			if !peek(dec, path[1:], found) {
				return false
			}
		case wanted && kind == '"' && len(path) == 1:
			value, err := dec.ReadToken()
			if err != nil {
				return false
			}
			*found = append(*found, value.String())
		case dec.SkipValue() != nil:
			return false
		}
	}
}
