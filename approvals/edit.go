package approvals

import (
	"sort"

	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/store"
)

// NewEdit is the call with other arguments, bound to the same tool, project,
// agent and policy. Hosts merge changed arguments into the old ones, so an edit
// cannot leave one out.
func NewEdit(a *store.Approval, args []byte) (*store.Edit, error) {
	edited, err := strict.Object(args, strict.Limits{})
	if err != nil {
		return nil, refuse(RefusedState, "the edited arguments cannot be read: %v", err)
	}
	old, err := strict.Object(a.Args, strict.Limits{})
	if err != nil {
		return nil, err
	}
	var gone []string
	for name := range old {
		if _, there := edited[name]; !there {
			gone = append(gone, name)
		}
	}
	if sort.Strings(gone); len(gone) > 0 {
		return nil, refuse(RefusedState, "the edit leaves out %q, which agents would add again; change its value instead", gone)
	}
	e, err := EditOf(a, edited)
	switch {
	case err != nil:
		return nil, err
	case e.Digest == a.Digest && a.Edit == nil:
		return nil, refuse(RefusedState, "the edit changes nothing")
	}
	return e, nil
}
