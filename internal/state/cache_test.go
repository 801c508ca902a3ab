package state

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
)

func TestCache(t *testing.T) {
	b := &trammel.Bucket{Name: "cache", Keep: time.Hour, Lossy: true}
	for name, in := range map[string]trammel.State{"files": Files{Dir: t.TempDir()}, "memory": NewMemory()} {
		c := Cache{Store{State: in, Bucket: b}}
		found := func(ttl time.Duration) bool {
			_, _, ok := c.Get(t.Context(), "k", ttl)
			return ok
		}
		if found(time.Hour) {
			t.Errorf("%s: found what was never put", name)
		}
		if err := c.Put(t.Context(), "k", []byte("v\n1")); err != nil {
			t.Fatal(err)
		}
		got, age, ok := c.Get(t.Context(), "k", time.Minute)
		if !ok || string(got) != "v\n1" || age > time.Minute {
			t.Errorf("%s: %q, %v, %v", name, got, age, ok)
		}
		for _, ago := range []time.Duration{2 * time.Minute, -time.Hour} {
			old := strconv.FormatInt(time.Now().Add(-ago).UnixNano(), 10) + "\nv"
			if err := c.Update(t.Context(), trammel.Key{"k"}, func([]byte) ([]byte, error) { return []byte(old), nil }); err != nil {
				t.Fatal(err)
			}
			if found(time.Minute) {
				t.Errorf("%s: found what is %v old", name, ago)
			}
		}
	}
}

// A damaged value of a lossy bucket is none, and the next one replaces it.
func TestALossyValueMayBeLost(t *testing.T) {
	files := Files{Dir: t.TempDir()}
	c := Cache{Store{State: files, Bucket: &trammel.Bucket{Name: "cache", Keep: time.Hour, Lossy: true}}}
	path := files.slot(c.Bucket, trammel.Key{"k"}).path()
	for range 2 {
		if err := c.Put(t.Context(), "k", []byte("v")); err != nil {
			t.Fatal(err)
		}
		if _, _, ok := c.Get(t.Context(), "k", time.Minute); !ok {
			t.Error("not kept")
		}
		os.WriteFile(path, []byte("torn"), 0o600)
		if _, _, ok := c.Get(t.Context(), "k", time.Minute); ok {
			t.Error("found what is damaged")
		}
	}
}
