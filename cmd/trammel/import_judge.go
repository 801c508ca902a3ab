package main

import (
	"context"
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/cmd/trammel/cli"
	"github.com/trammel-dev/trammel/importers"
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
	runner, project, done, err := cli.Alone(r.Rules().YAML())
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
