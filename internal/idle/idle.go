// Package idle lets a program that stays keep little memory while it has nothing
// to do.
package idle

import (
	"runtime/debug"
	"sync/atomic"
	"time"
)

// Keeper has something done when nothing has happened for a while. It costs
// nothing while nothing happens, and next to nothing while much does.
type Keeper struct {
	After time.Duration
	Do    func()
	busy  atomic.Bool // something has happened since it was last looked
	armed atomic.Bool // it will be looked
}

// Busy notes that something happens.
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

// GiveBack collects garbage and gives what is free to the system. Pages of the
// program's file that it needed to start do not count as its own any more; those
// that it needs again are in the system's cache.
func GiveBack() {
	debug.FreeOSMemory()
	dropFilePages()
}
