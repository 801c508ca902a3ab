package config

import (
	"reflect"
	"strconv"

	"github.com/goccy/go-yaml/ast"
	"github.com/trammel-dev/trammel/internal/yamldoc"
)

// scalar reads text, a boolean or a number into a Go value of that kind.
func (r *reader) scalar(n ast.Node, v reflect.Value) {
	wants := "text"
	ok := false
	switch v.Kind() {
	case reflect.String:
		var s string
		if s, ok = yamldoc.Text(n); ok {
			v.SetString(s)
		}
	case reflect.Bool:
		wants = "true or false"
		if b, is := n.(*ast.BoolNode); is {
			v.SetBool(b.Value)
			ok = true
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		wants = "a whole number"
		i, err := strconv.ParseInt(integer(n), 10, 64)
		if ok = err == nil && !v.OverflowInt(i); ok {
			v.SetInt(i)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		wants = "a whole number from zero"
		u, err := strconv.ParseUint(integer(n), 10, 64)
		if ok = err == nil && !v.OverflowUint(u); ok {
			v.SetUint(u)
		}
	case reflect.Float32, reflect.Float64:
		wants = "a number"
		if f, is := n.(*ast.FloatNode); is {
			v.SetFloat(f.Value)
			ok = true
		} else if i, err := strconv.ParseInt(integer(n), 10, 64); err == nil {
			v.SetFloat(float64(i))
			ok = true
		}
	}
	if !ok {
		r.wrong(n, wants, "is of the wrong type")
	}
}

// integer is the text of a whole number, in decimal digits.
func integer(n ast.Node) string {
	i, ok := n.(*ast.IntegerNode)
	if !ok {
		return ""
	}
	switch v := i.Value.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case uint64:
		return strconv.FormatUint(v, 10)
	}
	return ""
}
