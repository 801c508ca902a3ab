package layers

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"maps"
	"slices"

	"github.com/trammel-dev/trammel/internal/canonical"
)

// digestFormat is part of every digest, so that two versions of this package
// that encode differently never agree by chance.
const digestFormat = "trammel layers 3"

func digestOf(data []byte) string { return canonical.Digest(data) }

// digest covers everything that a plan is compiled from. Every part is preceded by
// its length, so that no two sets have the same encoding.
func (s *Set) digest() string {
	w := digestWriter{sha256.New()}
	w.text(digestFormat)
	w.text(s.Root)
	w.number(len(s.Files))
	for i := range s.Files {
		f := &s.Files[i]
		pinned := 0
		if f.Pinned {
			pinned = 1
		}
		w.number(int(f.Layer))
		w.number(int(f.Trust))
		w.number(pinned)
		w.text(f.Path)
		w.text(f.Dir)
		w.number(len(f.Data))
		w.Write(f.Data)
	}
	w.number(len(s.Pins))
	for _, path := range slices.Sorted(maps.Keys(s.Pins)) {
		w.text(path)
		w.text(s.Pins[path])
	}
	w.number(len(s.Bundles))
	for _, sum := range slices.Sorted(maps.Keys(s.Bundles)) {
		b := s.Bundles[sum]
		w.text(sum)
		w.text(b.Path)
		w.number(len(b.Data))
		w.Write(b.Data)
	}
	w.number(len(s.Notes)) // plans repeat them
	for _, n := range s.Notes {
		w.text(n.String())
	}
	for _, s := range s.Unread {
		w.text(s)
	}
	return "sha256:" + hex.EncodeToString(w.Sum(nil))
}

type digestWriter struct{ hash.Hash }

func (w digestWriter) number(n int) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(n))
	w.Write(b[:])
}

func (w digestWriter) text(s string) {
	w.number(len(s))
	w.Write([]byte(s))
}
