package config

import (
	"testing"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
)

// TEAM-26: whose denials a person may lift for one call.
func TestWhoYields(t *testing.T) {
	const deny, once, approve, own = "{id: h, on: pre_tool_use, deny: no}", "{id: h, on: pre_tool_use, deny: no, override: once}",
		"{id: h, on: pre_tool_use, approve: please}", "{id: h, use: self-protection, override: once}"
	reg := append(testRegistry, trammel.Policy{Name: "self-protection", On: []trammel.Kind{trammel.PreToolUse}, May: trammel.Guard})
	for _, c := range []struct {
		layer layers.Layer
		hook  string
		want  bool
	}{
		{layers.Machine, deny, false}, {layers.Machine, once, true}, {layers.User, deny, true}, {layers.Project, deny, true},
		{layers.User, approve, false}, {layers.Project, approve, false}, {layers.User, own, false}, {layers.Machine, own, false},
	} {
		f := file(c.layer, "version: 1\nhooks:\n  - "+c.hook+"\n")
		got, err := Compile(&layers.Set{Files: []layers.File{f}}, reg)
		if err != nil || len(got.Hooks) != 1 || got.Hooks[0].Yields != c.want {
			t.Errorf("%s in the layer %s: %v %+v, want %v", c.hook, c.layer, err, got, c.want)
		}
	}
}
