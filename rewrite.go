package trammel

import (
	"maps"
	"reflect"
)

func (d *dispatch) mergeAll(runs []Run) {
	for i := range runs {
		d.take(&runs[i])
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
		d.rewrite(&r.Answer)
		d.learn(r)
	}
}

func (d *dispatch) rewrite(a *Answer) {
	if a.Input == nil && a.Output == nil {
		return
	}
	d.rewritten = true
	if a.Input != nil {
		d.verdict.Input = patched(d.verdict.Input, a.Input)
	}
	if a.Output != nil {
		d.verdict.Output = a.Output
	}
	if text, ok := a.Input["prompt"].(string); ok && d.work.Prompt != nil {
		prompt := *d.work.Prompt
		prompt.Text = text
		d.work.Prompt = &prompt
	}
	if list, ok := a.Input["messages"].([]any); ok && d.work.Model != nil {
		model := *d.work.Model
		model.Messages = list
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

// rewrites reports whether an answer changes the call as it stands now.
func (d *dispatch) rewrites(runs []Run) bool {
	for i := range runs {
		a := &runs[i].Answer
		if a.Output != nil && d.work.Tool != nil && *a.Output != d.work.Tool.Output {
			return true
		}
		for key, value := range a.Input {
			if d.work.Tool == nil {
				continue
			}
			if old, ok := d.work.Tool.Input[key]; !ok || !reflect.DeepEqual(old, value) {
				return true
			}
		}
	}
	return false
}
