package approvals

import (
	"fmt"

	"github.com/trammel-dev/trammel/store"
)

// Use is a person's approval of a process: of this revision of its pack, with
// these connectors. It counts because it is signed, wherever it is stored.
type Use struct {
	Process    string     `json:"process_id"`
	Version    string     `json:"process_version"`
	Revision   string     `json:"revision"` // the digest of everything in the pack
	Scope      string     `json:"scope,omitempty"`
	Connectors []string   `json:"connectors,omitempty"`
	By         string     `json:"approved_by"`
	Reason     string     `json:"reason,omitempty"`
	At         store.Time `json:"approved_at"`
	Key        string     `json:"key"`
	Proof      []byte     `json:"proof"`
}

// statement is what the signature covers.
func (u *Use) statement() []byte {
	parts := []string{"trammel-use-v1", u.Process, u.Version, u.Revision, u.Scope, u.By, u.Reason, fmt.Sprint(u.At.Micros())}
	return array(append(parts, u.Connectors...)...)
}

// ApproveUse signs a use, if the person may approve it alone.
func (s *Service) ApproveUse(u *Use, n store.Needs, by Granter) (err error) {
	who, known := s.person(by.Identity)
	if !known {
		return refuse(RefusedNotApprover, "%s is not a known approver", by.Identity)
	}
	u.By, u.Reason, u.At, u.Connectors = who, by.Reason, store.At(s.Now()), ordered(u.Connectors)
	if u.Key, u.Proof, err = sign(by.Signer, u.statement()); err != nil {
		return err
	}
	return s.MayUse(u, n)
}

// MayUse says why a use does not count; nil if it does.
func (s *Service) MayUse(u *Use, n store.Needs) error {
	asked := &store.Approval{Needs: n, Created: u.At}
	switch {
	case !s.proved(u.Key, u.statement(), u.Proof, u.By):
		return refuse(RefusedNotApprover, "the key %s does not speak for %s here", u.Key, u.By)
	case !s.eligible(asked, u.By, u.At.Time):
		return refuse(RefusedNotApprover, "%s is not an approver of this: it needs %s", u.By, needs(asked))
	case !s.enoughVotes(asked, []string{u.By}, 0):
		return refuse(RefusedNotApprover, "it needs %s, so nobody can approve it alone", needs(asked))
	}
	return nil
}
