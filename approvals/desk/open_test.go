package desk_test

import (
	"context"
	"testing"

	"github.com/trammel-dev/trammel/approvals/desk"
	"github.com/trammel-dev/trammel/store"
)

// A store that could not be opened once, because time was up, is opened the
// next time; until then there is nothing to close.
func TestOpenedTheNextTime(t *testing.T) {
	d := desk.Desk{StateDir: t.TempDir()}
	over, stop := context.WithCancel(t.Context())
	stop()
	if _, err := d.Service(over); err == nil {
		t.Fatal("the store was opened although time is up")
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if _, err := d.Service(over); err == nil {
		t.Fatal("the store was opened although time is up")
	}
	s, err := d.Service(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if list, err := s.Store.Approvals(t.Context(), store.Query{}); err != nil || len(list) > 0 {
		t.Errorf("%v, %v", list, err)
	}
}
