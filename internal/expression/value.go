package expression

import (
	"fmt"
	"reflect"
)

// number is a number of any type. Whole ones are computed with as int, so that
// the largest unsigned ones are negative; see MaybeLess for where they are not.
type number struct {
	whole bool
	i     int
	f     float64
}

func numberOf(v any) (number, bool) {
	switch x := v.(type) {
	case int:
		return number{true, x, float64(x)}, true
	case int64:
		return number{true, int(x), float64(x)}, true
	case float64:
		return number{false, int(x), x}, true
	case float32:
		return number{false, int(x), float64(x)}, true
	case int8, int16, int32:
		i := reflect.ValueOf(v).Int()
		return number{true, int(i), float64(i)}, true
	case uint, uint8, uint16, uint32, uint64:
		u := reflect.ValueOf(v).Uint()
		return number{true, int(u), float64(u)}, true
	}
	return number{}, false
}

func toInt(v any) int {
	n, ok := numberOf(v)
	if !ok {
		fail("%s is not a number", kindOf(v))
	}
	return n.i
}

func toFloat(v any) float64 {
	n, ok := numberOf(v)
	if !ok {
		fail("%s is not a number", kindOf(v))
	}
	return n.f
}

func toText(v any) string {
	s, ok := v.(string)
	if !ok {
		fail("%s is not text", kindOf(v))
	}
	return s
}

// kindOf names what a value is, for messages.
func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return "nothing (nil)"
	case string:
		return "text"
	case bool:
		return "true or false"
	}
	if _, ok := numberOf(v); ok {
		return "a number"
	}
	switch reflect.TypeOf(v).Kind() {
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map:
		return "a map"
	}
	return fmt.Sprintf("%T", v)
}

// isNil reports whether a value is nil, or a nil list or map.
func isNil(v any) bool {
	switch x := v.(type) {
	case nil:
		return true
	case string, bool, int, int64, float64, Record:
		return false
	case []any:
		return x == nil
	case map[string]any:
		return x == nil
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Func, reflect.Chan:
		return r.IsNil()
	}
	return false
}

// list is anything with items: a list of any type, or the bytes of a text.
type list struct {
	anys  []any
	texts []string
	other reflect.Value
	size  int
}

// listOf takes a value for a list. Only those of kind Slice and Array are lists to
// functions; loops also run over others that have a size.
func listOf(v any) (list, bool) {
	switch x := v.(type) {
	case []any:
		return list{anys: x, size: len(x)}, true
	case []string:
		return list{texts: x, size: len(x)}, true
	}
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.Slice, reflect.Array:
		return list{other: r, size: r.Len()}, true
	case reflect.String, reflect.Map:
		return list{other: r, size: r.Len()}, false
	}
	return list{size: -1}, false
}

func (l *list) at(i int) any {
	switch {
	case l.anys != nil:
		return l.anys[i]
	case l.texts != nil:
		return l.texts[i]
	}
	return l.other.Index(i).Interface()
}

// items is the list that a function needs.
func items(v any) list {
	l, ok := listOf(v)
	if !ok {
		fail("%s is not a list", kindOf(v))
	}
	return l
}

func size(v any) int {
	l, _ := listOf(v)
	if l.size < 0 {
		fail("%s has no length", kindOf(v))
	}
	return l.size
}

// index is the place that i means in a list of n: from the end if it is negative.
func index(i any, n int) (at int, ok bool) {
	if at = toInt(i); at < 0 {
		at += n
	}
	return at, at >= 0 && at < n
}

// lookup finds what a key stands for in a record, list, text or map. Of a map,
// what is not there is the zero value of its elements.
func lookup(from, key any) (v any, found bool) {
	switch x := from.(type) {
	case Record:
		name, _ := key.(string)
		return x.Field(name)
	case map[string]any:
		v, found = x[mapKey(key)]
		return v, found
	}
	r := reflect.ValueOf(from)
	switch r.Kind() {
	case reflect.Slice, reflect.Array, reflect.String:
		at, ok := index(key, r.Len())
		if !ok {
			return nil, false
		}
		return r.Index(at).Interface(), true
	case reflect.Map:
		k := reflect.ValueOf(key)
		if key == nil {
			k = reflect.Zero(r.Type().Key())
		}
		if v := r.MapIndex(k); v.IsValid() {
			return v.Interface(), true
		}
		return reflect.Zero(r.Type().Elem()).Interface(), false
	}
	fail("cannot fetch %v from %T", key, from)
	return nil, false
}

// mapKey is a key of a map of JSON. Nil is the empty one.
func mapKey(key any) string {
	s, ok := key.(string)
	if !ok && key != nil {
		fail("%s is not a key of a map, expected text", kindOf(key))
	}
	return s
}

// fetch is from[key]. What a map does not have is nil; what a list or a record
// does not have is an error.
func fetch(from, key any) any {
	v, found := lookup(from, key)
	if !found {
		switch from.(type) {
		case map[string]any:
		case Record:
			fail("there is no field %v", key)
		default:
			if n := reflect.ValueOf(from); n.Kind() != reflect.Map {
				fail("index out of range: %v (array length is %v)", key, n.Len())
			}
		}
	}
	return v
}

// cut is base[from:to]. Bounds beyond the ends are the ends.
func cut(base, from, to any) any {
	r := reflect.ValueOf(base)
	switch r.Kind() {
	case reflect.Slice, reflect.String:
	case reflect.Array: // a part of an array that cannot be addressed needs a copy
		copied := reflect.New(r.Type()).Elem()
		copied.Set(r)
		r = copied
	default:
		fail("cannot slice %s", kindOf(base))
	}
	bound := func(v any) int {
		i := toInt(v)
		if i < 0 {
			i += r.Len()
		}
		return min(max(i, 0), r.Len())
	}
	b := bound(to)
	return r.Slice(min(bound(from), b), b).Interface()
}
