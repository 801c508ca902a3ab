package full

import (
	"fmt"
	"os"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/packs/process"
	"github.com/trammel-dev/trammel/pipeline"
)

// Process opens the process in a directory for calls that belong to a project:
// people are asked as its configuration says, and its evidence has the records.
// The process is nil if the report says why it cannot be used.
func (p *Program) Process(dir, project string) (*process.Process, process.Report, error) {
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
		Log:  evidence.Open(log, evidence.Options{Mark: pipeline.EvidenceMark(p.Dirs, c.Set.Root)}),
		User: fmt.Sprintf("os:%d", os.Getuid())})
	return opened, report, nil
}
