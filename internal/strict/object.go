// Package strict reads foreign JSON without surprises, and writes replies in a
// fixed order of keys.
//
// A guard that reads a payload differently from the program that it protects
// can be bypassed: with a duplicate key, a key in another case, a number that
// is rounded. So whatever two readers could understand differently is refused
// here.
package strict

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/clip"
)

// DefaultDepth is how deep values may be nested where Limits does not say.
const DefaultDepth = 128

// Limits bound what is read. The size is the caller's to bound, before it
// reads the bytes.
type Limits struct {
	Depth int // how deep objects and lists may be nested; 0 means DefaultDepth
}

// Object reads exactly one JSON object, with nothing but white space around
// it. Integers become int64, or uint64 if only that holds them; other numbers
// become float64. Refused are keys that stand twice in one object, text that
// is not UTF-8, numbers that 64 bits cannot hold, and nesting beyond the limit.
// Errors have CodeInput and say where and what.
func Object(raw []byte, lim Limits) (map[string]any, error) {
	if len(bytes.TrimSpace(raw)) == 0 { // before each event, to tell from the wiring alone what it is
		return nil, &trammel.Failure{Code: trammel.CodeInput, Detail: "found nothing, expected a JSON object"}
	}
	if lim.Depth == 0 {
		lim.Depth = DefaultDepth
	}
	if obj, ok := quickly(raw, lim.Depth); ok {
		return obj, nil
	}
	return slowly(raw, lim.Depth)
}

// slowly reads whatever can be read, and says what is wrong with anything else.
func slowly(raw []byte, depth int) (map[string]any, error) {
	return Decode(raw, func(d *jsontext.Decoder) (map[string]any, error) { return object(d, depth) })
}

func object(d *jsontext.Decoder, depth int) (map[string]any, error) {
	r := reader{dec: d, depth: depth}
	k := r.dec.PeekKind()
	v, err := r.value()
	if err != nil {
		return nil, r.failure(err)
	}
	if k != '{' {
		return nil, trammel.Fail(trammel.CodeInput, "found a JSON %s, expected an object", kindWord(k))
	}
	switch _, err := r.dec.ReadToken(); {
	case err == nil:
		return nil, trammel.Fail(trammel.CodeInput, "found a second JSON value at byte %d, expected the end", r.dec.InputOffset())
	case !errors.Is(err, io.EOF):
		return nil, r.failure(err)
	}
	return v.(map[string]any), nil
}

type reader struct {
	dec   *jsontext.Decoder
	depth int
}

func (r *reader) value() (any, error) {
	if len(r.dec.UnreadBuffer()) > longText && r.dec.PeekKind() == '"' {
		return r.text()
	}
	tok, err := r.dec.ReadToken()
	if err != nil {
		return nil, err
	}
	switch tok.Kind() {
	case '"':
		return tok.String(), nil
	case '0':
		return r.number(tok.String())
	case 't', 'f':
		return tok.Bool(), nil
	case '{':
		return r.object()
	case '[':
		return r.list()
	}
	return nil, nil
}

// longText is the size from which it pays to read a text with one buffer of the right size.
const longText = 64 << 10

// text reads a string. A token's text would be copied several times while its buffer grows.
func (r *reader) text() (any, error) {
	raw, err := r.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1]), nil
	}
	text, err := jsontext.AppendUnquote(make([]byte, 0, len(raw)), raw)
	return string(text), err
}

func (r *reader) object() (any, error) {
	if err := r.deeper(); err != nil {
		return nil, err
	}
	obj := map[string]any{}
	for r.dec.PeekKind() != '}' {
		tok, err := r.dec.ReadToken()
		if err != nil {
			return nil, err
		}
		key := tok.String()
		if obj[key], err = r.value(); err != nil {
			return nil, err
		}
	}
	_, err := r.dec.ReadToken()
	return obj, err
}

func (r *reader) list() (any, error) {
	if err := r.deeper(); err != nil {
		return nil, err
	}
	list := []any{}
	for r.dec.PeekKind() != ']' {
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := r.dec.ReadToken()
	return list, err
}

func (r *reader) deeper() error {
	if r.dec.StackDepth() > r.depth {
		return trammel.Fail(trammel.CodeInput, "nested deeper than %d at byte %d", r.depth, r.dec.InputOffset())
	}
	return nil
}

func (r *reader) number(text string) (any, error) {
	if n, err := number(text); err == nil {
		return n, nil
	}
	return nil, trammel.Fail(trammel.CodeInput, "number before byte %d in %s does not fit into 64 bits", r.dec.InputOffset(),
		place(r.dec.StackPointer()))
}

// failure describes a decoder's error in our words. Our own errors are not changed.
func (r *reader) failure(err error) error {
	var ours *trammel.Failure
	if errors.As(err, &ours) {
		return ours
	}
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		return trammel.Fail(trammel.CodeInput, "at byte %d in %s: %w", syntax.ByteOffset, place(syntax.JSONPointer), syntax.Err)
	}
	return trammel.Fail(trammel.CodeInput, "at byte %d: %w", r.dec.InputOffset(), err)
}

// place names a JSON Pointer; the whole payload has an empty one.
func place(p jsontext.Pointer) string {
	const most = 200 // keys are foreign text; an error message needs no more of them
	if p == "" {
		return "the JSON object"
	}
	return clip.Bytes(string(p), most)
}

func kindWord(k jsontext.Kind) string {
	switch k {
	case '"':
		return "string"
	case '0':
		return "number"
	case '[':
		return "list"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "value"
}
