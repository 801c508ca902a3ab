package packs

import (
	"context"
	"fmt"
	"os"
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
			dir := build(t, map[string]string{"main.py": c.body, ManifestName: strings.Replace(manifest, "60000", "700", 1)})
			if c.want != fst.Timeout {
				dir = build(t, map[string]string{"main.py": c.body, ManifestName: strings.Replace(manifest, "60000", "30000", 1)})
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

// FST-34: a failure that a hook reports itself counts, in the hook's own words.
// FST-42: the caller says where a failure leads.
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
    print(json.dumps({"status": "ok", "facts": {"env": dict(os.environ), "dir": os.getcwd(),
        "fds": fds[:-1], "call": json.loads(line)}}), flush=True)
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
createInterface({ input: process.stdin }).on("line", (l: string) => console.log(JSON.stringify({ status: Status.ok,
  facts: { id: new Box<string>(JSON.parse(l).hook_id as string).get() } } satisfies object)));
`}, ""},
		"a package of its own": {map[string]string{
			"main.ts": `import { createRequire } from "node:module"; import x from "pkg"; process.stdin.once("data",` +
				` () => console.log(JSON.stringify({ status: "ok", facts: { x } })));`,
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
    call = json.loads(line)
    payload = call["payload"]
    if payload.get("die"): raise SystemExit(1)
    print(json.dumps({"status": "ok", "facts": payload, "call_id": call["call_id"]}), flush=True)
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
	if err := s.Close(); err != nil || time.Since(begin) > time.Minute {
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
		"main.js": `require("readline").createInterface({ input: process.stdin }).on("line", (l) => console.log(JSON.stringify({ status: "ok",` +
			` facts: { dir: process.cwd() } })));`,
		"main.mjs": `import { createInterface } from "node:readline"; createInterface({ input: process.stdin }).on("line",` +
			` () => console.log(JSON.stringify({ status: "ok", facts: { dir: process.cwd() } })));`,
	} {
		s := open(t, build(t, map[string]string{file: code, ManifestName: strings.NewReplacer("python_stdio", "js_ts_stdio", "python3, main.py",
			"node, "+file).Replace(manifest)})).Session(Options{})
		if o := call(t, s, fst.Call{Hook: "evaluate"}); o.Fault != "" || o.Result.Facts["dir"] != s.pack.Dir || o.File != file {
			t.Errorf("%s: %+v", file, o)
		}
	}
}
