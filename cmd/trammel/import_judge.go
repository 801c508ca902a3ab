package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/importers"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/policytest"
)

// judgeImported has the engine judge the tests of an import by its hooks alone.
// A hook that lets a call pass which its rule should stop is taken away again,
// and its rule is reported as refused. If another imported rule decides about a
// call, the test expects that.
func judgeImported(ctx context.Context, r *importers.Result) error {
	for {
		loose, err := firstLoose(ctx, r)
		if loose == nil || err != nil {
			return err
		}
		r.Refuse(loose)
	}
}

// firstLoose is the first test of a call that passes and should not.
func firstLoose(ctx context.Context, r *importers.Result) (*importers.Test, error) {
	runner, project, done, err := alone(r.Rules().YAML())
	if err != nil {
		return nil, err
	}
	defer done()
	expected := make([]trammel.Decision, len(r.Tests))
	for i := range r.Tests {
		t := &r.Tests[i]
		judged, err := runner.Judge(ctx, project, &policytest.Case{On: "PreToolUse", Tool: t.Call.Tool, Input: t.Call.Arguments()})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		if judged.Verdict.Decision < t.Decision && !t.Masked {
			loose := *t
			return &loose, nil
		}
		expected[i] = judged.Verdict.Decision
	}
	for i, d := range expected {
		r.Tests[i].Decision = d
	}
	return nil, nil
}

// alone prepares to judge by one configuration and nothing else, in an empty
// project.
func alone(config string) (runner *policytest.Runner, project string, done func(), err error) {
	dir, err := os.MkdirTemp("", "trammel-alone-")
	if err != nil {
		return nil, "", nil, err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(dir)
		}
	}()
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, "", nil, err
	}
	sub := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"user", "project"} {
		if err := os.Mkdir(sub(name), 0o700); err != nil {
			return nil, "", nil, err
		}
	}
	if err := os.WriteFile(sub("user/trammel.yaml"), []byte(config), 0o600); err != nil {
		return nil, "", nil, err
	}
	p := full.New(trammel.Dirs{Machine: sub("machine"), User: sub("user"), State: sub("state"), Cache: sub("cache")})
	return &policytest.Runner{Program: &p.Program}, sub("project"), func() { _ = os.RemoveAll(dir) }, nil
}
