package strict

import (
	"maps"
	"slices"

	"github.com/trammel-dev/trammel"
)

// Fields takes the fields of an object one by one, each with the type it must
// have. The first field that has another type is remembered and returned by
// Err; null counts as absent. What has been taken is gone from the object.
type Fields struct {
	obj   map[string]any
	where string
	err   error
}

// FieldsOf begins to take from obj, which is used up. where names the object
// in errors: "tool".
func FieldsOf(obj map[string]any, where string) *Fields { return &Fields{obj: obj, where: where} }

// Read begins to take from the one JSON object in raw.
func Read(raw []byte) (*Fields, error) {
	obj, err := Object(raw, Limits{})
	return FieldsOf(obj, ""), err
}

// Any takes a field of whatever type.
func (f *Fields) Any(key string) any {
	v := f.obj[key]
	delete(f.obj, key)
	return v
}

// String takes a string.
func (f *Fields) String(key string) string { return take[string](f, key, "a string") }

// Bool takes a boolean.
func (f *Fields) Bool(key string) bool { return take[bool](f, key, "true or false") }

// Int takes an integer of 64 bits.
func (f *Fields) Int(key string) int64 { return take[int64](f, key, "an integer") }

// Object takes an object. It is nil only if there is none.
func (f *Fields) Object(key string) map[string]any {
	return take[map[string]any](f, key, "an object")
}

// List takes a list.
func (f *Fields) List(key string) []any { return take[[]any](f, key, "a list") }

// Float takes a number.
func (f *Fields) Float(key string) float64 {
	if n, ok := f.obj[key].(int64); ok {
		delete(f.obj, key)
		return float64(n)
	}
	return take[float64](f, key, "a number")
}

// Strings takes a list of strings.
func (f *Fields) Strings(key string) []string {
	var out []string
	for _, v := range f.List(key) {
		s, ok := v.(string)
		if !ok {
			f.wrong(key, v, "a list of strings")
			return nil
		}
		out = append(out, s)
	}
	return out
}

// Part takes an object and lets read take its fields; what read leaves is an
// error. It reports whether there was one.
func (f *Fields) Part(key string, read func(*Fields)) bool {
	obj := f.Object(key)
	if obj == nil {
		return false
	}
	part := FieldsOf(obj, f.path(key))
	read(part)
	f.Fail(part.Done())
	return true
}

// Refuse says that what was taken from a field is not what it must be.
func (f *Fields) Refuse(key, expected string) {
	f.Fail(trammel.Fail(trammel.CodeInput, "cannot use what is in %q, expected %s", f.path(key), expected))
}

// Fail remembers an error, if it is one and the first.
func (f *Fields) Fail(err error) {
	if f.err == nil && err != nil {
		f.err = err
	}
}

// Rest returns what has not been taken.
func (f *Fields) Rest() map[string]any { return f.obj }

// Err returns the first field that had another type than it must have.
func (f *Fields) Err() error { return f.err }

// Done is Err, and refuses fields that were not taken, with CodeUnknownField.
func (f *Fields) Done() error {
	if f.err != nil {
		return f.err
	}
	if len(f.obj) == 0 {
		return nil
	}
	key := slices.Sorted(maps.Keys(f.obj))[0]
	return trammel.Fail(trammel.CodeUnknownField, "found an unknown field %q", f.path(key))
}

func take[T any](f *Fields, key, expected string) (out T) {
	v, there := f.obj[key]
	delete(f.obj, key)
	if !there || v == nil {
		return out
	}
	out, ok := v.(T)
	if !ok {
		f.wrong(key, v, expected)
	}
	return out
}

func (f *Fields) wrong(key string, v any, expected string) {
	f.Fail(trammel.Fail(trammel.CodeInput, "found %s in %q, expected %s", typeWord(v), f.path(key), expected))
}

func (f *Fields) path(key string) string {
	if f.where == "" {
		return key
	}
	return f.where + "." + key
}

func typeWord(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return "a number"
}
