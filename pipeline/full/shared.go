package full

import (
	"context"

	"github.com/trammel-dev/trammel"
)

// shared is the state that several machines share. It is in the store of
// approvals, according to the current settings of the machine and the user, and
// is opened when it is needed.
type shared struct{ p *Program }

func (s shared) store(ctx context.Context) (trammel.State, error) {
	d, err := s.p.OwnDesk()
	if err != nil {
		return nil, err
	}
	svc, err := d.Service(ctx)
	if err != nil {
		return nil, err
	}
	return svc.Store, nil
}

// View implements trammel.State.
func (s shared) View(ctx context.Context, b *trammel.Bucket, keys []trammel.Key, look func([][]byte) error) error {
	st, err := s.store(ctx)
	if err != nil {
		return err
	}
	return st.View(ctx, b, keys, look)
}

// Update implements trammel.State.
func (s shared) Update(ctx context.Context, b *trammel.Bucket, keys []trammel.Key, change func([][]byte) error) error {
	st, err := s.store(ctx)
	if err != nil {
		return err
	}
	return st.Update(ctx, b, keys, change)
}
