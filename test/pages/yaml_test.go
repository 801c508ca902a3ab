package pages

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/handlers/command"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/plan"
	"github.com/trammel-dev/trammel/policytest"
)

var update = flag.Bool("update", false, "write the generated pages")

const refresh = "go test ./test/pages -update"

// TEAM-50: the reference of trammel.yaml has every key of the schema and no
// other, each with type, default, layers and an example that compiles.
func TestReferenceOfTheFile(t *testing.T) {
	p := full.New(layers.Dirs{})
	data, err := config.Schema(full.Registry{Registry: p.Registry, Dialects: p.Dialects})
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	keys := Keys(&schema)
	rows, err := Rows("testdata/keys.txt", 4)
	if err != nil {
		t.Fatal(err)
	}
	shared := func(path string) string { // what two places have in common is described at one
		if rest, ok := strings.CutPrefix(path, "hooks[].approve."); ok {
			return "approvals.terms." + rest
		}
		if rest, ok := strings.CutPrefix(path, "exceptions[].match."); ok {
			return "hooks[].match." + rest
		}
		return ""
	}
	var b strings.Builder
	b.WriteString(written(t, "trammel-yaml.md"))
	section := "top"
	said := map[string]bool{}
	for _, row := range rows {
		path, value, layer, example := row[0], row[1], row[2], row[3]
		key, ok := keys[path]
		if !ok {
			t.Errorf("keys.txt describes %s, which the schema does not have", path)
			continue
		}
		said[path] = true
		if parent := parentOf(path); parent != section {
			section = parent
			heading := "In `" + parent + "`"
			if parent == "top" {
				heading = "At the top, continued"
			}
			fmt.Fprintf(&b, "\n## %s\n", heading)
			if parent == "exceptions[]" {
				b.WriteString("\n`match` takes the keys of `hooks[].match`.\n")
			}
			if parent == "hooks[].approve" {
				b.WriteString("\nAll keys of `approvals.terms` can be used here, too, for this hook only.\n")
			}
		}
		text, layerOf := whole(example), layers.User
		if layer == "machine" {
			layerOf = layers.Machine
		}
		err := Compile("trammel.yaml", text, layerOf)
		if strings.HasPrefix(path, "extends") { // what it extends is not here
			_, err = config.Extends("trammel.yaml", []byte(text))
		}
		if err != nil {
			t.Errorf("the example of %s cannot be used: %v", path, err)
		}
		var doc any
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil || !has(doc, steps(path)) {
			t.Errorf("the example of %s does not have it: %s", path, example)
		}
		fmt.Fprintf(&b, "\n### `%s`\n\n%s\n\n* type: %s\n* default: %s\n* layers: %s\n\n```yaml\n%s\n```\n",
			path, key.Schema.Description, Type(key.Schema), value, layer, shown(example))
	}
	for _, row := range rows {
		if want := constants[row[0]]; want != "" && !strings.Contains(row[1], want) {
			t.Errorf("the default of %s is %s, and keys.txt says %s", row[0], want, row[1])
		}
	}
	for _, path := range slices.Sorted(maps.Keys(keys)) {
		if other := shared(path); said[path] || other != "" && said[other] && sameKey(keys[path], keys[other]) {
			continue
		}
		t.Errorf("%s is in the schema and not in test/pages/testdata/keys.txt: add a line with default, layers and example", path)
	}
	b.WriteString(testKeys(t))
	if wrong := Keep("docs/reference/trammel-yaml.md", b.String(), refresh, *update); wrong != "" {
		t.Error(wrong)
	}
}

// constants are the defaults that the code has by name.
var constants = map[string]string{
	"limits.payload":          fmt.Sprint(plan.DefaultSettings().MaxPayload>>20, "MiB"),
	"evidence.payload":        plan.DefaultSettings().Evidence.Payload,
	"evidence.fsync":          plan.DefaultSettings().Evidence.Fsync,
	"evidence.segment":        fmt.Sprint(plan.DefaultSettings().Evidence.Segment>>20, "MiB"),
	"evidence.on_error":       plan.DefaultSettings().Evidence.OnError,
	"hooks[].timeout":         fmt.Sprintf("%.0fs", trammel.DefaultTimeout.Seconds()),
	"hooks[].max_output":      fmt.Sprint(command.DefaultMaxOutput>>20, "MiB"),
	"approvals.terms.expires": fmt.Sprintf("%.0fm", approvals.DefaultExpires.Minutes()),
	"approvals.terms.window":  fmt.Sprintf("%.0fm", approvals.DefaultWindow.Minutes()),
	"approvals.terms.hold":    fmt.Sprintf("%.0fs", approvals.DefaultHold.Seconds()),
}

func sameKey(a, b Key) bool {
	return a.Schema.Description == b.Schema.Description && Type(a.Schema) == Type(b.Schema)
}

// written is the part of a page that people write.
func written(t *testing.T, name string) string {
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func parentOf(path string) string {
	at := strings.LastIndexByte(path, '.')
	if at < 0 {
		return "top"
	}
	return path[:at]
}

// whole is the example as a file.
func whole(example string) string {
	if strings.HasPrefix(example, "{") {
		example = "hooks:\n  - " + example
	}
	if strings.HasPrefix(example, "version:") {
		return example + "\n"
	}
	return "version: 1\n" + example + "\n"
}

func shown(example string) string {
	if strings.HasPrefix(example, "{") {
		return "hooks:\n  - " + example
	}
	return example
}

func steps(path string) []string {
	return strings.Split(strings.ReplaceAll(path, "[]", ".[]"), ".")
}

// has reports whether a document has a key at a path.
func has(doc any, path []string) bool {
	if len(path) == 0 {
		return true
	}
	switch d := doc.(type) {
	case []any:
		if path[0] == "[]" {
			path = path[1:]
		}
		return slices.ContainsFunc(d, func(e any) bool { return has(e, path) })
	case map[string]any:
		if path[0] == "*" {
			return slices.ContainsFunc(slices.Collect(maps.Values(d)), func(e any) bool { return has(e, path[1:]) })
		}
		inner, ok := d[path[0]]
		return ok && has(inner, path[1:])
	}
	return false
}

// testKeys is the part about *_test.yaml files.
func testKeys(t *testing.T) string {
	rows, err := Rows("testdata/test-keys.txt", 4)
	if err != nil {
		t.Fatal(err)
	}
	types := caseKeys(reflect.TypeFor[policytest.File](), "")
	var b strings.Builder
	b.WriteString(written(t, "test-files.md"))
	for _, row := range rows {
		path, value, about, example := row[0], row[1], row[2], row[3]
		kind, ok := types[path]
		if !ok {
			t.Errorf("test-keys.txt describes %s, which test files do not have", path)
		}
		delete(types, path)
		file := filepath.Join(t.TempDir(), "a_test.yaml")
		text := "tests:\n  - " + example + "\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := policytest.Read(file); err != nil {
			t.Errorf("the example of %s cannot be read: %v", path, err)
		}
		var doc any
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil || !has(doc, steps(path)) {
			t.Errorf("the example of %s does not have it: %s", path, example)
		}
		fmt.Fprintf(&b, "\n### `%s`\n\n%s\n\n* type: %s\n* default: %s\n\n```yaml\n%s```\n", path, about, kind, value, text)
	}
	for _, path := range slices.Sorted(maps.Keys(types)) {
		t.Errorf("%s can stand in test files and is not in test/pages/testdata/test-keys.txt", path)
	}
	return b.String()
}

func caseKeys(t reflect.Type, at string) map[string]string {
	keys := map[string]string{}
	switch t.Kind() {
	case reflect.Pointer:
		return caseKeys(t.Elem(), at)
	case reflect.Slice:
		return caseKeys(t.Elem(), at+"[]")
	case reflect.Struct:
		for _, f := range reflect.VisibleFields(t) {
			name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			path := strings.TrimPrefix(at+"."+name, ".")
			keys[path] = kindOf(f.Type)
			maps.Copy(keys, caseKeys(f.Type, path))
		}
	}
	return keys
}

func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.Slice:
		return "list of " + plural(kindOf(t.Elem()))
	case reflect.Struct, reflect.Map:
		return "mapping"
	case reflect.String:
		return "text"
	}
	return t.Kind().String()
}
