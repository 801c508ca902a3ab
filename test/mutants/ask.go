package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// unrelated are tests that look at the tree as it lies there, not at what the
// changed program does: they notice nothing and take long.
const unrelated = "TestCommandsOfThePages|TestManualPages|TestScripts$"

// program is the compiled tests of one package.
type program struct {
	path, dir string
	tests     []test
}

// test is one test function, and which mutants it reaches.
type test struct {
	name    string
	took    time.Duration
	reaches map[int]bool
}

// compile builds the tests of a package, and finds out what each of them
// reaches. Those that fail without any mutant are not asked.
func (p *product) compile(ctx context.Context, pkg listed, jobs int) (*program, error) {
	t := &program{path: filepath.Join(p.dir, strings.ReplaceAll(pkg.ImportPath, "/", "_")+".test"), dir: pkg.Dir}
	out, err := exec.CommandContext(ctx, "go", "test", "-c", "-overlay", p.overlay, "-o", t.path, pkg.ImportPath).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %s", pkg.ImportPath, out)
	}
	names, err := t.command(ctx, 0, "", "-test.list", "^(Test|Example|Fuzz)", "-test.skip", unrelated).Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pkg.ImportPath, err)
	}
	var mu sync.Mutex
	inParallel(jobs, strings.Fields(string(names)), func(name string) {
		reached := filepath.Join(p.dir, filepath.Base(t.path)+"."+name)
		if os.WriteFile(reached, nil, 0o600) != nil {
			return
		}
		start := time.Now()
		if err := t.command(ctx, -1, reached, "-test.run", "^"+name+"$", "-test.skip", unrelated).Run(); err != nil {
			fmt.Fprintf(os.Stderr, "mutants: %s fails without a mutant: it is not asked\n", name)
			return
		}
		one := test{name: name, took: time.Since(start), reaches: map[int]bool{}}
		text, _ := os.ReadFile(reached)
		for _, id := range strings.Fields(string(text)) {
			n, _ := strconv.Atoi(id)
			one.reaches[n] = true
		}
		mu.Lock()
		defer mu.Unlock()
		t.tests = append(t.tests, one)
	})
	slices.SortFunc(t.tests, func(a, b test) int { return int(a.took - b.took) })
	return t, ctx.Err()
}

func (t *program) command(ctx context.Context, mutant int, reached string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, t.path, args...)
	cmd.Dir = t.dir
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "TRAMMEL_MUTANT="+strconv.Itoa(mutant), "TRAMMEL_MUTANTS_REACHED="+reached)
	return cmd
}

// notices asks the tests that reach a mutant, the quickest ones first. One that
// takes much longer than without it has noticed, too.
func (t *program) notices(ctx context.Context, mutant int) (reached, noticed bool) {
	var names []string
	var took time.Duration
	ask := func() bool {
		run, stop := context.WithTimeout(ctx, 10*time.Second+5*took)
		defer stop()
		return t.command(run, mutant, "", "-test.failfast", "-test.run", "^("+strings.Join(names, "|")+")$").Run() != nil
	}
	for _, one := range t.tests {
		if !one.reaches[mutant] {
			continue
		}
		reached = true
		names, took = append(names, one.name), took+one.took
		if took > time.Second {
			if ask() {
				return true, true
			}
			names, took = nil, 0
		}
	}
	return reached, len(names) > 0 && ask()
}

// inParallel does something to each of a list, so many at a time.
func inParallel[T any](jobs int, list []T, do func(T)) {
	var workers sync.WaitGroup
	next := make(chan T)
	for range jobs {
		workers.Go(func() {
			for one := range next {
				do(one)
			}
		})
	}
	for _, one := range list {
		next <- one
	}
	close(next)
	workers.Wait()
}
