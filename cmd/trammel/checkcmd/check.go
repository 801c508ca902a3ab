package checkcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/install"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/policytest"
)

// check examines the project of a directory.
type check struct {
	*Report
	*full.Program
	set *layers.Set
	dir string
	// trusted is the digest that a person has seen, "" if none was named.
	trusted string
	// starts: hooks of the project start programs.
	starts bool
}

// run checks all areas. The error says why a project cannot be checked.
func (c *check) run(ctx context.Context) (err error) {
	c.root = layers.Root(c.Dirs, c.dir)
	if c.set, err = layers.Find(c.Dirs, c.dir); err != nil {
		return err
	}
	c.root = c.set.Root
	if !c.configured() && !files.IsDir(filepath.Join(c.root, ".git")) && !files.Is(filepath.Join(c.root, ".git")) {
		if !c.wiring() {
			return fmt.Errorf("%s is no project: it has no %s, no .git and no wiring", c.root, layers.FileName)
		}
		return nil
	}
	compiles, err := c.rules()
	if err != nil {
		return err
	}
	if compiles {
		if err := c.trust(); err != nil {
			return err
		}
		if err := c.tests(ctx); err != nil {
			return err
		}
	}
	wired := c.wiring()
	if !c.configured() && !wired && len(c.Passed)+len(c.Findings) == 0 {
		return fmt.Errorf("%s has no %s, no policy tests and no wiring", c.root, layers.FileName)
	}
	return nil
}

// configured reports whether the project has a configuration of its own.
func (c *check) configured() bool {
	for i := range c.set.Files {
		if c.set.Files[i].Layer == layers.Project {
			return true
		}
	}
	return false
}

// rules compiles and lints the project's files as if they were trusted, and
// reports whether they compile.
func (c *check) rules() (bool, error) {
	found, err := config.Lint(c.set.Trusting(), c.Known())
	wrong := (*config.Errors)(nil)
	if err != nil && !errors.As(err, &wrong) {
		return false, err
	}
	for _, f := range found {
		if !f.Note { // the report is the same on every machine
			c.add(Rules, f)
		}
	}
	if wrong == nil {
		return true, nil
	}
	for _, e := range wrong.List {
		c.add(Rules, config.Finding{Code: cmp.Or(e.Code, config.BrokenFinding), File: e.File, Line: e.Line, Column: e.Column, Message: e.Brief()})
	}
	return false, nil
}

// trust compares the project with what a person has trusted: here, or by the
// digest that was named.
func (c *check) trust() error {
	if !c.configured() {
		return nil
	}
	seen, err := config.Review(c.Dirs, c.dir, c.Known())
	if err != nil {
		return err
	}
	c.Digest, c.starts = seen.Digest, len(seen.Commands) > 0
	switch {
	case c.trusted == seen.Digest:
		return seen.Accept(time.Now())
	case c.trusted != "":
		c.add(Trust, config.Finding{Code: "untrusted", File: filepath.Join(seen.Dir, layers.FileName),
			Message: fmt.Sprintf("what the project declares and starts has the digest %s, but %s is trusted", seen.Digest, c.trusted),
			Fix:     "read the change, then change " + trustVariable + " outside of the checkout"})
	case !c.Isolated:
		for _, n := range c.set.Notes {
			c.add(Trust, config.Finding{Code: string(n.Code), File: n.Path, Line: n.Line, Message: n.Text})
		}
	}
	return nil
}

// tests runs the policy tests of the project.
func (c *check) tests(ctx context.Context) error {
	found, err := policytest.Find(c.root)
	if err != nil {
		return err
	}
	rules := policytest.Rules{Program: c.Program}
	runner := policytest.Runner{Program: &c.Program.Program, Rules: &rules}
	for _, file := range found {
		cases, err := policytest.Read(file)
		if err != nil {
			f := config.Finding{Code: "broken-test", File: file, Message: strings.TrimPrefix(err.Error(), file+": ")}
			if all, ok := errors.AsType[*config.Errors](err); ok {
				f.Line, f.Column, f.Message = all.List[0].Line, all.List[0].Column, all.List[0].Brief()
			}
			c.add(Tests, f)
			continue
		}
		for i := range cases {
			res := runner.Run(ctx, file, &cases[i])
			if res.Passed() {
				c.Passed = append(c.Passed, res.Name)
				continue
			}
			c.add(Tests, config.Finding{Code: "failed-test", File: file, Message: fmt.Sprintf("%q: %s", res.Name, differences(&res)), Fix: c.hint()})
		}
	}
	return nil
}

// hint says that an untrusted hook does not run in tests either.
func (c *check) hint() string {
	if c.Isolated && c.starts && c.trusted != c.Digest {
		return "hooks that start programs are tested if " + trustVariable + " is " + c.Digest
	}
	return ""
}

func differences(r *policytest.Result) string {
	if r.Err != "" {
		return r.Err
	}
	var out []string
	for _, d := range r.Diff {
		out = append(out, fmt.Sprintf("%s is %q, expected %q", d.What, d.Got, d.Want))
	}
	return strings.Join(out, "; ")
}

// wiring compares the project's settings of every agent with what init would
// write, and reports whether there are any of ours.
func (c *check) wiring() (wired bool) {
	env := install.Env{Home: c.root, State: c.Dirs.State, GOOS: runtime.GOOS, Getenv: func(string) string { return "" },
		LookPath: func(string) (string, error) { return "", os.ErrNotExist }}
	if env.Root = string(filepath.Separator); c.Isolated {
		env.Root = c.Dirs.State // an administrator's locks belong to this machine, not to the project
	}
	opts := install.Options{Scope: install.Project, Project: c.root}
	for _, h := range install.Hosts() {
		r, err := install.Status(env, h.System, opts)
		if err != nil || r.State == install.NotWired && !install.Recorded(env, h.System, opts) {
			continue // it has no such scope, or nothing of ours
		}
		wired = true
		add := func(code, path, what string) {
			c.add(Wiring, config.Finding{Code: code, File: path, Message: h.System + ": " + cli.Shorten(what, 400),
				Fix: "trammel init " + h.System + " --scope project"})
		}
		if r.State == install.NotWired {
			add("wiring-drift", r.Checks[0].Path, "init has wired it here, but the wiring is gone; use trammel uninstall to remove it")
			continue
		}
		for _, found := range r.Checks {
			if found.OK || found.Name == "hook" {
				continue
			}
			code := "wiring-drift"
			if found.Name == "enabled" {
				code = "hooks-disabled"
			}
			add(code, found.Path, found.Detail)
		}
	}
	return wired
}
