// Package counter counts across processes: how often something happened within
// a window that slides, or in all. What is counted is shared by whoever uses
// the same Store and key, and a limit holds exactly: of any number of processes
// that ask at once, as many get a place as there are places.
package counter

import (
	"context"
	"time"
)

// Store keeps counts. Files is one; a database that several machines share can
// be another.
type Store interface {
	// Take takes the places of all claims, or of none if one of them finds no
	// room. The answers are in the order of the claims. An error means that
	// nothing is known: a guard must not take it for room.
	Take(ctx context.Context, claims ...Claim) ([]Count, error)
}

// Claim asks for places under a key.
type Claim struct {
	// Key names what is counted, in parts of any length and content.
	Key []string
	// N is how many places are asked for. 0 only looks whether there is room
	// for one.
	N int64
	// Limit is how many places there are. 0 is no limit: it only counts.
	Limit int64
	// Window is how long a place stays taken. 0 is for good.
	Window time.Duration
}

// Count is what stands under a key.
type Count struct {
	// Room is true if the claim finds room, whatever the others find.
	Room bool
	// Used is how many places are taken now, with those of this claim if it
	// got them.
	Used int64
	// Opens is how long it takes until there is room, if there is none and
	// time helps.
	Opens time.Duration
	// Age is how long ago the key was first counted.
	Age time.Duration
}

// Taken reports whether the claims of a Take got their places.
func Taken(counts []Count) bool {
	for i := range counts {
		if !counts[i].Room {
			return false
		}
	}
	return true
}

// Add counts one more in the files below dir, and returns how many there are now.
func Add(ctx context.Context, dir string, key ...string) (int, error) {
	counts, err := Files{Dir: dir}.Take(ctx, Claim{Key: key, N: 1})
	if err != nil {
		return 0, err
	}
	return int(counts[0].Used), nil
}
