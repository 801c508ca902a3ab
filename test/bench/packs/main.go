// Command packs measures what keeping a pack's program alive is worth: 10,000
// calls through one program, and in between, in the same run, calls that each
// start one. It fails if the first are not 20 times as many a second, or if the
// memory of either side grows.
//
//	go run ./test/bench/packs
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/dialects/fst"
	"github.com/trammel-dev/trammel/packs"
)

const (
	calls   = 10_000
	every   = 200 // kept-alive calls between two that start a program
	atLeast = 20.0
)

const manifest = `runtime: {id: bench, kind: %s, command: [%s, %s], timeout_ms: 30000}
contract: {input_protocol: fst.hook.call.v1, output_protocol: fst.hook.result.v1}
hooks: [{id: evaluate, type: condition.evaluate, description: Says how much memory it uses.}]
`

var programs = []struct{ name, kind, command, file, code string }{
	{"python", packs.Python, "python3", "main.py", `import json, sys
for line in sys.stdin:
    call = json.loads(line)
    rss = int(open("/proc/self/statm").read().split()[1]) * 4 if call["payload"]["n"] % 1000 == 0 else 0
    print(json.dumps({"status": "ok", "facts": {"n": call["payload"]["n"], "kb": rss}, "call_id": call.get("call_id")}), flush=True)
`},
	{"node", packs.Node, "node", "main.js", `require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { call_id, payload: { n } } = JSON.parse(line);
  const kb = n % 1000 === 0 ? Math.round(process.memoryUsage().rss / 1024) : 0;
  process.stdout.write(JSON.stringify({ status: "ok", facts: { n, kb }, call_id }) + "\n");
});
`},
	{"typescript", packs.Node, "node", "main.ts", `import { createInterface } from "node:readline";
createInterface({ input: process.stdin }).on("line", (line: string) => {
  const { call_id, payload: { n } } = JSON.parse(line) as { call_id?: string; payload: { n: number } };
  const kb: number = n % 1000 === 0 ? Math.round(process.memoryUsage().rss / 1024) : 0;
  process.stdout.write(JSON.stringify({ status: "ok", facts: { n, kb }, call_id }) + "\n");
});
`},
}

func main() {
	direct()
	good := true
	for _, p := range programs {
		if _, err := exec.LookPath(p.command); err != nil {
			fmt.Printf("%-10s  skipped: %s is missing\n", p.name, p.command)
			continue
		}
		ok, err := measure(p.name, fmt.Sprintf(manifest, p.kind, p.command, p.file), p.file, p.code)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", p.name, err)
		}
		good = good && ok && err == nil
	}
	if !good {
		os.Exit(1)
	}
}

// direct puts the real Python first: what stands in for it on some machines, to
// choose a version, takes longer to start than it does.
func direct() {
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if real := strings.TrimSpace(string(out)); err == nil && real != "" {
		os.Setenv("PATH", filepath.Dir(real)+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
}

func measure(name, manifest, file, code string) (bool, error) {
	dir, err := os.MkdirTemp("", "bench-packs-*")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	for path, text := range map[string]string{packs.ManifestName: manifest, file: code} {
		if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600); err != nil {
			return false, err
		}
	}
	p, list := packs.Open(dir)
	if p == nil {
		return false, fmt.Errorf("%v", list)
	}
	s := p.Session(packs.Options{})
	defer s.Close()
	var kept, single time.Duration
	var singles int
	var theirs, ours []int64
	for n := range calls {
		took, facts, err := timed(s.Call, n)
		if err != nil {
			return false, err
		}
		kept += took
		if kb, _ := facts["kb"].(int64); kb > 0 {
			theirs, ours = append(theirs, kb), append(ours, heap())
		}
		if n%every == 0 {
			one := p.Session(packs.Options{})
			took, _, err := timed(one.Last, n)
			one.Close()
			if err != nil {
				return false, err
			}
			single += took
			singles++
		}
	}
	keptRate, singleRate := calls/kept.Seconds(), float64(singles)/single.Seconds()
	fmt.Printf("%-10s  kept alive %8.0f calls/s   process per call %6.1f calls/s   %5.0f times   starts %d   program %d → %d kB   ours %d → "+
		"%d kB\n",
		name, keptRate, singleRate, keptRate/singleRate, s.Starts(), theirs[1], theirs[len(theirs)-1], ours[1], ours[len(ours)-1])
	flat := theirs[len(theirs)-1] < theirs[1]*3/2 && ours[len(ours)-1] < ours[1]*3/2+1024
	return keptRate >= atLeast*singleRate && flat && s.Starts() == 1, nil
}

func timed(call func(context.Context, fst.Call) (packs.Outcome, error), n int) (time.Duration, map[string]any, error) {
	begin := time.Now()
	o, err := call(context.Background(), fst.Call{Hook: "evaluate", Run: "run", Payload: map[string]any{"n": int64(n)}})
	took := time.Since(begin)
	switch {
	case err != nil:
		return 0, nil, err
	case o.Fault != "":
		return 0, nil, fmt.Errorf("call %d: %v: %s", n, o.Fault, o.Stderr)
	case o.Result.Facts["n"] != int64(n):
		return 0, nil, fmt.Errorf("call %d: answered %v", n, o.Result.Facts)
	}
	return took, o.Result.Facts, nil
}

// heap is what is in use after the collector has run, in kB.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse / 1024)
}
