package repohooks

import (
	"errors"
	"io/fs"

	"github.com/trammel-dev/trammel/dialects/repohooks"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/pipeline"
)

// From when on the record says something.
const (
	usedEnough = 20 // events without a run
	noisyFrom  = 10 // runs
)

// usage is what the evidence knows of hooks: their runs for our own runtimes,
// and those for agents' hosts.
type usage struct {
	events int
	hooks  map[string]*used
}

type used struct{ runs, objections, failures, misplaced int }

func (p *place) usage() (*usage, error) {
	u := &usage{hooks: map[string]*used{}}
	dir, err := pipeline.EvidenceDir(p.Dirs, p.Set.Root)
	if err != nil {
		return nil, err
	}
	err = evidence.Scan(dir, func(e evidence.Entry) error {
		record, err := e.Record()
		if err != nil {
			return err
		}
		u.events++
		runs, _ := record["hooks"].([]any)
		for _, run := range runs {
			if run, ok := run.(map[string]any); ok {
				u.add(run)
			}
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) { // nothing has happened yet
		err = nil
	}
	return u, err
}

func (u *usage) add(run map[string]any) {
	id, _ := run["id"].(string)
	one := u.hooks[id]
	if one == nil {
		one = &used{}
		u.hooks[id] = one
	}
	one.runs++
	if code, _ := run["code"].(string); code != "" {
		one.failures++
	}
	if d, _ := run["decision"].(string); d == "deny" || d == "ask" {
		one.objections++
	}
	findings, _ := run["findings"].([]any)
	for _, f := range findings {
		if f, ok := f.(map[string]any); ok && f["code"] == repohooks.MisplacedSignals {
			one.misplaced++
		}
	}
}
