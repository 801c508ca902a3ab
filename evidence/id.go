package evidence

import (
	"math/rand/v2"
	"time"
)

// NewID returns "ev_" and 26 characters: ten of the time in milliseconds, so
// that ids sort by time, and sixteen at random. An id only has to be another
// one each time; what keeps it from being exchanged is the chain. So the
// runtime's own generator will do, which is seeded by the system and there
// anyway.
func NewID(now time.Time) string {
	const alphabet = "0123456789abcdefghjkmnpqrstvwxyz" // no i, l, o, u
	random := [2]uint64{rand.Uint64(), rand.Uint64()}
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
