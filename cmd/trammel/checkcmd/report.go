package checkcmd

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/config"
)

// Area is a part of a project that is checked.
type Area string

// The areas, in the order of the checks.
const (
	Trust  Area = "trust"
	Rules  Area = "rules"
	Tests  Area = "tests"
	Wiring Area = "wiring"
)

// Finding is one thing that is wrong, with its place relative to the project.
type Finding struct {
	Area Area `json:"area"`
	config.Finding
}

// warning: the rule works, but is probably not what its author meant.
func (f *Finding) warning() bool {
	return f.Area == Rules && f.Code != config.BrokenFinding && f.Code != config.OutdatedFinding
}

// Report is the result of a check. The same project gives the same report on
// every machine.
type Report struct {
	Isolated bool      `json:"isolated"`
	Digest   string    `json:"digest,omitempty"` // of all that can be trusted
	Passed   []string  `json:"passed"`           // the policy tests
	Findings []Finding `json:"findings"`
	Unable   string    `json:"unable,omitempty"` // why the project cannot be judged

	root string
}

func (r *Report) add(area Area, f config.Finding) {
	if rel, err := filepath.Rel(r.root, f.File); err == nil && filepath.IsLocal(rel) {
		f.File = filepath.ToSlash(rel)
	}
	f.Message = strings.ReplaceAll(f.Message, r.root+string(filepath.Separator), "") // the same wherever it is checked out
	r.Findings = append(r.Findings, Finding{area, f})
}

func (r *Report) sort() {
	order := []Area{Trust, Rules, Tests, Wiring}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(slices.Index(order, a.Area)-slices.Index(order, b.Area), cmp.Compare(a.File, b.File), a.Line-b.Line, a.Column-b.Column)
	})
}

// exit is 0 for a clean project, 1 for findings, 2 for one that cannot be judged.
func (r *Report) exit() int {
	switch {
	case r.Unable != "":
		return 2
	case len(r.Findings) > 0:
		return 1
	}
	return 0
}
