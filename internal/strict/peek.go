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
		peek(lenient(raw), path, &found)
	}
	return found
}

// HasKey reports whether raw is an object with this key, as far as it can be read.
func HasKey(raw []byte, key string) (has bool) {
	dec := lenient(raw)
	Members(dec, func(name string) bool {
		has = name == key
		return !has && dec.SkipValue() == nil
	})
	return has
}

// Members reads an object: each reads the value behind a name, and reports
// whether to go on. It reports whether the object was read to its end.
func Members(dec *jsontext.Decoder, each func(name string) bool) bool {
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return false
	}
	for {
		name, err := dec.ReadToken()
		if err != nil || name.Kind() != '"' {
			return err == nil
		}
		if !each(name.String()) {
			return false
		}
	}
}

func lenient(raw []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// peek looks in an object. It reports whether what follows can be read.
func peek(dec *jsontext.Decoder, path []string, found *[]string) bool {
	return Members(dec, func(name string) bool {
		wanted, kind := name == path[0], dec.PeekKind()
		switch {
		case wanted && kind == '{' && len(path) > 1:
			return peek(dec, path[1:], found)
		case wanted && kind == '"' && len(path) == 1:
			value, err := dec.ReadToken()
			if err == nil {
				*found = append(*found, value.String())
			}
			return err == nil
		}
		return dec.SkipValue() == nil
	})
}
