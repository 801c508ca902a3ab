// Mutants changes the product in small ways, one at a time, and runs the tests:
// a change that no test notices is a survivor. Survivors that do no harm are
// written down in justified.txt with the reason.
//
//	go run ./test/mutants -sample 200 ./plan ./evidence
//
// The changes: a statement is dropped, a condition is never or always true, one
// of its parts left out, an equality turned round, a comparison moved by one, a
// returned truth value flipped.
//
// All changes are compiled into the product at once, each behind a switch that
// the environment sets. Only tests that reach a change are asked about it.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/signal"
	"path"
	"slices"
	"strings"
	"sync"
)

// judged are the packages whose lines decide.
var judged = []string{".", "./effects/...", "./pipeline/...", "./plan", "./evidence/...", "./config/...", "./handlers/rule",
	"./internal/expression", "./policies/shellguard", "./policies/configprotection", "./policies/selfprotection",
	"./policies/pathguard", "./policies/netguard"}

// also are packages whose tests look at others from outside: at those below a
// directory, the nearest one counts. They are asked after a package's own.
var also = map[string][]string{
	".":                   {"./pipeline/..."},
	"approvals":           {"./approvals/...", "./handlers/approval", "./server"},
	"config":              {"./pipeline/...", "./test/rules", "./policytest/...", "./cmd/trammel"},
	"config/condition":    {"./config", "./handlers/rule", "./test/rules"},
	"effects":             {"./effects/...", "./policies/shellguard", "./test/rules"},
	"effects/match":       {"./test/rules", "./handlers/rule", "./policies/pathguard", "./policies/netguard"},
	"effects/model":       {"./effects", "./effects/match", "./test/rules", "./policies/shellguard"},
	"effects/paths":       {"./effects", "./policies/pathguard", "./test/rules", "./policies/shellguard"},
	"handlers/rule":       {"./test/rules"},
	"internal/expression": {"./config/condition"},
	"evidence":            {"./cmd/trammel"},
	"mcp":                 {"./mcp/..."},
	"packs":               {"./packs/..."},
	"pipeline":            {"./pipeline/...", "./cmd/trammel"},
	"plan":                {"./pipeline/...", "./config"},
	"policies":            nil,
	"policies/shellguard": {"./effects"},
	"server":              {"./server/...", "./console"},
	"tasks":               {"./tasks/..."},
}

// outcome is what became of a mutant.
type outcome string

const (
	killed     outcome = "killed"
	survived   outcome = "survived"
	notCovered outcome = "not covered" // no test gets there
	justified  outcome = "justified"
)

func main() {
	sample := flag.Int("sample", 0, "try only so many, chosen at random; 0 is all")
	seed := flag.Uint64("seed", 1, "which ones")
	jobs := flag.Int("jobs", 2, "how many at a time")
	again := flag.String("again", "", "only those that this file lists, which an earlier run has printed")
	own := flag.Bool("own", false, "ask only the tests of the package itself and, below effects, the rows of effects: much quicker")
	reasons := flag.String("justified", "test/mutants/justified.txt", "survivors that do no harm, each with the reason")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	patterns := flag.Args()
	if len(patterns) == 0 {
		patterns = judged
	}
	if *own { // the rows for all packages below effects are in effects
		also = map[string][]string{"effects": {"./effects"}}
	}
	dir, err := os.MkdirTemp("", "mutants-")
	if err == nil {
		err = run(ctx, dir, patterns, *sample, *seed, *jobs, *reasons, *again)
	}
	os.RemoveAll(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir string, patterns []string, sample int, seed uint64, jobs int, reasons, again string) error {
	known, err := readReasons(reasons)
	if err != nil {
		return err
	}
	p, err := weave(dir, patterns)
	if err != nil {
		return err
	}
	tests, err := p.compileAll(ctx, jobs)
	if err != nil {
		return err
	}
	all := p.mutants
	if again != "" {
		listed, err := os.ReadFile(again)
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(m mutant) bool { return !strings.Contains(string(listed), " "+m.key()+"\n") })
	}
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if sample > 0 && sample < len(all) {
		all = all[:sample]
	}
	var mu sync.Mutex
	counts := map[string]map[outcome]int{}
	left := 0
	inParallel(jobs, all, func(m mutant) {
		got := judge(ctx, m.id, tests[m.dir])
		if got != killed && known[m.key()] {
			got = justified
		}
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() != nil {
			return
		}
		if counts[m.dir] == nil {
			counts[m.dir] = map[outcome]int{}
		}
		if counts[m.dir][got]++; got == survived || got == notCovered {
			left++
			fmt.Printf("%s:%-4d %-11s %s\n", m.file, m.line, got, m.key())
		}
	})
	for _, dir := range slices.Sorted(maps.Keys(counts)) {
		n := counts[dir]
		fmt.Printf("%-30s %4d killed, %4d survived, %4d not covered, %4d justified\n", dir, n[killed], n[survived], n[notCovered], n[justified])
	}
	if left > 0 {
		return fmt.Errorf("%d mutants survived: write a test that notices, or a reason into %s", left, reasons)
	}
	return ctx.Err()
}

// compileAll compiles whose tests are asked, for each directory with mutants.
func (p *product) compileAll(ctx context.Context, jobs int) (map[string][]*program, error) {
	compiled := map[string]*program{}
	tests := map[string][]*program{}
	for _, m := range p.mutants {
		if tests[m.dir] != nil {
			continue
		}
		near := m.dir
		for _, known := also[near]; near != "." && !known; _, known = also[near] {
			near = path.Dir(near)
		}
		for _, pattern := range append([]string{"./" + m.dir}, also[near]...) {
			packages, err := list([]string{pattern})
			if err != nil {
				return nil, err
			}
			for _, pkg := range packages {
				if len(pkg.TestGoFiles)+len(pkg.XTestGoFiles) == 0 {
					continue
				}
				if compiled[pkg.ImportPath] == nil {
					if compiled[pkg.ImportPath], err = p.compile(ctx, pkg, jobs); err != nil {
						return nil, err
					}
				}
				if t := compiled[pkg.ImportPath]; !slices.Contains(tests[m.dir], t) {
					tests[m.dir] = append(tests[m.dir], t)
				}
			}
		}
	}
	return tests, nil
}

// judge asks one test program after another, until one notices.
func judge(ctx context.Context, mutant int, tests []*program) outcome {
	got := notCovered
	for _, t := range tests {
		reached, noticed := t.notices(ctx, mutant)
		if noticed {
			return killed
		}
		if reached {
			got = survived
		}
	}
	return got
}

// readReasons reads lines of the form "key # reason". A key without a reason
// does not count.
func readReasons(file string) (map[string]bool, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	known := map[string]bool{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		key, reason, ok := strings.Cut(lines.Text(), " # ")
		if ok && strings.TrimSpace(reason) != "" {
			known[strings.TrimSpace(key)] = true
		}
	}
	return known, lines.Err()
}
