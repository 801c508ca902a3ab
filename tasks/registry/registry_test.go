package registry

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/test/testfile"
)

const operation = "operation_key: a.b\nkind: script\nimpl: {kind: script, script: {path: s.sh}}\n"

func load(t *testing.T, files map[string]string) (*Registry, error) {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		testfile.Write(t, filepath.Join(root, filepath.FromSlash(Dir), filepath.FromSlash(name)), content, 0o644)
	}
	return Load(root)
}

// AIC-51: a registry that is wrong is refused, with the place.
func TestProblemsHavePlaces(t *testing.T) {
	with := func(impl string) string { return "operation_key: a.b\nkind: script\nimpl:\n" + impl }
	for name, c := range map[string]struct{ file, content, want string }{
		"no key": {"low-level/x.yaml", "kind: script\n", "x.yaml:1:5: operation_key must be"},
		"kind": {"low-level/x.yaml", "operation_key: a\nkind: shell\nimpl: {kind: script, script: {path: s}}\n",
			`x.yaml:2:7: kind must be script, api or mcp, found "shell"`},
		"unknown key": {"low-level/x.yaml", operation + "sumary: x\n", `x.yaml:4:1: unknown field "sumary"`},
		"key twice":   {"low-level/x.yaml", operation + "kind: api\n", "x.yaml:4:1:"},
		"not YAML":    {"low-level/x.yaml", "a: [\n", "x.yaml:1:"},
		"empty":       {"low-level/x.yaml", "", "x.yaml:1:1: expected one YAML document"},
		"alias":       {"low-level/x.yaml", "a: &x [1]\nb: *x\n", "anchors, aliases"},
		"deep":        {"low-level/x.yaml", "a: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "nesting is deeper"},
		"deep dashes": {"low-level/x.yaml", "a:\n" + strings.Repeat("- ", 5000) + "x\n", "nesting is deeper"},
		"not UTF-8":   {"low-level/x.yaml", "a: \xff\n", "not UTF-8"},
		"absolute": {"low-level/x.yaml", with("  kind: script\n  script: {path: /bin/sh}\n"),
			"x.yaml:5:18: \"/bin/sh\" must be a path inside"},
		"outside": {"low-level/x.yaml", with("  kind: script\n  script: {path: a/../../b}\n"), "must be a path inside"},
		"two parts": {"low-level/x.yaml", with("  kind: script\n  script: {path: a}\n  api: {url: 'https://a'}\n"),
			"exactly the part of that name"},
		"profile": {"low-level/x.yaml", with("  kind: script\n  script: {path: a, env_profile: no}\n"),
			`no environment profile "no"`},
		"placeholder": {"low-level/x.yaml", with("  kind: script\n  script: {path: a, args_template: ['{{env.X}}']}\n"),
			"only placeholders such as {{input.NAME}}"},
		"placeholder not closed": {"low-level/x.yaml",
			with("  kind: script\n  script: {path: a, args_template: ['{{input.x}']}\n"), `"{{input.x}" is not a placeholder`},
		"placeholder with a blank": {"low-level/x.yaml", with("  kind: api\n  api: {url: 'https://a/{{input.a b}}'}\n"), "is not a placeholder"},
		"timeout": {"low-level/x.yaml", with("  kind: script\n  script: {path: a, timeout_sec: -1}\n"),
			"timeout_sec must be between"},
		"host from input": {"low-level/x.yaml", with("  kind: api\n  api: {url: 'https://{{input.host}}/'}\n"),
			"url must be a complete http or https address"},
		"password": {"low-level/x.yaml", with("  kind: api\n  api: {url: 'https://a:b@c/'}\n"), "no user or password"},
		"file url": {"low-level/x.yaml", with("  kind: api\n  api: {url: 'file:///etc/passwd'}\n"), "http or https"},
		"secret not listed": {"low-level/x.yaml", with("  kind: api\n  api: {url: 'https://a/', headers: {X: '{{env.HOME}}'}}\n"),
			"nor listed in secrets_from_env"},
		"no tool":       {"low-level/x.yaml", with("  kind: mcp\n  mcp: {server: {path: a}}\n"), "the name of the tool is missing"},
		"schema":        {"low-level/x.yaml", operation + "input_schema: {type: 7}\n", "input_schema cannot be used"},
		"remote schema": {"low-level/x.yaml", operation + "input_schema: {$ref: 'https://example.com/x'}\n", "input_schema cannot be used"},
		"not on the list": {"high-level/x.yaml", "id: w\ntype: workflow\nsteps: [{id: s, operation: a.b}]\n",
			"x.yaml:3:28: operation \"a.b\" is not among"},
		"later step": {"high-level/x.yaml", "id: w\ntype: workflow\noperations: [a.b]\nsteps: [{id: s, operation: a.b, input: {x: " +
			"'{{steps.t.y}}'}}]\n", "{{steps.t.y}} is neither"},
		"unknown operation": {"high-level/x.yaml", "id: w\ntype: agent\noperations: [no]\nagent: {path: a}\n",
			`x.yaml:3:14: operation "no" is not registered`},
		"type":      {"high-level/x.yaml", "id: w\ntype: magic\n", `x.yaml:2:7: type must be workflow or agent`},
		"same name": {"high-level/x.yaml", "id: a.b\ntype: agent\nagent: {path: a}\n", "an operation is already called"},
		"configured for none": {"config/x.yaml", "operations:\n  no.such: {impl: {kind: script, script: {path: a}}}\n",
			"x.yaml:2:12: operation \"no.such\" is configured, but not registered"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{c.file: c.content}
			if !strings.HasPrefix(c.file, "low-level") {
				files["low-level/base.yaml"] = operation
			}
			began := time.Now()
			_, err := load(t, files)
			var problems Problems
			if !errors.As(err, &problems) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, expected %q", err, c.want)
			}
			if time.Since(began) > time.Minute {
				t.Error("took too long")
			}
		})
	}
}

// AIC-51: every keyword of a schema is looked at when it is loaded, not when
// something is checked against it; what is good JSON Schema is taken.
func TestKeywordsOfSchemas(t *testing.T) {
	for schema, want := range map[string]string{
		"{type: objekt}":                                 "x.yaml:4:22: input_schema cannot be used: type: found objekt",
		"{type: [string, nul]}":                          "found nul",
		"{properties: {a: {type: strin}}}":               "x.yaml:4:39: input_schema cannot be used: properties.a.type",
		"{propertes: {a: {type: string}}}":               "did you mean properties?",
		"{type: object, requird: [a]}":                   "did you mean required?",
		"{items: {enum: []}}":                            "items.enum: expected a list that is not empty",
		"{anyOf: []}":                                    "anyOf: expected a list of schemas",
		"{oneOf: [{type: string}, {minLength: -1}]}":     "oneOf[1].minLength: expected a whole number",
		"{$defs: {x: {multipleOf: 0}}}":                  "$defs.x.multipleOf: expected a number above 0",
		"{not: 7}":                                       "not: expected a schema",
		"{properties: [a]}":                              "properties: expected schemas by name",
		"{additionalProperties: {maxItems: 1.5}}":        "additionalProperties.maxItems",
		"{minLength: x}":                                 "minLength: expected a whole number",
		"{minLength: 1.5}":                               "minLength: expected a whole number",
		"{multipleOf: x}":                                "multipleOf: expected a number above 0",
		"{multipleOf: 0}":                                "multipleOf: expected a number above 0",
		"{minLength: 3, maxLength: 2}":                   "minLength is greater than maxLength",
		"{minimum: 3, maximum: 2}":                       "minimum is greater than maximum",
		"{pattern: '('}":                                 "input_schema cannot be used",
		"{required: a}":                                  "input_schema cannot be used",
		"{if: {type: nope}}":                             "if.type",
		"{prefixItems: [{type: nope}]}":                  "prefixItems[0].type",
		"{patternProperties: {'^a': {type: [strings]}}}": "patternProperties.^a.type",
		"{}": "",
		"{type: [object, 'null'], properties: {type: {enum: [a]}, items: true}, additionalProperties: false, x-note: 1, nullable: true}": "",
		"{$ref: '#/$defs/a', $defs: {a: {type: integer, minimum: 0, format: int64, examples: [1]}}}":                                     "",
	} {
		_, err := load(t, map[string]string{"low-level/x.yaml": operation + "input_schema: " + schema + "\n"})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, expected %q", schema, err, want)
		}
	}
}

func TestDuplicatesAndLinks(t *testing.T) {
	if _, err := load(t, map[string]string{"low-level/a.yaml": operation, "low-level/b.yaml": operation}); err == nil ||
		!strings.Contains(err.Error(), "b.yaml:1:16: operation \"a.b\" is already registered in .system/registry/low-level/a.yaml") {
		t.Error(err)
	}
	if r, err := load(t, map[string]string{"low-level/AGENTS.md": "# not YAML: [", "low-level/a.yml": operation}); err != nil ||
		len(r.List()) != 1 {
		t.Error(err)
	}
}

// A file of the registry never makes the reader panic or run long.
func FuzzRead(f *testing.F) {
	f.Add([]byte(operation))
	f.Add([]byte("id: w\ntype: workflow\noperations: [a.b]\nsteps: [{id: s, operation: a.b}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		root := t.TempDir()
		dir := filepath.Join(root, filepath.FromSlash(Dir), "low-level")
		os.MkdirAll(dir, 0o755)
		os.WriteFile(filepath.Join(dir, "x.yaml"), data, 0o644)
		began := time.Now()
		if r, err := Load(root); err == nil {
			r.List()
		}
		if time.Since(began) > time.Minute {
			t.Error("took too long")
		}
	})
}
