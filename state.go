package trammel

import (
	"context"
	"time"
)

// Dirs are the directories outside of any project that Trammel uses.
type Dirs struct {
	Machine string // the machine's configuration
	User    string // the user's configuration
	State   string // what must last: trust, evidence, counts; "" where nothing is kept in files
	Cache   string // what can be made again: compiled plans
	Bundles string // bundles that were fetched; "" is a folder in State
	// Named is true where a wiring names User and State. Then both have to be
	// there: whoever wired them created them, so someone has taken them away.
	Named bool
}

// State keeps small values that outlast an event: counts, what a session was
// told, answers. Handlers get it in their Spec, and whoever embeds the engine
// chooses whether it is files that processes share, memory, or something else.
//
// An error means that nothing is known and nothing was kept; a guard must not
// take it for consent.
type State interface {
	// View shows what is kept under the keys, in their order: nil where nothing
	// is. What look does with the slice changes nothing.
	View(ctx context.Context, b *Bucket, keys []Key, look func(values [][]byte) error) error
	// Update is View, and keeps the elements that change sets; one that it sets
	// to nil is removed. Nobody else sees or changes these keys meanwhile. If
	// change fails, nothing is kept.
	Update(ctx context.Context, b *Bucket, keys []Key, change func(values [][]byte) error) error
}

// Key names a value in parts of any length and content. The keys of one call
// are all different.
type Key []string

// Bucket is one sort of values: they share a name, and nothing else clears
// them away.
type Bucket struct {
	Name string // a folder; may contain slashes
	// Keep is how long a value lasts that is not changed.
	Keep time.Duration
	// Most is about how many there are; the oldest go first. 0 is no bound.
	Most int
	// Lossy values may be lost: one that is damaged counts as none.
	Lossy bool
}
