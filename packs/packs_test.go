package packs

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/dialects/fst"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/test/testfile"
)

func need(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is missing", program)
	}
}

const manifest = `runtime:
  id: sample
  kind: python_stdio
  command: [python3, main.py]
  timeout_ms: 60000
contract:
  input_protocol: fst.hook.call.v1
  output_protocol: fst.hook.result.v1
hooks:
  - id: evaluate
    type: condition.evaluate
    description: d
  - id: validate
    type: artifact.validate
    input_artifact_type: a
    description: d
  - id: render
    type: template.render
    description: d
`

// build writes a pack of these files; hooks.yaml and main.py have defaults.
func build(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	all := map[string]string{ManifestName: manifest, "main.py": "pass\n"}
	for name, text := range files {
		all[name] = text
	}
	testfile.Tree(t, dir, all)
	return dir
}

func open(t *testing.T, dir string) *Pack {
	t.Helper()
	p, list := Open(dir)
	if p == nil {
		t.Fatalf("%v", list)
	}
	return p
}

// python makes a session with a program that does this with every call.
func python(t *testing.T, body string, o Options) *Session {
	t.Helper()
	need(t, "python3")
	s := open(t, build(t, map[string]string{"main.py": body})).Session(o)
	t.Cleanup(func() { s.Close() })
	return s
}

// saying answers every call with these lines.
func saying(lines ...string) string {
	return fmt.Sprintf("import sys\nfor line in sys.stdin:\n    sys.stdout.write(%q)\n    sys.stdout.flush()\n", strings.Join(lines, "\n")+
		"\n")
}

func call(t *testing.T, s *Session, c fst.Call) Outcome {
	t.Helper()
	o, err := s.Last(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// FST-01 to FST-07, FST-50, FST-55: the samples, in Python and TypeScript with
// real interpreters, with hooks of all types. What each line expects is in it.
func TestSamples(t *testing.T) {
	for dir, program := range map[string]string{"release_review_python": "python3", "release_review_ts": "node"} {
		t.Run(dir, func(t *testing.T) {
			need(t, program)
			t.Setenv("TMPDIR", t.TempDir())
			root := filepath.Join("..", "examples", "packs", dir)
			p, list := Open(root)
			if len(list) > 0 {
				t.Fatal(list)
			}
			s := p.Session(Options{})
			cases, err := os.Open(filepath.Join(root, "tests", "cases.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			defer cases.Close()
			b := Batch{Session: s, Each: func(line int, o Outcome, wrong []string) error {
				if len(wrong) > 0 || o.Fault != "" {
					t.Errorf("line %d: %v %v %s", line, o.Fault, wrong, o.Stderr)
				}
				return nil
			}}
			sum, err := b.Run(context.Background(), cases)
			if err != nil || sum.Calls != 6 || sum.Valid != 1 || sum.Invalid != 1 || sum.Starts != 1 {
				t.Errorf("%+v, %v", sum, err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if o := call(t, p.Session(Options{}), fst.Call{Hook: "nothing"}); o.Fault != fst.UnknownHook || o.Route != Blocked { // FST-07
				t.Errorf("an unknown hook: %+v", o)
			}
			if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "trammel-pack-*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// FST-01 to FST-07, FST-43: errors in a manifest name their place.
func TestManifests(t *testing.T) {
	for _, c := range []struct{ name, old, new, code, path string }{
		{"FST-01 no runtime", "runtime:\n  id: sample\n  kind: python_stdio\n  command: [python3, main.py]\n  timeout_ms: 60000\n", "",
			"missing_field", "hooks.yaml:runtime"},
		{"FST-01 unknown part", "hooks:\n", "hoks: 1\nhooks:\n", "unknown_field", "hooks.yaml:hoks"},
		{"FST-01 not a mapping", manifest, "- a\n", "wrong_type", "hooks.yaml"},
		{"FST-01 not YAML", manifest, "a: [", "manifest_unreadable", "hooks.yaml"},
		{"FST-01 empty", manifest, "", "manifest_unreadable", "hooks.yaml"},
		{"FST-01 two documents", "hooks:\n", "---\nhooks:\n", "manifest_unreadable", "hooks.yaml"},
		{"FST-01 an alias", "id: sample", "id: &a sample", "manifest_unreadable", "hooks.yaml:runtime.id"},
		{"FST-01 a key twice", "id: sample", "id: sample\n  id: other", "duplicate_key", "hooks.yaml:runtime.id"},
		{"FST-01 very deep", manifest, strings.Repeat("[", 5000), "manifest_unreadable", "hooks.yaml"},
		{"FST-02 no id", "  id: sample\n", "", "missing_field", "hooks.yaml:runtime.id"},
		{"FST-02 id with a path", "id: sample", "id: ../x", "bad_id", "hooks.yaml:runtime.id"},
		{"FST-02 command is text", "[python3, main.py]", "python3 main.py", "wrong_type", "hooks.yaml:runtime.command"},
		{"FST-02 command is empty", "[python3, main.py]", "[]", "wrong_type", "hooks.yaml:runtime.command"},
		{"FST-02 a number in it", "[python3, main.py]", "[python3, main.py, 1]", "wrong_type", "hooks.yaml:runtime.command[2]"},
		{"FST-03 unknown kind", "python_stdio", "ruby_stdio", "unknown_runtime_kind", "hooks.yaml:runtime.kind"},
		{"FST-03 kind in another case", "python_stdio", "Python_stdio", "unknown_runtime_kind", "hooks.yaml:runtime.kind"},
		{"FST-03 interpreter of the other kind", "python3, ", "node, ", "wrong_interpreter", "hooks.yaml:runtime.command[0]"},
		{"FST-03 no interpreter", "python3, ", "sh, ", "wrong_interpreter", "hooks.yaml:runtime.command[0]"},
		{"FST-04 no timeout", "  timeout_ms: 60000\n", "", "missing_field", "hooks.yaml:runtime.timeout_ms"},
		{"FST-04 zero", "60000", "0", "bad_timeout", "hooks.yaml:runtime.timeout_ms"},
		{"FST-04 negative", "60000", "-1", "bad_timeout", "hooks.yaml:runtime.timeout_ms"},
		{"FST-04 text", "60000", "5s", "bad_timeout", "hooks.yaml:runtime.timeout_ms"},
		{"FST-04 a fraction", "60000", "1.5", "bad_timeout", "hooks.yaml:runtime.timeout_ms"},
		{"FST-04 for ever", "60000", "99999999999", "bad_timeout", "hooks.yaml:runtime.timeout_ms"},
		{"FST-05 absolute", "main.py", "/etc/main.py", "command_absolute", "hooks.yaml:runtime.command[1]"},
		{"FST-05 absolute program", "python3, main.py", "/usr/bin/python3, main.py", "command_absolute", "hooks.yaml:runtime.command[0]"},
		{"FST-05 a drive", "main.py", `'C:\main.py'`, "command_absolute", "hooks.yaml:runtime.command[1]"},
		{"FST-05 a home", "main.py", "~/main.py", "command_absolute", "hooks.yaml:runtime.command[1]"},
		{"FST-05 upwards", "main.py", "../main.py", "command_escapes", "hooks.yaml:runtime.command[1]"},
		{"FST-05 upwards in between", "main.py", "a/../../main.py", "command_escapes", "hooks.yaml:runtime.command[1]"},
		{"FST-05 upwards with backslashes", "main.py", `'..\main.py'`, "command_escapes", "hooks.yaml:runtime.command[1]"},
		{"FST-05 a link outwards", "main.py", "link.py", "command_escapes", "hooks.yaml:runtime.command[1]"},
		{"FST-05 a directory linked outwards", "main.py", "out/hosts", "command_escapes", "hooks.yaml:runtime.command[1]"},
		{"FST-05 in an option", "main.py", "main.py, --config=/etc/x", "command_absolute", "hooks.yaml:runtime.command[2]"},
		{"FST-05 not there", "main.py", "other.py", "entrypoint_missing", "hooks.yaml:runtime.command[1]"},
		{"FST-05 inline code", "main.py", "-c, 'import os'", "command_inline_code", "hooks.yaml:runtime.command[1]"},
		{"FST-05 inline code in a bundle", "main.py", "-Bc, 'import os'", "command_inline_code", "hooks.yaml:runtime.command[1]"},
		{"FST-05 a module", "main.py", "-m, http.server", "command_inline_code", "hooks.yaml:runtime.command[1]"},
		{"FST-05 from stdin", "main.py", "'-'", "command_inline_code", "hooks.yaml:runtime.command[1]"},
		{"FST-05 nothing of the pack", "python3, main.py", "python3, -B", "entrypoint_missing", "hooks.yaml:runtime.command[0]"},
		{"FST-06 no contract", "contract:\n  input_protocol: fst.hook.call.v1\n  output_protocol: fst.hook.result.v1\n", "", "missing_field",
			"hooks.yaml:contract"},
		{"FST-06 another protocol", "fst.hook.call.v1", "fst.hook.call.v2", "unsupported_protocol", "hooks.yaml:contract.input_protocol"},
		{"FST-06 another result", "fst.hook.result.v1", "x", "unsupported_protocol", "hooks.yaml:contract.output_protocol"},
		{"FST-06 unknown output", "hooks:\n", "  allowed_output_fields: [status, extra]\nhooks:\n", "unknown_output_field",
			"hooks.yaml:contract.allowed_output_fields[1]"},
		{"FST-43 allows authority", "hooks:\n", "  allowed_output_fields: [status, Route]\nhooks:\n", "forbidden_output_allowed",
			"hooks.yaml:contract.allowed_output_fields[1]"},
		{"FST-43 forbids status by name", "hooks:\n", "  allowed_output_fields: [facts]\nhooks:\n", "status_not_allowed",
			"hooks.yaml:contract.allowed_output_fields"},
		{"FST-07 no hooks", manifest[strings.Index(manifest, "hooks:"):], "hooks: []\n", "wrong_type", "hooks.yaml:hooks"},
		{"FST-07 id twice", "id: render", "id: validate", "duplicate_hook_id", "hooks.yaml:hooks[2].id"},
		{"FST-07 no id", "  - id: render\n    type", "  - type", "missing_field", "hooks.yaml:hooks[2].id"},
		{"FST-07 unknown type", "template.render", "template.print", "unknown_hook_type", "hooks.yaml:hooks[2].type"},
		{"FST-07 no artifact type", "    input_artifact_type: a\n", "", "missing_field", "hooks.yaml:hooks[1].input_artifact_type"},
		{"FST-07 unknown field", "    input_artifact_type: a\n", "    input_artifact_type: a\n    may: grant\n", "unknown_field",
			"hooks.yaml:hooks[1].may"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(manifest, c.old, c.new, 1)
			if text == manifest {
				t.Fatal("nothing was changed")
			}
			dir := build(t, map[string]string{ManifestName: text})
			if err := os.Symlink("/etc/hosts", filepath.Join(dir, "link.py")); err != nil {
				t.Skip(err)
			}
			os.Symlink("/etc", filepath.Join(dir, "out"))
			p, list := Open(dir)
			found := slices.ContainsFunc(list, func(d Diagnostic) bool {
				return d.Severity == Error && d.Code == c.code && d.Path == c.path && d.Message != ""
			})
			if p != nil || !found {
				t.Errorf("got %v", list)
			}
		})
	}
	if p, list := Open(filepath.Join(t.TempDir(), "none")); p != nil || list[0].Code != "pack_missing" {
		t.Error(list)
	}
	if p, list := Open(t.TempDir()); p != nil || list[0].Code != "manifest_missing" {
		t.Error(list)
	}
	// FST-43: leaving one of the four out changes nothing but is remarked.
	p, list := Open(build(t, map[string]string{ManifestName: strings.Replace(manifest, "hooks:\n",
		"  forbidden_output_fields: [route, store_writes]\nhooks:\n", 1)}))
	if p == nil || len(list) != 3 || list[0].Code != "always_forbidden" || !p.Contract.Forbidden.Has("approvalRecord") ||
		!p.Contract.Forbidden.Has("STORE_WRITES") {
		t.Errorf("%v", list)
	}
	if d := list[0]; d.Line != 9 || !strings.Contains(d.String(), "line 9") {
		t.Errorf("place of %v", d)
	}
}

// A link inside of the pack is fine, and so is a pack that is reached by one.
func TestLinksInside(t *testing.T) {
	dir := build(t, map[string]string{ManifestName: strings.Replace(manifest, "main.py", "run.py", 1)})
	if err := os.Symlink("main.py", filepath.Join(dir, "run.py")); err != nil {
		t.Skip(err)
	}
	link := filepath.Join(t.TempDir(), "pack")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	if p := open(t, link); p.Entrypoint != "run.py" {
		t.Errorf("%+v", p)
	}
	if _, err := files.Tree(link); err != nil {
		t.Error(err)
	}
}
