package evidence

import (
	"crypto/rand"
	"time"
)

// newID returns "ev_" and 26 characters: ten of the time in milliseconds, so
// that ids sort by time, and sixteen at random.
func newID(now time.Time) string {
	const alphabet = "0123456789abcdefghjkmnpqrstvwxyz" // no i, l, o, u
	var random [16]byte
	rand.Read(random[:])
	id := [29]byte{'e', 'v', '_'}
	ms := uint64(now.UnixMilli())
	for i := 12; i > 2; i-- {
		id[i] = alphabet[ms&31]
		ms >>= 5
	}
	for i, b := range random {
		id[13+i] = alphabet[b&31]
	}
	return string(id[:])
}
