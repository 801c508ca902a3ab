package repohooks

import (
	"context"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/pipeline"
)

// people has people decide what the hooks ask about a call, where the
// configuration wants that and the caller has nobody to ask. It returns the
// verdict for the result: those who asked say in it what people have said.
func (r *Runner) people(ctx context.Context, at *place, judged *pipeline.Judged) (*trammel.Verdict, error) {
	v := judged.Verdict
	if r.HasPerson || !judged.ForPeople() {
		return v, nil
	}
	if err := at.People(ctx, judged); err != nil {
		return nil, err
	}
	said := *v
	said.Runs = slices.Clone(v.Runs)
	for i := range said.Runs {
		if a := &said.Runs[i].Answer; a.Decision == trammel.Ask {
			a.Decision, a.Reason, a.Signals = v.Decision, v.Reason, nil
		}
	}
	return &said, nil
}
