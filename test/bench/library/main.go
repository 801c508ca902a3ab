// Command library runs the benchmarks of the engine as a library and holds
// them to the limits in limits.txt. The best of several runs counts: what is
// asked is what the code costs, not what else the machine was doing.
package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

//go:embed limits.txt
var limits string

var line = regexp.MustCompile(`^(Benchmark\S+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op\s+\d+ B/op\s+(\d+) allocs/op`)

type cost struct{ ns, allocs float64 }

func main() {
	cmd := exec.Command("go", "test", "-run", "^$", "-bench", "^BenchmarkDispatch$", "-count", "6", "-benchtime", "0.5s",
		"./test/bench/library")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		fmt.Fprintf(os.Stderr, "library: %v\n%s", err, out)
		os.Exit(1)
	}
	best := map[string]cost{}
	for text := range strings.Lines(string(out)) {
		if m := line.FindStringSubmatch(text); m != nil {
			ns, _ := strconv.ParseFloat(m[2], 64)
			allocs, _ := strconv.ParseFloat(m[3], 64)
			if old, ok := best[m[1]]; !ok || ns < old.ns {
				best[m[1]] = cost{ns, allocs}
			}
		}
	}
	if !within(best) {
		os.Exit(1)
	}
}

func within(best map[string]cost) bool {
	fmt.Printf("%-36s %10s %10s %8s %8s\n", "", "ns/op", "limit", "allocs", "limit")
	ok := true
	scan := bufio.NewScanner(strings.NewReader(limits))
	for scan.Scan() {
		var name string
		var limit cost
		if _, err := fmt.Sscan(scan.Text(), &name, &limit.ns, &limit.allocs); err != nil {
			continue // a comment
		}
		got, ran := best[name]
		verdict := ""
		if !ran || got.ns > limit.ns || got.allocs > limit.allocs {
			ok, verdict = false, "  too much"
		}
		fmt.Printf("%-36s %10.0f %10.0f %8.0f %8.0f%s\n", name, got.ns, limit.ns, got.allocs, limit.allocs, verdict)
	}
	for name, got := range best {
		if !strings.Contains(limits, name) {
			fmt.Printf("%-36s %10.0f %10s %8.0f %8s\n", name, got.ns, "-", got.allocs, "-")
		}
	}
	return ok
}
