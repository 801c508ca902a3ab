package packs

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/dialects/fst"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/files"
)

// TestMain puts the real Python first: what stands in for it on some machines,
// to choose a version, takes longer to start than it does.
func TestMain(m *testing.M) {
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if real := strings.TrimSpace(string(out)); err == nil && real != "" {
		os.Setenv("PATH", filepath.Dir(real)+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	os.Exit(m.Run())
}

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
  timeout_ms: 5000
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
	for name, text := range all {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
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

// FST-01 to FST-07, FST-43: what is wrong in a manifest is said with its place.
func TestManifests(t *testing.T) {
	for _, c := range []struct{ name, old, new, code, path string }{
		{"FST-01 no runtime", "runtime:\n  id: sample\n  kind: python_stdio\n  command: [python3, main.py]\n  timeout_ms: 5000\n", "",
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
		{"FST-04 no timeout", "  timeout_ms: 5000\n", "", "missing_field", "hooks.yaml:runtime.timeout_ms"},
		{"FST-04 zero", "5000", "0", "bad_timeout", "hooks.yaml:runtime.timeout_ms"},
		{"FST-04 negative", "5000", "-1", "bad_timeout", "hooks.yaml:runtime.timeout_ms"},
		{"FST-04 text", "5000", "5s", "bad_timeout", "hooks.yaml:runtime.timeout_ms"},
		{"FST-04 a fraction", "5000", "1.5", "bad_timeout", "hooks.yaml:runtime.timeout_ms"},
		{"FST-04 for ever", "5000", "99999999999", "bad_timeout", "hooks.yaml:runtime.timeout_ms"},
		{"FST-05 absolute", "main.py", "/etc/main.py", "command_absolute", "hooks.yaml:runtime.command[1]"},
		{"FST-05 absolute program", "python3, main.py", "/usr/bin/python3, main.py", "command_absolute", "hooks.yaml:runtime.command[0]"},
		{"FST-05 a drive", "main.py", `'C:\main.py'`, "command_absolute", "hooks.yaml:runtime.command[1]"},
		{"FST-05 a home", "main.py", "~/main.py", "command_absolute", "hooks.yaml:runtime.command[1]"},
		{"FST-05 upwards", "main.py", "../main.py", "command_escapes", "hooks.yaml:runtime.command[1]"},
		{"FST-05 upwards in between", "main.py", "a/../../main.py", "command_escapes", "hooks.yaml:runtime.command[1]"},
		{"FST-05 upwards and back", "main.py", "sub/../main.py", "command_escapes", "hooks.yaml:runtime.command[1]"},
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

// FST-41, FST-45, FST-51, FST-53, FST-54: each failure has its diagnostic, the
// same each time, as a result of the protocol's own shape (FST-34).
func TestFailures(t *testing.T) {
	need(t, "python3")
	runs := 3
	for _, c := range []struct {
		name, body, hook string
		want             fst.Fault
	}{
		{"FST-53 timeout", "import time\ntime.sleep(1000)", "validate", fst.Timeout},
		{"FST-53 timeout with half a result", "import time\nprint('{\"status\"', end='', flush=True)\ntime.sleep(1000)", "validate", fst.Timeout},
		{"FST-54 early exit", "pass", "validate", fst.EarlyExit},
		{"FST-54 error exit", "raise SystemExit(3)", "validate", fst.FailedExit},
		{"FST-54 exception", "import nothing_of_the_kind", "validate", fst.FailedExit},
		{"FST-54 signal", "import os\nos.kill(os.getpid(), 9)", "validate", fst.Signaled},
		{"FST-54 cut off", "import sys\nsys.stdin.readline()\nprint('{\"status\"', end='')", "validate", fst.CutOff},
		{"FST-54 too long", "print('x' * (5 << 20))", "validate", fst.TooLong},
		{"FST-54 two lines", saying(`{"status":"ok","valid":true}`, `{"status":"ok","valid":true}`), "validate", fst.TwoLines},
		{"FST-54 a late second line", "import sys, time\nfor line in sys.stdin:\n    print('{\"status\":\"ok\",\"valid\":true}', flush=True)\n " +
			" " +
			"  time.sleep(0.05)\n    print('{}', flush=True)", "validate", fst.TwoLines},
		{"FST-51 noise", saying("ready"), "validate", fst.NotJSON},
		{"FST-51 noise before the result", saying("ready", `{"status":"ok","valid":true}`), "validate", fst.NotJSON},
		{"FST-51 an empty line", saying(""), "validate", fst.NotJSON},
		{"FST-54 a list", saying("[]"), "validate", fst.NotObject},
		{"FST-54 wrong type", saying(`{"status":"ok","valid":1}`), "validate", fst.BadValid},
		{"FST-41 authority", saying(`{"status":"ok","valid":true,"route":"Continue"}`), "validate", fst.Forbidden},
		{"FST-45 authority in facts", saying(`{"status":"ok","facts":{"x":{"materializationAllowed":true}}}`), "evaluate", fst.Forbidden},
		{"FST-20 of another type", saying(`{"status":"ok","valid":true}`), "evaluate", fst.NotOfType},
		{"FST-54 unknown status", saying(`{"status":"fine"}`), "evaluate", fst.BadStatus},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := build(t, map[string]string{"main.py": c.body, ManifestName: strings.Replace(manifest, "5000", "700", 1)})
			if c.want != fst.Timeout {
				dir = build(t, map[string]string{"main.py": c.body, ManifestName: strings.Replace(manifest, "5000", "30000", 1)})
			}
			p := open(t, dir)
			var first Outcome
			for i := range runs {
				o := call(t, p.Session(Options{}), fst.Call{Hook: c.hook, Payload: map[string]any{}})
				if o.Fault != c.want || o.Route != Blocked || !reflect.DeepEqual(o.Result, fst.Failed(c.want)) {
					t.Fatalf("got %q, %+v, %s", o.Fault, o.Result, o.Stderr)
				}
				o.Micros, o.Stderr = 0, ""
				if i == 0 {
					first = o
				}
				if !reflect.DeepEqual(o, first) {
					t.Fatalf("run %d differs:\n%+v\n%+v", i, o, first)
				}
			}
		})
	}
	missing := open(t, build(t, map[string]string{ManifestName: strings.Replace(manifest, "python3,", "python3.99,", 1)}))
	if o := call(t, missing.Session(Options{}), fst.Call{Hook: "render"}); o.Fault != fst.NoRuntime {
		t.Errorf("a missing interpreter: %q", o.Fault)
	}
}

// FST-34: what a hook itself reports as a failure is one, in its own words.
// FST-42: where a failure leads is said by the caller.
func TestHookFailure(t *testing.T) {
	s := python(t, saying(`{"status":"error","valid":false,"diagnostics":["no database"],"facts":{"a":1}}`), Options{OnFailure: InstructAgent})
	o := call(t, s, fst.Call{Hook: "validate"})
	if o.Fault != fst.HookFailed || o.Route != InstructAgent || o.Result.Diagnostics[0] != "no database" || o.Result.Facts != nil {
		t.Errorf("%+v", o)
	}
}

// FST-42, FST-45: a result that is fine leads nowhere by itself, valid or not.
func TestNoRouteWithoutFailure(t *testing.T) {
	for _, valid := range []string{"true", "false"} {
		s := python(t, saying(`{"status":"ok","valid":`+valid+`,"diagnostics":["d"]}`), Options{})
		if o := call(t, s, fst.Call{Hook: "validate"}); o.Fault != "" || o.Route != "" || o.Result.Valid == nil ||
			fmt.Sprint(*o.Result.Valid) != valid {
			t.Errorf("%+v", o)
		}
	}
}

// FST-43: what the process manifest forbids is forbidden, too.
func TestProcessManifest(t *testing.T) {
	need(t, "python3")
	files := map[string]string{
		"main.py":     saying(`{"status":"ok","facts":{"storeWrites":1}}`),
		processName:   "process: {id: x}\nforbidden:\n  capabilities: [a]\n  hook_outputs: [store_writes]\n",
		"other/x.txt": "x",
	}
	if o := call(t, open(t, build(t, files)).Session(Options{}), fst.Call{Hook: "evaluate"}); o.Fault != fst.Forbidden {
		t.Errorf("%+v", o)
	}
	files[processName] = "forbidden: [x]\n"
	if _, list := Open(build(t, files)); len(list) == 0 || list[0].Path != processName+":forbidden" {
		t.Error(list)
	}
}

// FST-10, FST-11, FST-12: the program sees a bare environment, its own
// directory, and the three descriptors.
func TestBoundary(t *testing.T) {
	for _, name := range []string{"ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "TRAMMEL_STATE", "NODE_OPTIONS",
		"PYTHONPATH", "PYTHONSTARTUP", "HOME"} {
		t.Setenv(name, "sk-secret")
	}
	s := python(t, `import json, os, sys
for line in sys.stdin:
    fds = sorted(int(f) for f in os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else []
    print(json.dumps({"status": "ok", "facts": {"env": dict(os.environ), "dir": os.getcwd(), "fds": fds[:-1], "call": json.loads(line)}}), flush=True)
`, Options{})
	o := call(t, s, fst.Call{Hook: "evaluate", Run: "r", Payload: map[string]any{"a": int64(1)}})
	if o.Fault != "" {
		t.Fatal(o.Fault, o.Stderr)
	}
	for name, v := range o.Result.Facts["env"].(map[string]any) {
		if strings.Contains(fmt.Sprint(v), "sk-secret") {
			t.Errorf("%s is passed", name)
		}
	}
	for _, pair := range environ() { // what is found in the program can be an interpreter's own, too
		name, _, _ := strings.Cut(pair, "=")
		if !slices.Contains([]string{"PATH", "LANG", "TMPDIR", "TZ", "PYTHONUTF8", "PYTHONNOUSERSITE", "NO_COLOR"}, name) &&
			!strings.HasPrefix(name, "LC_") {
			t.Errorf("%s is passed", name)
		}
	}
	if o.Result.Facts["dir"] != s.pack.Dir {
		t.Errorf("runs in %v", o.Result.Facts["dir"])
	}
	if fds := o.Result.Facts["fds"].([]any); len(fds) > 0 && !reflect.DeepEqual(fds, []any{int64(0), int64(1), int64(2)}) {
		t.Errorf("descriptors %v", fds)
	}
	// FST-30: the whole record is sent; FST-31: a caller need not give more than these two.
	want := map[string]any{"protocol_version": fst.CallProtocol, "hook_id": "evaluate", "run_id": "r",
		"payload": map[string]any{"a": int64(1)}}
	if !reflect.DeepEqual(o.Result.Facts["call"], want) {
		t.Errorf("sent %v", o.Result.Facts["call"])
	}
	if _, err := os.Stat(filepath.Join(s.pack.Dir, "__pycache__")); err == nil {
		t.Error("a cache was written into the pack")
	}
}

// FST-52: stderr is kept for diagnosis, and is no part of the result.
func TestStderrIsKept(t *testing.T) {
	s := python(t, "import sys\nprint('password=hunter2-Xy7!q', file=sys.stderr)\nraise SystemExit(1)", Options{})
	if o := call(t, s, fst.Call{Hook: "render"}); o.Fault != fst.FailedExit || !strings.Contains(o.Stderr, "REDACTED") ||
		strings.Contains(o.Stderr, "hunter2") {
		t.Errorf("%+v", o)
	}
}

// FST-61: digests are of the exact bytes.
func TestDigests(t *testing.T) {
	const answer = `{"status":"ok",  "facts":{} }`
	s := python(t, saying(answer), Options{})
	c := fst.Call{Hook: "evaluate", Payload: map[string]any{"b": "é", "a": int64(1)}}
	line, _ := c.AppendLine(nil)
	o := call(t, s, c)
	entry, _ := os.ReadFile(filepath.Join(s.pack.Dir, "main.py"))
	if o.Input != canonical.Digest(line) || o.Output != canonical.Digest([]byte(answer+"\n")) || o.Entrypoint != canonical.Digest(entry) ||
		o.File != "main.py" {
		t.Errorf("%+v", o)
	}
}

func TestCallsThatAreNotSent(t *testing.T) {
	s := python(t, saying(`{"status":"ok","valid":true}`), Options{MaxLine: 1000})
	for want, c := range map[fst.Fault]fst.Call{
		fst.UnknownHook: {Hook: "VALIDATE"},
		fst.WrongType:   {Hook: "validate", ArtifactType: "b"},
		fst.BigPayload:  {Hook: "validate", Payload: map[string]any{"x": strings.Repeat("x", 1000)}},
		fst.BadPayload:  {Hook: "validate", Payload: map[string]any{"x": func() {}}},
	} {
		if o := call(t, s, c); o.Fault != want || o.Result.Status != "error" {
			t.Errorf("%v: got %v", want, o.Fault)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if o, _ := s.Call(ctx, fst.Call{Hook: "validate"}); o.Fault != fst.Canceled {
		t.Errorf("canceled: %v", o.Fault)
	}
}

// A pack that was trusted runs only as it was.
func TestPinned(t *testing.T) {
	need(t, "python3")
	dir := build(t, map[string]string{"main.py": saying(`{"status":"ok"}`), "lib/a.py": "x = 1\n"})
	digest, err := files.Tree(dir)
	if err != nil {
		t.Fatal(err)
	}
	run := func() fst.Fault {
		return call(t, open(t, dir).Session(Options{Pinned: digest}), fst.Call{Hook: "evaluate"}).Fault
	}
	if f := run(); f != "" {
		t.Fatal(f)
	}
	for _, name := range []string{"lib/b.py", "json.py", "lib/a.py", "lib/a.pyc"} { // a new file can shadow a module
		old, _ := os.ReadFile(filepath.Join(dir, name))
		os.WriteFile(filepath.Join(dir, name), append(old, "y = 2\n"...), 0o644)
		if f := run(); f != fst.Changed {
			t.Errorf("%s changed: %q", name, f)
		}
		if old == nil {
			os.Remove(filepath.Join(dir, name))
		} else {
			os.WriteFile(filepath.Join(dir, name), old, 0o644)
		}
	}
	os.Symlink("/etc/hosts", filepath.Join(dir, "link"))
	if f := run(); f != fst.Changed {
		t.Errorf("a link outwards: %q", f)
	}
}

func TestTypeScript(t *testing.T) {
	need(t, "node")
	ts := strings.NewReplacer("python_stdio", "js_ts_stdio", "python3, main.py", "node, main.ts").Replace(manifest)
	for name, c := range map[string]struct {
		files map[string]string
		want  fst.Fault
	}{
		"enum, decorator-free class, generics": {map[string]string{"main.ts": `
enum Status { ok = "ok" }
class Box<T> { constructor(private readonly value: T) {} get(): T { return this.value } }
import { createInterface } from "node:readline";
createInterface({ input: process.stdin }).on("line", (l: string) => console.log(JSON.stringify({ status: Status.ok, facts: { id: new Box<string>(JSON.parse(l).hook_id as string).get() } } satisfies object)));
`}, ""},
		"a package of its own": {map[string]string{
			"main.ts":                       `import { createRequire } from "node:module"; import x from "pkg"; process.stdin.once("data", () => console.log(JSON.stringify({ status: "ok", facts: { x } })));`,
			"node_modules/pkg/package.json": `{"main":"i.js"}`, "node_modules/pkg/i.js": `module.exports = require("path").sep.length;`}, ""},
		"syntax error":     {map[string]string{"main.ts": "let x: = 1"}, fst.Untranslated},
		"missing import":   {map[string]string{"main.ts": `import "./nothing"`}, fst.Untranslated},
		"import of a file": {map[string]string{"main.ts": `import x from "../outside"; console.log(x)`}, fst.Untranslated},
	} {
		t.Run(name, func(t *testing.T) {
			c.files[ManifestName] = ts
			dir := build(t, c.files)
			os.WriteFile(filepath.Join(filepath.Dir(dir), "outside.ts"), []byte("export default 1"), 0o644)
			s := open(t, dir).Session(Options{})
			defer s.Close()
			if o := call(t, s, fst.Call{Hook: "evaluate"}); o.Fault != c.want {
				t.Errorf("got %q: %v %s", o.Fault, o.Result.Diagnostics, o.Stderr)
			}
		})
	}
}

// FST-55: a session that goes on after its program has failed.
func TestSessionGoesOn(t *testing.T) {
	s := python(t, `import json, sys
for line in sys.stdin:
    payload = json.loads(line)["payload"]
    if payload.get("die"): raise SystemExit(1)
    print(json.dumps({"status": "ok", "facts": payload}), flush=True)
`, Options{})
	for i := range 20 {
		o, err := s.Call(context.Background(), fst.Call{Hook: "evaluate", Payload: map[string]any{"i": int64(i), "die": i%5 == 4}})
		if want := i%5 == 4; err != nil || (o.Fault == fst.FailedExit) != want || !want && o.Result.Facts["i"] != int64(i) {
			t.Fatalf("%d: %+v, %v", i, o, err)
		}
	}
	if s.Starts() != 8 { // what ends a program is tried once more with a new one
		t.Errorf("%d starts", s.Starts())
	}
	begin := time.Now()
	if err := s.Close(); err != nil || time.Since(begin) > 5*time.Second {
		t.Error(err)
	}
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte(manifest))
	f.Add([]byte("runtime: [\n- {a: b"))
	f.Add([]byte("? a\n: - - - b\n"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, ManifestName), data, 0o600); err != nil {
			t.Fatal(err)
		}
		if p, list := Open(dir); p == nil && len(list) == 0 {
			t.Fatal("refused without a word")
		}
	})
}

// FST-03: JavaScript of both kinds of modules runs as it is.
func TestJavaScript(t *testing.T) {
	need(t, "node")
	for file, code := range map[string]string{
		"main.js":  `require("readline").createInterface({ input: process.stdin }).on("line", (l) => console.log(JSON.stringify({ status: "ok", facts: { dir: process.cwd() } })));`,
		"main.mjs": `import { createInterface } from "node:readline"; createInterface({ input: process.stdin }).on("line", () => console.log(JSON.stringify({ status: "ok", facts: { dir: process.cwd() } })));`,
	} {
		s := open(t, build(t, map[string]string{file: code, ManifestName: strings.NewReplacer("python_stdio", "js_ts_stdio", "python3, main.py",
			"node, "+file).Replace(manifest)})).Session(Options{})
		if o := call(t, s, fst.Call{Hook: "evaluate"}); o.Fault != "" || o.Result.Facts["dir"] != s.pack.Dir || o.File != file {
			t.Errorf("%s: %+v", file, o)
		}
	}
}
