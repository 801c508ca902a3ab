package fill

import (
	"reflect"
	"strings"
	"testing"
)

var values = map[string]any{"input": map[string]any{"name": "Ada {{input.n}} $(id)", "n": int64(-3), "list": []any{"a"}, "dash": "-rf",
	"zero": "a\x00b"}}

// What is filled in is data: one argument stays one argument, and none becomes
// an option or a template.
func TestArgs(t *testing.T) {
	for _, c := range []struct {
		template []string
		want     []string
		err      string
	}{
		{[]string{"a", "{{input.name}}", "x{{ input.n }}"}, []string{"a", "Ada {{input.n}} $(id)", "x-3"}, ""},
		{[]string{"{{input.n}}"}, []string{"-3"}, ""},
		{[]string{"{{input.dash}}"}, nil, "would be read as an option"},
		{[]string{"--", "{{input.dash}}"}, []string{"--", "-rf"}, ""},
		{[]string{"--name={{input.dash}}"}, []string{"--name=-rf"}, ""},
		{[]string{"{{input.no?}}", "b"}, []string{"b"}, ""},
		{[]string{"{{input.no}}"}, nil, "no value for {{input.no}}"},
		{[]string{"{{input.name.x}}"}, nil, "no value"},
		{[]string{"{{input.list}}"}, []string{`["a"]`}, ""},
		{[]string{"{{input.zero}}"}, nil, "zero byte"},
		{[]string{"{{}}", "{{input}"}, []string{"{{}}", "{{input}"}, ""},
	} {
		got, err := Args(c.template, values)
		if c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) || c.err == "" && (err != nil ||
			!reflect.DeepEqual(got, c.want)) {
			t.Errorf("%q: %q, %v", c.template, got, err)
		}
	}
}

func TestValue(t *testing.T) {
	got, _, err := Value(map[string]any{"a": "{{input.n}}", "b": []any{"{{input.no?}}", "x {{input.n}}"}, "c": "{{input.no?}}", "d": true},
		values)
	if want := map[string]any{"a": int64(-3), "b": []any{"x -3"}, "d": true}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
}
