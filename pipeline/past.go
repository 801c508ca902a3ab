package pipeline

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/past"
	"github.com/trammel-dev/trammel/internal/state"
)

// recall gives hooks access to what the session has done before, if a hook in
// force needs that. It is read only when a hook asks.
func (p *Program) recall(c *Config, ev *trammel.Event) {
	if c.Plan.Settings.Past != "" && ev.Past == nil && p.State != nil {
		ev.Past = state.PastOf(p.State, ev)
	}
}

// learn remembers what an allowed call does, for later calls. Whether it really
// ran is unknown, so we assume that it did.
func (p *Program) learn(ctx context.Context, j *Judged) error {
	v := j.Verdict
	if j.Plan.Settings.Past == "" || p.State == nil || v == nil || v.Decision == trammel.Deny || !j.Event.Kind.FailsClosed() {
		return nil
	}
	ev := j.Event
	if v.Event != nil {
		ev = v.Event // including rewrites
	}
	var sorts []trammel.PastSort
	for sort := range strings.FieldsSeq(j.Plan.Settings.Past) {
		sorts = append(sorts, trammel.PastSort(sort))
	}
	learned, memory := past.Of(ev, sorts), state.PastOf(p.State, ev)
	var failed error
	for _, sort := range slices.Sorted(maps.Keys(learned)) {
		failed = errors.Join(failed, memory.Add(ctx, sort, learned[sort]...))
	}
	return failed
}
