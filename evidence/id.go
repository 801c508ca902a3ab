package evidence

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"time"
)

// NewID returns "ev_" and 26 characters: ten of the time in milliseconds, so
// that ids sort by time, and sixteen at random. An id only has to be another
// one each time; what keeps it from being exchanged is the chain. So the
// runtime's own generator will do, which is seeded by the system and there
// anyway.
func NewID(now time.Time) string { return idOf(now, rand.Uint64(), rand.Uint64()) }

// IDFor is the id of the one record about something that is named by key: the
// same each time, so that whoever is not sure whether it was written can look.
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
