// Package option reads the options of built-in policies: from JSON into a
// struct that already holds the defaults. It is small because the hot program
// does it for every event.
//
// A struct names its options in json tags and describes them in jsonschema
// tags; a tag enum lists the words that a text option takes. Fields may be
// bool, whole numbers, float64, string, Duration, Size, structs, pointers to
// them, slices, and maps with string keys of these.
package option

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Error is an option that cannot be used.
type Error struct {
	Key      string // which, as in limits.calls
	Message  string
	Expected string
}

func (e *Error) Error() string {
	text := e.Message
	if e.Key != "" {
		text = e.Key + ": " + text
	}
	if e.Expected != "" {
		text += ", expected " + e.Expected
	}
	return text
}

// Read fills the struct that into points to. Options that are not given keep
// their values; nil options change nothing. A list replaces the default list,
// and a mapping the default mapping. An option that the struct does not have,
// or a value of the wrong type, is an *Error.
func Read(options []byte, into any) error {
	if len(options) == 0 {
		return nil
	}
	r := reader{dec: jsontext.NewDecoder(bytes.NewBuffer(options))}
	return r.value(reflect.ValueOf(into).Elem(), "")
}

type reader struct {
	dec *jsontext.Decoder
	key []string
}

func (r *reader) fail(expected, format string, args ...any) error {
	return &Error{Key: strings.TrimPrefix(strings.Join(r.key, ""), "."), Message: fmt.Sprintf(format, args...), Expected: expected}
}

func (r *reader) under(key string, read func() error) error {
	r.key = append(r.key, key)
	err := read()
	r.key = r.key[:len(r.key)-1]
	return err
}

// worded is a value that is written as text, or as a number.
type worded interface {
	parse(text string) error
	wants() string
}

func (r *reader) value(v reflect.Value, enum string) error {
	if w, ok := v.Addr().Interface().(worded); ok {
		tok, err := r.dec.ReadToken()
		if err != nil {
			return r.fail("", "%v", err)
		}
		if err := w.parse(tok.String()); err != nil || tok.Kind() != '"' && tok.Kind() != '0' {
			return r.fail(w.wants(), "found %s", tok)
		}
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return r.value(v.Elem(), enum)
	case reflect.Struct:
		return r.structure(v)
	case reflect.Slice:
		return r.list(v, enum)
	case reflect.Map:
		return r.mapping(v, enum)
	}
	return r.scalar(v, enum)
}

func (r *reader) structure(v reflect.Value) error {
	return r.object(func(key string) error {
		t := v.Type()
		for i := range t.NumField() {
			if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name == key {
				return r.value(v.Field(i), t.Field(i).Tag.Get("enum"))
			}
		}
		return r.fail("one of "+strings.Join(Names(t), ", "), "unknown option")
	})
}

func (r *reader) mapping(v reflect.Value, enum string) error {
	v.Set(reflect.MakeMap(v.Type()))
	return r.object(func(key string) error {
		elem := reflect.New(v.Type().Elem()).Elem()
		if err := r.value(elem, enum); err != nil {
			return err
		}
		v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), elem)
		return nil
	})
}

func (r *reader) object(entry func(key string) error) error {
	if tok, err := r.dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return r.fail("a mapping", "found %s", tok)
	}
	for r.dec.PeekKind() == '"' {
		tok, err := r.dec.ReadToken()
		if err != nil {
			return r.fail("", "%v", err)
		}
		key := tok.String()
		if err := r.under("."+key, func() error { return entry(key) }); err != nil {
			return err
		}
	}
	_, err := r.dec.ReadToken()
	return err
}

func (r *reader) list(v reflect.Value, enum string) error {
	v.Set(reflect.MakeSlice(v.Type(), 0, 4))
	if r.dec.PeekKind() != '[' { // one value means a list of one
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		return r.value(v.Index(0), enum)
	}
	r.dec.ReadToken()
	for i := 0; r.dec.PeekKind() != ']'; i++ {
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		if err := r.under("["+strconv.Itoa(i)+"]", func() error { return r.value(v.Index(i), enum) }); err != nil {
			return err
		}
	}
	_, err := r.dec.ReadToken()
	return err
}

func (r *reader) scalar(v reflect.Value, enum string) error {
	tok, err := r.dec.ReadToken()
	if err != nil {
		return r.fail("", "%v", err)
	}
	switch k := v.Kind(); {
	case k == reflect.String && tok.Kind() == '"':
		text := tok.String()
		if enum != "" && !inEnum(enum, text) {
			return r.fail("one of "+strings.ReplaceAll(enum, ",", ", "), "found %q", text)
		}
		v.SetString(text)
		return nil
	case k == reflect.Bool && (tok.Kind() == 't' || tok.Kind() == 'f'):
		v.SetBool(tok.Bool())
		return nil
	case k == reflect.Int || k == reflect.Int64:
		if n, err := strconv.ParseInt(tok.String(), 10, 64); err == nil && tok.Kind() == '0' {
			v.SetInt(n)
			return nil
		}
	case k == reflect.Float64 && tok.Kind() == '0':
		if f, err := tok.Float(); err == nil {
			v.SetFloat(f)
			return nil
		}
	}
	return r.fail(kindWord(v.Kind()), "found %s", tok)
}

func inEnum(enum, text string) bool {
	for word := range strings.SplitSeq(enum, ",") {
		if word == text {
			return true
		}
	}
	return false
}

func kindWord(k reflect.Kind) string {
	switch k {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	}
	return "a whole number"
}

// Names are the options of a struct, in their order.
func Names(t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name != "" && name != "-" {
			out = append(out, name)
		}
	}
	return out
}
