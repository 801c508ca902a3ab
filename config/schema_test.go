package config

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/yamldoc"
	policies "github.com/trammel-dev/trammel/policies/standard"
)

func now() time.Time { return time.Unix(1700000000, 0) }

// The schema that is checked in is the one of the policies that are linked.
func TestSchemaIsCurrent(t *testing.T) {
	got, err := Schema(registry(all()))
	if err != nil {
		t.Fatal(err)
	}
	const path = "trammel.schema.json"
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the types say; run go test ./config -run Schema -update", path)
	}
}

// TEAM-51: files that we write name this schema.
func TestWrittenFilesNameTheSchema(t *testing.T) {
	data, err := Schema(testRegistry)
	var s struct {
		ID string `json:"$id"`
	}
	if err != nil || json.Unmarshal(data, &s) != nil || yamldoc.SchemaLine != "# yaml-language-server: $schema="+s.ID+"\n" {
		t.Errorf("%v: the schema is %q, and files name it with %q", err, s.ID, yamldoc.SchemaLine)
	}
}

func resolved(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	data, err := Schema(testRegistry)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What the reader takes, the schema takes.
func TestSchemaTakesWhatTheReaderTakes(t *testing.T) {
	r := resolved(t)
	examples(t, "valid", func(path string, data []byte) {
		var v any
		if err := yaml.Unmarshal(data, &v); err != nil {
			t.Fatal(err)
		}
		if v == nil { // an empty file is none
			return
		}
		if err := r.Validate(v); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	})
}

// What the schema can know to be wrong, it refuses.
func TestSchemaRefuses(t *testing.T) {
	r := resolved(t)
	for _, name := range []string{"unknown-key", "unknown-key-in-match", "wrong-types", "wrong-types-in-hook",
		"version-missing", "version-unknown", "a-list", "null", "id", "forms", "context-without-text", "policy", "command",
		"durations-and-sizes", "number-key", "match", "asking"} {
		data, err := os.ReadFile("testdata/errors/" + name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := yaml.Unmarshal(data, &v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := r.Validate(v); err == nil {
			t.Errorf("%s passes", name)
		}
	}
	for _, hook := range []string{
		"{id: a, on: stop}", "{id: a, on: stop, deny: x, ask: y}", "{id: a, on: stop, deny: x, with: {}}", "{id: a, on: stop, run: x, when: y}",
		"{id: a, on: [], deny: x}", "{id: A, on: stop, deny: x}", "{id: a, use: nobody}", "{id: a, use: guard, with: {a: 1}}",
		"{id: a, use: options, with: {pathz: []}}", "{id: a, on: stop, deny: x, timeout: 5}", "{id: a, on: stop, deny: x, may: all}",
		"{id: a, on: stop, exec: make}", "{id: a, on: stop, deny: {}, dialect: x}",
	} {
		text := "version: 1\nhooks: [" + hook + "]"
		var v any
		if err := yaml.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if err := r.Validate(v); err == nil {
			t.Errorf("the schema takes %s", hook)
		}
		if _, err := compileOne(text); err == nil {
			t.Errorf("the reader takes %s", hook)
		}
	}
}

// An error of a handler is shown where it is in the file.
func TestPartErrors(t *testing.T) {
	for _, c := range []struct {
		text string
		err  PartError
		at   string
	}{
		{"version: 1\nhooks: [{id: a, on: stop, deny: {when: 'a + b', reason: x}}]", PartError{Part: "when", Line: 1, Column: 3},
			"trammel.yaml:2:43: when: "},
		{"version: 1\nhooks:\n  - id: a\n    on: stop\n    when: |\n      a &&\n      b + c\n    deny: x\n",
			PartError{Part: "when", Line: 2, Column: 3}, "trammel.yaml:7:9: when: "},
		{"version: 1\nhooks:\n  - id: a\n    on: stop\n    when: >\n      a &&\n      b + c\n    deny: x\n",
			PartError{Part: "when", Line: 1, Column: 8}, "trammel.yaml:5:11: when: "},
		{"version: 1\nhooks: [{id: a, on: pre_tool_use, rewrite: {input: {x: a, y: b}}}]", PartError{Part: "input.y", Line: 1, Column: 1},
			"trammel.yaml:2:62: input.y: "},
		{"version: 1\nhooks: [{id: a, on: stop, run: x, dialect: none}]", PartError{Part: "dialect"}, "trammel.yaml:2:44: dialect: "},
		{"version: 1\nhooks: [{id: a, on: stop, deny: x}]", PartError{Part: "reason", Line: 1, Column: 1}, "trammel.yaml:2:33: reason: "},
		{"version: 1\nhooks: [{id: a, on: stop, deny: x}]", PartError{Part: "nothing"}, "trammel.yaml:2:33: nothing: "},
	} {
		c.err.Message = "no"
		_, err := Compile(one(c.text), refusing{testRegistry, &c.err})
		if err == nil || len(err.Error()) < len(c.at) || err.Error()[:len(c.at)] != c.at {
			t.Errorf("found %v, expected %s", err, c.at)
		}
	}
}

// refusing refuses every declaration.
type refusing struct {
	registry
	err error
}

func (r refusing) PrepareKind(string, []byte) ([]byte, error) { return nil, r.err }

var _ Registry = registry([]trammel.Policy{})

func all() []trammel.Policy {
	var out []trammel.Policy
	for _, l := range policies.All {
		out = append(out, l.Policy())
	}
	return out
}

// Options of options are described by their whole names.
func TestOptionsOf(t *testing.T) {
	i := slices.IndexFunc(all(), func(p trammel.Policy) bool { return p.Name == "path-guard" })
	options, err := OptionsOf(all()[i])
	var names []string
	for _, o := range options {
		names = append(names, o.Name)
	}
	if err != nil || !slices.Contains(names, "deny") || !slices.Contains(names, "deny.read") {
		t.Errorf("%s %v", names, err)
	}
}

// translating reads files of another system, whose third line is the hook.
type translating struct{ registry }

func (translating) Translate(string, []byte, bool) ([]byte, []int, []*yamldoc.Problem, bool) {
	return []byte("version: 1\nhooks:\n  - {id: a, on: stop, deny: WRONG}\n"), []int{1, 1, 3}, nil, true
}

// An error in a translated file has the position in the file that people wrote.
func TestTranslatedErrors(t *testing.T) {
	_, err := Compile(one("theirs\n\nhook\n"), translating{testRegistry})
	if err == nil || !strings.HasPrefix(err.Error(), "trammel.yaml:3:1: ") || !strings.Contains(err.Error(), "3 | hook\n") {
		t.Errorf("found %v", err)
	}
}
