package evidence

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"time"
)

// NewID returns "ev_" and 26 characters: ten of the time in milliseconds, so
// that ids sort by time, and sixteen at random. Ids only have to be unique: the
// chain protects them from being exchanged. So the runtime's random generator,
// which the system seeds, is enough.
func NewID(now time.Time) string { return idOf(now, rand.Uint64(), rand.Uint64()) }

// IDFor is the id of the only record about key: always the same, so that a
// caller can check whether it was written.
func IDFor(at time.Time, key string) string {
	sum := sha256.Sum256([]byte(key))
	return idOf(at, binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:]))
}

func idOf(now time.Time, random ...uint64) string {
	const alphabet = "0123456789abcdefghjkmnpqrstvwxyz" // no i, l, o, u
	id := [29]byte{'e', 'v', '_'}
	ms := uint64(now.UnixMilli())
	for i := 12; i > 2; i-- {
		id[i] = alphabet[ms&31]
		ms >>= 5
	}
	for i := range 16 {
		id[13+i] = alphabet[random[i/8]>>(8*(i%8))&31]
	}
	return string(id[:])
}
