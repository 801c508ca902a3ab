package transparency

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/flock"
)

// FST-63: whoever reads while records are removed sees the log as it was before
// that or after, and a follower goes on with what is left.
func TestReadWhilePruning(t *testing.T) {
	for name, read := range map[string]func(dir string, fn func(evidence.Entry) error) error{
		"scan": evidence.Scan,
		"since": func(dir string, fn func(evidence.Entry) error) error {
			return evidence.Open(dir, evidence.Options{}).Since(1, fn)
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOld(t)
			busy := 0
			o.p.step = func(name string) {
				if !strings.HasPrefix(name, "remove") {
					return
				}
				held, err := flock.Try(filepath.Join(o.dir, "lock"))
				if err == nil {
					held.Unlock()
					t.Errorf("%s: others may begin to read", name)
				}
				busy++
			}
			var seen []uint64
			var n uint64
			err := read(o.dir, func(e evidence.Entry) error {
				if seen = append(seen, e.Seq); n == 0 {
					n = o.prune().Last
				}
				return nil
			})
			if err != nil || busy < 2 || len(seen) == 0 || seen[0] != 1 {
				t.Fatal(err, busy, seen)
			}
			if want := seen[len(seen)-1]; want < 40 || name == "scan" && len(seen) != 40 {
				t.Errorf("%d records, the last is %d", len(seen), want)
			}
			o.whole(41-n, n)
		})
	}
}
