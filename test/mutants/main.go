// Mutants changes the product in small ways, one at a time, and runs the tests:
// a change that no test notices is a survivor. Survivors that do no harm are
// written down in justified.txt with the reason.
//
//	go run ./test/mutants -sample 200 ./plan ./evidence
//
// The changes: a statement is dropped, a condition negated, an operator
// exchanged, a comparison moved by one, a returned truth value flipped.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// judged are the packages whose lines decide.
var judged = []string{".", "./effects/...", "./pipeline/...", "./plan", "./evidence/...", "./config", "./handlers/rule",
	"./policies/shellguard", "./policies/configprotection", "./policies/selfprotection", "./policies/pathguard", "./policies/netguard"}

// also are packages whose tests look at another package from outside.
var also = map[string][]string{
	"effects":  {"./effects/...", "./policies/shellguard"},
	"pipeline": {"./pipeline/...", "./cmd/trammel"},
	".":        {"./pipeline/..."},
}

func main() {
	sample := flag.Int("sample", 0, "try only so many, chosen at random; 0 is all")
	seed := flag.Uint64("seed", 1, "which ones")
	jobs := flag.Int("jobs", 2, "how many at a time")
	reasons := flag.String("justified", "test/mutants/justified.txt", "survivors that do no harm, each with the reason")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	patterns := flag.Args()
	if len(patterns) == 0 {
		patterns = judged
	}
	if err := run(ctx, patterns, *sample, *seed, *jobs, *reasons); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// candidate is a mutant, and whose tests are asked.
type candidate struct {
	mutant
	rel   string
	tests []string
}

func run(ctx context.Context, patterns []string, sample int, seed uint64, jobs int, reasons string) error {
	all, err := candidates(patterns)
	if err != nil {
		return err
	}
	known, err := readReasons(reasons)
	if err != nil {
		return err
	}
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if sample > 0 && sample < len(all) {
		all = all[:sample]
	}
	var mu sync.Mutex
	var workers sync.WaitGroup
	count := map[outcome]int{}
	next := make(chan *candidate)
	for range jobs {
		workers.Go(func() {
			for c := range next {
				got, err := try(ctx, &c.mutant, c.tests)
				if err != nil {
					continue
				}
				if got == survived && known[c.key(c.rel)] {
					got = justified
				}
				mu.Lock()
				if count[got]++; got == survived {
					fmt.Printf("%s:%d  %s\n", c.rel, c.line, c.key(c.rel))
				}
				progress(count, len(all))
				mu.Unlock()
			}
		})
	}
	for i := range all {
		if ctx.Err() == nil {
			next <- &all[i]
		}
	}
	close(next)
	workers.Wait()
	fmt.Printf("%d killed, %d survived, %d justified, %d do not compile\n", count[killed], count[survived], count[justified], count[unusable])
	if count[survived] > 0 {
		return fmt.Errorf("%d mutants survived: write a test that notices, or a reason into %s", count[survived], reasons)
	}
	return ctx.Err()
}

func candidates(patterns []string) ([]candidate, error) {
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	out, err := exec.Command("go", append([]string{"list", "-f", `{{.Dir}} {{join .GoFiles " "}}`}, patterns...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []candidate
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		dir, err := filepath.Rel(root, words[0])
		if err != nil {
			return nil, err
		}
		tests := []string{"./" + dir}
		top, _, _ := strings.Cut(filepath.ToSlash(dir), "/")
		for _, t := range also[top] {
			if !slices.Contains(tests, t) {
				tests = append(tests, t)
			}
		}
		for _, name := range words[1:] {
			found, err := mutantsOf(filepath.Join(words[0], name))
			if err != nil {
				return nil, err
			}
			for _, m := range found {
				all = append(all, candidate{m, filepath.ToSlash(filepath.Join(dir, name)), tests})
			}
		}
	}
	return all, nil
}

// readReasons reads lines of the form "key # reason". A key without a reason
// does not count.
func readReasons(path string) (map[string]bool, error) {
	f, err := os.Open(path)
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

// progress draws one line on a terminal, and nothing elsewhere.
func progress(count map[outcome]int, all int) {
	if info, err := os.Stderr.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return
	}
	done := 0
	for _, n := range count {
		done += n
	}
	fmt.Fprintf(os.Stderr, "\r%d of %d, %d survived ", done, all, count[survived])
}
