package console

import (
	"context"
	"crypto/ed25519"
	"path/filepath"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/evidence/transparency"
)

// FST-63: what was pruned with the key of another machine verifies where that key is named.
func TestVerifyWithTheKeyOfAnother(t *testing.T) {
	state := t.TempDir()
	logs := filepath.Join(state, "evidence")
	dir := filepath.Join(logs, "project")
	key := approvals.PrivateKey(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)))
	put := func(ctx context.Context, at string) error {
		_, err := evidence.Open(dir, evidence.Options{}).Append(ctx, []byte(`{"event":"x","id":"ev_1","time":"`+at+`"}`))
		return err
	}
	if err := put(t.Context(), "2026-01-01T00:00:00Z"); err != nil {
		t.Fatal(err)
	}
	p := transparency.Pruning{Dir: dir, Before: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), Keys: []string{key.KeyID()},
		Record: func(ctx context.Context, _ *transparency.Tombstone) error { return put(ctx, "2026-03-01T00:00:00Z") }}
	planned, err := p.Plan()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Prune(t.Context(), planned, key); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		keys []string
		want bool
	}{{nil, false}, {[]string{"key_x"}, false}, {p.Keys, true}} {
		list, err := verify(logs, state, c.keys)
		if err != nil || len(list) != 1 || (list[0].Report.Broken == nil) != c.want {
			t.Errorf("%v: %+v %v", c.keys, list, err)
		}
	}
}
