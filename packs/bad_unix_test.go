//go:build unix

package packs

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/dialects/fst"
)

// FST-53, FST-54: real programs that behave badly: the same outcome, digests
// included, each time, and no process left in the pack's directory.
func TestBadPrograms(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes are counted in /proc")
	}
	need(t, "python3")
	runs := 4
	if os.Getenv("TRAMMEL_SOAK") != "" {
		runs = 100
	}
	const read = "import os, signal, subprocess, sys, time\nsys.stdin.readline()\n"
	for _, c := range []struct {
		name, code string
		timeout    string
		want       fst.Fault
	}{
		{"hangs", read + "time.sleep(1000)", "150", fst.Timeout},
		{"ignores SIGTERM", read + "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(1000)", "150", fst.Timeout},
		{"forks children", read + "[os.fork() for _ in range(3)]\ntime.sleep(1000)", "150", fst.Timeout},
		{"leaves children", read + "subprocess.Popen(['sleep', '1000'])\n", "60000", fst.EarlyExit},
		{"floods 1 GB", "import sys\nfor _ in range(1024): sys.stdout.write('x' * (1 << 20))", "60000", fst.TooLong},
		{"two lines", read + "sys.stdout.write('{\"status\":\"ok\"}\\n{\"status\":\"ok\"}\\n')", "60000", fst.TwoLines},
		{"noise", read + "print('Loading model...')\nprint('{\"status\":\"ok\"}')", "60000", fst.NotJSON},
		{"dies in the middle of a line", read + "sys.stdout.write('{\"status\":')\nsys.stdout.flush()\nos._exit(1)", "60000", fst.CutOff},
		{"closes its output", read + "os.close(1)\ntime.sleep(1000)", "60000", fst.Closed},
		{"takes too much memory", read + "x = bytearray(2 << 30)", "60000", fst.FailedExit},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := build(t, map[string]string{"main.py": c.code, ManifestName: strings.Replace(manifest, "60000", c.timeout, 1)})
			p := open(t, dir)
			var first Outcome
			for i := range runs {
				o := call(t, p.Session(Options{}), fst.Call{Hook: "evaluate"})
				o.Micros, o.Stderr = 0, ""
				if i == 0 {
					first = o
				}
				if o.Fault != c.want || !reflect.DeepEqual(o, first) {
					t.Fatalf("run %d: %q, %+v", i, o.Fault, o.Result)
				}
			}
			for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
				if n := inside(p.Dir); n == 0 {
					break
				} else if time.Now().After(end) {
					t.Fatalf("%d processes are left", n)
				}
			}
		})
	}
}

// inside counts the processes that run in a directory.
func inside(dir string) (n int) {
	links, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, l := range links {
		if to, err := os.Readlink(l); err == nil && to == dir {
			n++
		}
	}
	return n
}

// FST-05: a manifest is a file of the pack. A pipe is refused and not waited
// for, also where the process manifest stands.
func TestManifestIsAFileOfThePack(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "hooks.yaml")
	os.WriteFile(outside, []byte(manifest), 0o600)
	for name, put := range map[string]func(path string) error{
		"a link that leads out": func(path string) error { return os.Symlink(outside, path) },
		"a pipe":                func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a link to a pipe": func(path string) error {
			return errors.Join(syscall.Mkfifo(path+".p", 0o600), os.Symlink(path+".p", path))
		},
		"a directory": func(path string) error { return os.Mkdir(path, 0o700) },
		"a device":    func(path string) error { return os.Symlink("/dev/zero", path) },
	} {
		for _, file := range []string{ManifestName, processName} {
			dir := build(t, map[string]string{"main.py": "", ManifestName: manifest})
			path := filepath.Join(dir, file)
			os.Remove(path)
			if err := put(path); err != nil {
				t.Fatal(err)
			}
			opened := make(chan []Diagnostic, 1)
			go func() {
				_, list := Open(dir)
				opened <- list
			}()
			select {
			case list := <-opened:
				if len(list) == 0 || list[0].Code != "manifest_unreadable" || list[0].Path != file {
					t.Errorf("%s as %s: %v", name, file, list)
				}
			case <-time.After(time.Minute):
				t.Fatalf("%s as %s: still waiting", name, file)
			}
		}
	}
}

// FST-05: a path that goes up and back stays in the pack, and what runs is what
// was checked, also where a link stands in between.
func TestUpAndBack(t *testing.T) {
	elsewhere := t.TempDir()
	os.Mkdir(filepath.Join(elsewhere, "sub"), 0o700)
	os.WriteFile(filepath.Join(elsewhere, "main.py"), []byte("print('{\"status\":\"ok\",\"facts\":{\"bad\":true}}')"), 0o600)
	dir := build(t, map[string]string{"main.py": "print('{\"status\":\"ok\",\"facts\":{}}')",
		ManifestName: strings.Replace(manifest, "main.py", "sub/../main.py", 1)})
	os.Symlink(filepath.Join(elsewhere, "sub"), filepath.Join(dir, "sub"))
	p := open(t, dir)
	if o := call(t, p.Session(Options{}), fst.Call{Hook: "evaluate"}); o.Fault != "" || o.Result.Facts["bad"] != nil ||
		p.Entrypoint != "main.py" {
		t.Errorf("%+v", o)
	}
}

// FST-50, FST-54, FST-55: what a program does after its result is noticed, and
// is never taken for the next.
func TestAfterTheResult(t *testing.T) {
	const result = "call = json.loads(line)\n" +
		"    said = json.dumps({'status': 'ok', 'facts': call['payload'], 'call_id': call.get('call_id')})\n    print(said, flush=True)\n"
	for name, c := range map[string]struct {
		then string
		want fst.Fault
	}{
		"an exit code":          {"    os._exit(3)", fst.FailedExit},
		"a signal":              {"    os.kill(os.getpid(), 11)", fst.Signaled},
		"a second line, late":   {"    time.sleep(0.4); print(said, flush=True)", fst.TwoLines},
		"an exit code, later":   {"    time.sleep(0.4); os._exit(3)", fst.FailedExit},
		"nothing, but it stays": {"time.sleep(1000)", fst.Lingers},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code := "import json, os, sys, time\nfor line in sys.stdin:\n    " + result + c.then + "\n"
			text := manifest
			if c.want == fst.Lingers {
				text = strings.Replace(manifest, "60000", "4000", 1)
			}
			s := open(t, build(t, map[string]string{"main.py": code, ManifestName: text})).Session(Options{})
			o, err := s.Last(t.Context(), fst.Call{Hook: "evaluate", Payload: map[string]any{"i": int64(0)}})
			if err != nil || o.Fault != c.want {
				t.Errorf("the last call: %q, %v", o.Fault, err)
			}
			for i := range 5 {
				o, err := s.Call(t.Context(), fst.Call{Hook: "evaluate", Payload: map[string]any{"i": int64(i)}})
				if err != nil || o.Fault != "" || o.Result.Facts["i"] != int64(i) {
					t.Errorf("call %d: %+v, %v", i, o.Result, err)
				}
			}
			if err := s.Close(); (err != nil) != (c.want == fst.TwoLines) {
				t.Errorf("at the end: %v", err)
			}
		})
	}
}
