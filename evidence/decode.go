package evidence

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel/internal/strict"
)

// maxDepth limits how deeply a stored value may nest.
const maxDepth = 1000

// decode reads one JSON value, strictly: duplicate keys, invalid UTF-8 and
// anything after the value are errors. Integers of up to 64 bits keep their
// digits.
func decode(data []byte) (any, error) {
	if obj, ok := strict.Quick(data); ok {
		return obj, nil
	}
	return decodeSlowly(data)
}

func decodeSlowly(data []byte) (any, error) {
	return strict.Decode(data, func(d *jsontext.Decoder) (any, error) {
		v, err := decodeValue(d, 0)
		if err != nil {
			return nil, err
		}
		if _, err := d.ReadToken(); err != io.EOF {
			return nil, errors.New("there is something after the JSON value")
		}
		return v, nil
	}, jsontext.AllowDuplicateNames(true)) // the maps detect them
}

func decodeValue(d *jsontext.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("nested deeper than %d levels", maxDepth)
	}
	t, err := d.ReadToken()
	if err != nil {
		return nil, err
	}
	switch t.Kind() {
	case 'n':
		return nil, nil
	case 't', 'f':
		return t.Bool(), nil
	case '"':
		return t.String(), nil
	case '0':
		return number(t.String()), nil
	case '[':
		list := []any{}
		for d.PeekKind() != ']' {
			v, err := decodeValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = d.ReadToken()
		return list, err
	default:
		object := make(map[string]any, 8)
		for d.PeekKind() != '}' {
			key, err := d.ReadToken()
			if err != nil {
				return nil, err
			}
			name := key.String()
			if _, twice := object[name]; twice {
				return nil, fmt.Errorf("found the key %q twice", name)
			}
			v, err := decodeValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			object[name] = v
		}
		_, err = d.ReadToken()
		return object, err
	}
}

// number reads a JSON number so that writing it in canonical form and reading
// it again gives the same value. A number that no float can hold stays text.
func number(s string) any {
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return i
	}
	if u, err := strconv.ParseUint(s, 10, 64); err == nil {
		return u
	}
	f, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil || math.IsInf(f, 0):
		return s
	case f == 0: // there is no negative zero
		return int64(0)
	}
	return f
}
