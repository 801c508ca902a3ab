package packs

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/dialects/fst"
)

// The description's own examples, as printed there: the manifest, the call, the
// minimal form, the three results (FST-01, FST-06, FST-30 to FST-34). The text
// has lost its indentation, which is put back by what the keys are.
func TestDescriptionAsPrinted(t *testing.T) {
	need(t, "python3")
	files, _ := filepath.Glob("../../shared/seeds/000_*.txt")
	if len(files) != 1 {
		t.Skip("the description is not here")
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	between := func(from, to string) string {
		_, rest, ok := strings.Cut(text, from)
		part, _, ok2 := strings.Cut(rest, to)
		if !ok || !ok2 {
			t.Fatalf("there is nothing between %q and %q", from, to)
		}
		return strings.TrimSpace(part)
	}
	results := map[string]string{"Valid result:": "Invalid artifact:", "Invalid artifact:": "Hook failure:",
		"Hook failure:": "Forbidden Output"}
	dir := build(t, map[string]string{
		ManifestName: indented(between("exported hooks:", "Runtime\nMVP")),
		"logic/python/main.py": "import json, sys\nfor line in sys.stdin:\n    " +
			"print(json.dumps(json.loads(json.loads(line)['payload']['say'])), flush=True)\n",
	})
	p, list := Open(dir)
	if len(list) > 0 {
		t.Fatal(list)
	}
	if p.Runtime.ID != "local_patch_review_python" || p.Runtime.Timeout.Seconds() != 5 || len(p.Hooks) != 1 ||
		p.Hooks[0].Type != fst.Validate {
		t.Errorf("%+v", p)
	}
	for from, to := range results {
		o := call(t, p.Session(Options{}), fst.Call{Hook: p.Hooks[0].ID, Payload: map[string]any{"say": between(from, to)}})
		if failure := from == "Hook failure:"; (o.Fault == fst.HookFailed) != failure || !failure && o.Fault != "" {
			t.Errorf("%s %v", from, o.Fault)
		}
		switch from {
		case "Valid result:":
			if !*o.Result.Valid || len(o.Result.Diagnostics) != 0 {
				t.Errorf("%+v", o.Result)
			}
		case "Invalid artifact:":
			if *o.Result.Valid || o.Result.Status != "ok" || len(o.Result.Diagnostics) != 1 {
				t.Errorf("%+v", o.Result)
			}
		case "Hook failure:":
			if !reflect.DeepEqual(o.Result, fst.Failed(fst.Timeout)) {
				t.Errorf("%+v", o.Result)
			}
		}
	}
	c, err := fst.DecodeCall([]byte(between("with JSON records:", "Hook Result Shape")))
	if err != nil || c.Hook != "validate_scenario_coverage" || c.Run != "run_001" || len(c.Payload["scenario_ids"].([]any)) != 2 {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err = fst.DecodeCall([]byte(strings.Replace(between("stdin: ", "\n"), "{...}", "{}", 1))); err != nil || c.Hook == "" {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := fst.Decode([]byte(between("stdout: ", "\n")), fst.Validate, p.Contract); err != nil {
		t.Error(err)
	}
}

// indented puts back the indentation of a manifest: top-level keys have none,
// lists stand below their key.
func indented(text string) string {
	var b strings.Builder
	inHooks := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "runtime:" || line == "contract:" || line == "hooks:":
			inHooks = line == "hooks:"
		case inHooks && strings.HasPrefix(line, "- "):
			line = "  " + line
		case inHooks:
			line = "    " + line
		case strings.HasPrefix(line, "- "):
			line = "    " + line
		default:
			line = "  " + line
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}
