//go:build unix

package packs

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
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
		{"leaves children", read + "subprocess.Popen(['sleep', '1000'])\n", "20000", fst.EarlyExit},
		{"floods 1 GB", "import sys\nfor _ in range(1024): sys.stdout.write('x' * (1 << 20))", "20000", fst.TooLong},
		{"two lines", read + "sys.stdout.write('{\"status\":\"ok\"}\\n{\"status\":\"ok\"}\\n')", "20000", fst.TwoLines},
		{"noise", read + "print('Loading model...')\nprint('{\"status\":\"ok\"}')", "20000", fst.NotJSON},
		{"dies in the middle of a line", read + "sys.stdout.write('{\"status\":')\nsys.stdout.flush()\nos._exit(1)", "20000", fst.CutOff},
		{"closes its output", read + "os.close(1)\ntime.sleep(1000)", "20000", fst.Closed},
		{"takes too much memory", read + "x = bytearray(2 << 30)", "20000", fst.FailedExit},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := build(t, map[string]string{"main.py": c.code, ManifestName: strings.Replace(manifest, "5000", c.timeout, 1)})
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
			for end := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
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
