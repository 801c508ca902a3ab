package full

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals/desk"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/packs/library"
	"github.com/trammel-dev/trammel/packs/process"
	"github.com/trammel-dev/trammel/pipeline"
)

// Library is the directory for installed processes and their approvals.
func (p *Program) Library() string { return filepath.Join(p.Dirs.State, "packs") }

// Process opens the process in a directory, or an installed one by its name, for
// use in a project: the project's configuration says who is asked, and records go
// to its evidence. If the process cannot be used, it is nil and the report says
// why.
func (p *Program) Process(name, project string) (*process.Process, process.Report, error) {
	dir, installed, err := library.Resolve(p.Library(), name)
	if err != nil {
		return nil, process.Report{}, err
	}
	c, err := p.ConfigFor(&trammel.Event{Session: trammel.Session{Dir: project}})
	if err != nil {
		return nil, process.Report{}, err
	}
	at, err := p.Desk(&c.Plan.Settings)
	if err != nil {
		return nil, process.Report{}, err
	}
	log, err := pipeline.EvidenceDir(p.Dirs, c.Set.Root)
	if err != nil {
		return nil, process.Report{}, err
	}
	opened, report := process.Open(dir, process.Options{StateDir: p.Dirs.State, Desk: at, Project: c.Set.Root,
		Admit: p.admit(at, installed),
		Log:   evidence.Open(log, evidence.Options{Mark: pipeline.EvidenceMark(p.Dirs, c.Set.Root)}),
		User:  fmt.Sprintf("os:%d", os.Getuid())})
	return opened, report, nil
}

// admit returns a function that refuses a process unless a person has approved
// its current revision. A draft in a directory can be tried before that, without
// connectors, as long as no other revision is approved.
func (p *Program) admit(at *desk.Desk, installed bool) func(context.Context, *process.Definition) ([]string, error) {
	return func(_ context.Context, d *process.Definition) ([]string, error) {
		m := &d.Manifest
		uses, err := library.Uses(p.Library(), m.ID)
		if err != nil || len(uses) == 0 && !installed {
			return nil, err
		}
		people, err := at.Reader()
		if err != nil {
			return nil, err
		}
		needs, _, err := process.Needs(&at.Settings, m.ForUse)
		if err != nil {
			return nil, err
		}
		why := "no person has approved it"
		for i := range uses {
			u := &uses[i]
			if u.Process != m.ID || u.Version != m.Version || u.Revision != d.Revision {
				continue
			}
			if err := people.MayUse(u, needs); err != nil {
				why = err.Error()
				continue
			}
			return u.Connectors, nil
		}
		return nil, &process.Refusal{Code: process.CodeNotApproved,
			Detail: fmt.Sprintf("%s %s is not approved for use: %s; a person can approve it with trammel pack approve", m.ID, m.Version, why)}
	}
}
