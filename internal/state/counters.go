package state

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/trammel-dev/trammel"
)

// Counters counts how often something happened, within a window that slides or
// in all. A limit holds exactly: of any number of processes that ask at once,
// as many get a place as there are places.
type Counters struct {
	Store
	clocks func() (wall, mono int64) // set by tests

	session, call string // of the call that counts once, see PerCall
}

// Retention is how long a count is kept that is not added to. No window is longer.
const Retention = 31 * 24 * time.Hour

var counters = trammel.Bucket{Name: "counters", Keep: Retention}

// CountersOf are the counts that policies share, as an event uses them.
func CountersOf(s trammel.State, ev *trammel.Event) Counters {
	c := Counters{Store: Store{State: s, Bucket: &counters, Rehearsal: ev.Rehearsal}}
	if past, ok := s.(*Then); ok {
		c.clocks = past.clocks
	}
	return c
}

// Claim asks for places under a key.
type Claim struct {
	Key trammel.Key
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
	// Again is true if the call had its places already, see PerCall.
	Again bool
	// Age is how long ago the key was first counted.
	Age time.Duration
}

// Taken reports whether the claims of a Take got their places.
func Taken(counts []Count) bool {
	return !slices.ContainsFunc(counts, func(c Count) bool { return !c.Room })
}

// clocks reads the time of day, and the time since the machine was started,
// which every process of a machine sees alike and nobody can set.
func clocks() (wall, mono int64) { return time.Now().UnixNano(), sinceStart() }

// Take takes the places of all claims, or of none if one of them finds no room.
// The answers are in the order of the claims. An error means that nothing is
// known: a guard must not take it for room. Claims that all only look leave no
// trace.
func (c Counters) Take(ctx context.Context, claims ...Claim) ([]Count, error) {
	keys, at := distinct(claims)
	if !slices.ContainsFunc(claims, func(c Claim) bool { return c.N != 0 }) {
		c.Rehearsal = true
	}
	read := c.clocks
	if read == nil {
		read = clocks
	}
	counts := make([]Count, len(claims))
	mark, stored := "", keys
	if c.call != "" && !c.Rehearsal {
		mark, stored = markOf(claims), append(keys[:len(keys):len(keys)], c.reportsKey())
	}
	err := c.update(ctx, stored, func(values [][]byte) error {
		wall, mono := read()
		windows, write := make([]window, len(keys)), make([]bool, len(keys))
		for i := range windows {
			w := &windows[i]
			w.wall, w.mono = wall, mono
			if values[i] != nil {
				if err := w.parse(string(values[i])); err != nil {
					return fmt.Errorf("the count of %q cannot be used: %w; remove it to start counting again", keys[i], err)
				}
			}
			write[i] = w.advance(wall, mono) // clocks that have jumped are noted in any case, so that a window opens in time
			if span := longest(claims, at, i); span > 0 {
				w.drop(span)
			}
		}
		for i := range claims {
			counts[i] = windows[at[i]].count(&claims[i])
		}
		again, reports := false, []byte(nil)
		if mark != "" {
			again, reports = c.report(values[len(keys)], mark)
		}
		switch {
		case again:
			values[len(keys)] = reports
			for i := range claims {
				if claims[i].N != 0 {
					counts[i].Room, counts[i].Again = true, true
				}
			}
		case Taken(counts):
			if mark != "" {
				values[len(keys)] = reports
			}
			for i := range claims {
				w := &windows[at[i]]
				w.add(&claims[i])
				counts[i].Used = w.used(&claims[i])
				write[at[i]] = write[at[i]] || claims[i].N != 0
			}
		}
		for i := range windows {
			if write[i] {
				values[i] = windows[i].append(nil)
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("count: %w", err)
	}
	return counts, nil
}

// markOf is the same for the same claims.
func markOf(claims []Claim) string {
	var parts []string
	for _, c := range claims {
		parts = append(append(parts, c.Key...), strconv.FormatInt(c.N, 10), strconv.FormatInt(c.Limit, 10))
	}
	return Digest(parts...)
}

// distinct are the different keys of claims, and which of them each claim has.
func distinct(claims []Claim) (keys []trammel.Key, at []int) {
	for i := range claims {
		j := slices.IndexFunc(keys, func(k trammel.Key) bool { return slices.Equal(k, claims[i].Key) })
		if j < 0 {
			j, keys = len(keys), append(keys, claims[i].Key)
		}
		at = append(at, j)
	}
	return keys, at
}

// longest is the longest window of the claims that have a key.
func longest(claims []Claim, at []int, key int) (span time.Duration) {
	for i := range claims {
		if at[i] == key {
			span = max(span, claims[i].Window)
		}
	}
	return span
}

// Add counts one more, and returns how many there are now.
func (c Counters) Add(ctx context.Context, key ...string) (int, error) {
	counts, err := c.Take(ctx, Claim{Key: key, N: 1})
	if err != nil {
		return 0, err
	}
	return int(counts[0].Used), nil
}
