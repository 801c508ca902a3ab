// Package idle reduces the memory of a long-running program while it has
// nothing to do.
package idle

import (
	"runtime/debug"
	"sync/atomic"
	"time"
)

// Keeper calls a function when nothing has happened for a while. It costs
// nothing while idle, and very little while busy.
type Keeper struct {
	After time.Duration
	Do    func()
	busy  atomic.Bool // something has happened since the last check
	armed atomic.Bool // a check is scheduled
}

// Busy says that something happens.
func (k *Keeper) Busy() {
	if !k.busy.Load() {
		k.busy.Store(true)
	}
	if !k.armed.Load() && k.armed.CompareAndSwap(false, true) {
		time.AfterFunc(k.After, k.look)
	}
}

func (k *Keeper) look() {
	if k.busy.Swap(false) {
		time.AfterFunc(k.After, k.look)
		return
	}
	k.armed.Store(false)
	k.Do()
	if k.busy.Load() { // between the two looks
		k.Busy()
	}
}

// GiveBack collects garbage and returns free memory to the system. It also
// drops pages of the program's file; those that are needed again are in the
// system's cache.
func GiveBack() {
	debug.FreeOSMemory()
	dropFilePages()
}
