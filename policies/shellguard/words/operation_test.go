package words

import (
	"slices"
	"testing"
)

// Arguments of a tool for many things say what it is to do, at some depth; data does not.
func TestOperation(t *testing.T) {
	type object = map[string]any
	for _, c := range []struct {
		input object
		want  []string
	}{
		{object{"op": "drop", "target": object{"kind": "database"}}, []string{"database", "drop"}},
		{object{"request": object{"verb": "destroy"}}, []string{"destroy"}},
		{object{"deleteMany": object{}}, []string{"delete", "many"}},
		{object{"deleteAfter": 30}, nil},
		{object{"destroy": true}, []string{"destroy"}},
		{object{"destroy": false}, nil},
		{object{"mutation": "purge", "filter": object{}}, []string{"all", "purge"}},
		{object{"command": "DEL", "pattern": "*"}, []string{"all", "del"}},
		{object{"command": "rm -rf build"}, nil},
		{object{"document": object{"action": "delete"}}, nil},
		{object{"a": object{"a": object{"a": object{"a": object{"op": "drop"}}}}}, nil},
	} {
		got := Operation(c.input, 0)
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, expected %q", c.input, got, c.want)
		}
	}
}
