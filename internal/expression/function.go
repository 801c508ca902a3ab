package expression

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// call calls a function without a predicate. Its name and the number of
// arguments are known to be right.
func (m *machine) call(name string, args []any) any {
	switch name {
	case "len", "type", "int", "float", "string", "toJSON":
		return m.convert(name, args[0])
	case "abs", "ceil", "floor", "round", "max", "min", "mean", "median":
		return m.number(name, args)
	case "bitand", "bitor", "bitxor", "bitnand", "bitshl", "bitshr", "bitushr", "bitnot":
		return bits(name, args)
	case "first", "last", "get", "take", "keys", "values", "toPairs", "fromPairs", "reverse", "uniq", "concat", "flatten", "sort", "join":
		return m.ofList(name, args)
	}
	return m.ofText(name, args)
}

func (m *machine) convert(name string, v any) any {
	if name != "len" && opaque(v) {
		fail("%s of something with fields, expected one of the fields", name)
	}
	switch name {
	case "len":
		if s, ok := v.(string); ok {
			return utf8.RuneCountInString(s)
		}
		return size(v)
	case "type":
		return typeOf(v)
	case "string":
		return m.text(fmt.Sprintf("%v", v))
	case "toJSON":
		out, err := json.MarshalIndent(v, "", "  ")
		if err != nil {
			panic(err)
		}
		return m.text(string(out))
	case "float":
		if s, ok := v.(string); ok {
			f, err := strconv.ParseFloat(s, 64)
			if err != nil {
				fail("invalid operation: float(%s)", s)
			}
			return f
		}
		return toFloat(v)
	}
	if s, ok := v.(string); ok {
		i, err := strconv.Atoi(s)
		if err != nil {
			fail("invalid operation: int(%s)", s)
		}
		return i
	}
	return toInt(v)
}

// opaque reports whether there is a Record in a value.
func opaque(v any) bool {
	if _, ok := v.(Record); ok {
		return true
	}
	l, _ := v.([]any)
	return slices.ContainsFunc(l, opaque)
}

func typeOf(v any) string {
	if v == nil {
		return "nil"
	}
	switch reflect.TypeOf(v).Kind() {
	case reflect.Bool:
		return "bool"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "int"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return "uint"
	case reflect.Float32, reflect.Float64:
		return "float"
	case reflect.String:
		return "string"
	case reflect.Slice, reflect.Array:
		return "array"
	case reflect.Map:
		return "map"
	}
	return "unknown"
}

// ofText calls a function of texts.
func (m *machine) ofText(name string, args []any) any {
	s := toText(args[0])
	text := func(i int, otherwise string) string {
		if i >= len(args) {
			return otherwise
		}
		return toText(args[i])
	}
	count := func(i int) int {
		if i >= len(args) {
			return -1
		}
		return toInt(args[i])
	}
	switch name {
	case "trim":
		if len(args) == 1 {
			return strings.TrimSpace(s)
		}
		return strings.Trim(s, text(1, ""))
	case "trimPrefix":
		return strings.TrimPrefix(s, text(1, " "))
	case "trimSuffix":
		return strings.TrimSuffix(s, text(1, " "))
	case "upper":
		return m.text(strings.ToUpper(s))
	case "lower":
		return m.text(strings.ToLower(s))
	case "split", "splitAfter":
		parts := strings.SplitN
		if name == "splitAfter" {
			parts = strings.SplitAfterN
		}
		out := parts(s, text(1, ""), count(2))
		m.made(len(out))
		return out
	case "replace":
		return m.text(strings.Replace(s, text(1, ""), text(2, ""), count(3)))
	case "repeat":
		n := count(1)
		switch {
		case n < 0:
			fail("invalid argument for repeat (expected positive integer, got %d)", n)
		case n > 1e6 || len(s)*n >= maxValues:
			fail("memory budget exceeded")
		}
		m.made(len(s) * n)
		return strings.Repeat(s, n)
	case "indexOf":
		return strings.Index(s, text(1, ""))
	case "lastIndexOf":
		return strings.LastIndex(s, text(1, ""))
	case "hasPrefix":
		return strings.HasPrefix(s, text(1, ""))
	case "hasSuffix":
		return strings.HasSuffix(s, text(1, ""))
	case "toBase64":
		return m.text(base64.StdEncoding.EncodeToString([]byte(s)))
	case "fromBase64":
		out, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			panic(err)
		}
		return m.text(string(out))
	case "fromJSON":
		m.text(s)
		var v any
		if err := json.Unmarshal([]byte(s), &v); err != nil {
			panic(err)
		}
		return v
	}
	fail("there is no function %s", name)
	return nil
}

func bits(name string, args []any) any {
	operand := func(i int) int {
		n, ok := numberOf(args[i])
		if !ok || !n.whole {
			fail("%s of %s, expected whole numbers", name, kindOf(args[i]))
		}
		return n.i
	}
	x := operand(0)
	if name == "bitnot" {
		return ^x
	}
	y := operand(1)
	if y < 0 && strings.Contains(name, "sh") {
		fail("invalid operation: negative shift count %d", y)
	}
	switch name {
	case "bitand":
		return x & y
	case "bitor":
		return x | y
	case "bitxor":
		return x ^ y
	case "bitnand":
		return x &^ y
	case "bitshl":
		return x << y
	case "bitshr":
		return x >> y
	}
	return int(uint(x) >> y)
}

// number calls a function of numbers.
func (m *machine) number(name string, args []any) any {
	switch name {
	case "abs":
		n, ok := numberOf(args[0])
		switch {
		case !ok:
			fail("abs of %s, expected a number", kindOf(args[0]))
		case n.f >= 0:
			return args[0]
		case n.whole:
			return -n.i
		}
		return -n.f
	case "ceil":
		return math.Ceil(toFloat(args[0]))
	case "floor":
		return math.Floor(toFloat(args[0]))
	case "round":
		return math.Round(toFloat(args[0]))
	}
	return m.aggregate(name, args)
}
