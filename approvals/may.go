package approvals

import "github.com/trammel-dev/trammel/store"

// May says why somebody with this identity cannot decide now; nil if they can.
// User interfaces call it before they offer a decision.
func (s *Service) May(a *store.Approval, identity string) error {
	_, err := s.check(a, &Decision{Nonce: a.Nonce, Digest: Shown(a), Approve: true, Identity: identity})
	return err
}
