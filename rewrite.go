package trammel

import (
	"maps"
	"reflect"
	"slices"
)

// mergeAll merges runs that were asked about the same call. Of two that rewrite
// the same argument the first counts, and the other is asked again: what it
// said was about another value.
func (d *dispatch) mergeAll(runs []Run) {
	var taken []string
	for i := range runs {
		r := &runs[i]
		keys := r.Answer.keys()
		if slices.ContainsFunc(keys, func(key string) bool { return slices.Contains(taken, key) }) {
			r.dropped = true
			if r.Answer.Decision == Deny {
				d.verdict.merge(r, r.bound.authority)
			}
			continue
		}
		if d.changes(&r.Answer) {
			taken = append(taken, keys...)
		}
		d.take(r)
	}
}

// take merges a run into the verdict and applies what it rewrites.
func (d *dispatch) take(r *Run) {
	if r.Code == CodeCanceled {
		d.verdict.Canceled = true
		return
	}
	d.verdict.merge(r, r.bound.authority)
	if r.Code == "" {
		d.rewrite(r)
		d.learn(r)
	}
}

// rewrite applies what an answer rewrites, so that the hooks after it see it.
func (d *dispatch) rewrite(r *Run) {
	a := &r.Answer
	if !a.Rewrites() {
		return
	}
	if d.changes(a) {
		d.version++
		r.changed = true
		if r.bound.waits {
			r.saw = d.version
		}
	}
	d.rewritten = true
	if a.Input != nil {
		d.verdict.Input = patched(d.verdict.Input, a.Input)
	}
	if a.Output != nil {
		d.verdict.Output = a.Output
	}
	d.work.memo = &memo{}
	if text, ok := a.Input["prompt"].(string); ok && d.work.Prompt != nil {
		prompt := *d.work.Prompt
		prompt.Text = text
		d.work.Prompt = &prompt
	}
	if d.work.Model != nil {
		model := *d.work.Model
		if list, ok := a.Input["messages"].([]any); ok {
			model.Messages = list
		}
		if a.Output != nil && d.work.Tool == nil {
			model.Response = *a.Output
		}
		d.work.Model = &model
	}
	if d.work.Tool == nil {
		return
	}
	tool := *d.work.Tool
	if a.Output != nil {
		tool.Output = *a.Output
	}
	if len(a.Input) > 0 {
		tool.Input = patched(tool.Input, a.Input)
		tool.Action = d.work.Tools.Action(&tool)
	}
	d.work.Tool = &tool
	d.cand = d.index.candidates(&d.work)
}

// learn makes a hook's facts visible to the hooks after it.
func (d *dispatch) learn(r *Run) {
	if len(r.Answer.Facts) == 0 {
		return
	}
	facts := maps.Clone(d.work.Facts)
	if facts == nil {
		facts = make(map[string]map[string]any, 1)
	}
	facts[r.Hook.ID] = r.Answer.Facts
	d.work.Facts = facts
}

// Rewrites reports whether the answer has a rewrite in it, be it one that
// changes nothing.
func (a *Answer) Rewrites() bool { return a.Input != nil || a.Output != nil }

// keys names what the answer rewrites: arguments, and "" for the output.
func (a *Answer) keys() []string {
	if !a.Rewrites() {
		return nil
	}
	keys := slices.Collect(maps.Keys(a.Input))
	if a.Output != nil {
		keys = append(keys, "")
	}
	return keys
}

// changes reports whether an answer changes the call as it stands now.
func (d *dispatch) changes(a *Answer) bool {
	if a.Output != nil {
		if now, known := d.output(); !known || now != *a.Output {
			return true
		}
	}
	for key, value := range a.Input {
		if now, known := d.argument(key); !known || !reflect.DeepEqual(now, value) {
			return true
		}
	}
	return false
}

func (d *dispatch) output() (text string, known bool) {
	switch {
	case d.work.Tool != nil:
		return d.work.Tool.Output, true
	case d.work.Model != nil:
		return d.work.Model.Response, true
	case d.verdict.Output != nil:
		return *d.verdict.Output, true
	}
	return "", false
}

func (d *dispatch) argument(key string) (value any, known bool) {
	switch {
	case d.work.Tool != nil:
		value, known = d.work.Tool.Input[key]
	case key == "prompt" && d.work.Prompt != nil:
		return d.work.Prompt.Text, true
	case key == "messages" && d.work.Model != nil:
		return d.work.Model.Messages, true
	default:
		value, known = d.verdict.Input[key]
	}
	return value, known
}
