package state

import (
	"strconv"
	"strings"
	"time"
)

// window is what a file holds: the places that were taken, in the time of a
// clock of its own, which no adjustment of the system's clocks sets back or
// forth.
type window struct {
	wall, mono int64 // what the system's clocks showed when it was written
	now        int64 // what the own clock showed; it began at 0
	total      int64 // places taken for good
	taken      []place
}

// place is one or more places that were taken at the same time.
type place struct{ at, n int64 }

// maxPlaces bounds the size of a window, so that it can be changed in place.
// Limits up to it are kept to the nanosecond; above, places taken within a
// 256th of the window count as taken at its end, so that a window may open
// late by that much, never early.
const maxPlaces = 256

// advance moves the own clock on and reports whether the system's clocks have
// jumped. The time that has passed is the lesser one of what the two clocks
// say: the one that tells the time of day may have been set forth, and the one
// that counts from the start of the machine may be another machine's. A clock
// that ran backwards says nothing.
func (w *window) advance(wall, mono int64) (jumped bool) {
	byWall, byMono := wall-w.wall, mono-w.mono
	passed := min(byWall, byMono)
	if passed < 0 {
		passed = max(byWall, byMono, 0)
	}
	w.wall, w.mono = wall, mono
	w.now += passed
	return byWall < 0 || byMono < 0
}

// drop forgets the places that are free again.
func (w *window) drop(span time.Duration) {
	free := 0
	for free < len(w.taken) && w.now-w.taken[free].at >= int64(span) {
		free++
	}
	w.taken = w.taken[free:]
}

func (w *window) used(c *Claim) int64 {
	if c.Window == 0 {
		return w.total
	}
	var sum int64
	for i := range w.taken {
		sum += w.taken[i].n
	}
	return sum
}

// count looks whether a claim finds room.
func (w *window) count(c *Claim) Count {
	used := w.used(c)
	over := used + max(c.N, 1) - c.Limit
	out := Count{Room: c.Limit == 0 || over <= 0, Used: used, Age: time.Duration(w.now)}
	if out.Room || c.Window == 0 {
		return out
	}
	for i := range w.taken {
		if over -= w.taken[i].n; over <= 0 {
			out.Opens = time.Duration(w.taken[i].at-w.now) + c.Window
			break
		}
	}
	return out
}

// add takes the places of a claim that found room.
func (w *window) add(c *Claim) {
	if c.Window == 0 {
		w.total += c.N
		return
	}
	at := w.now
	if grain := int64(c.Window / maxPlaces); grain > 0 && (c.Limit == 0 || c.Limit > maxPlaces) {
		at = (w.now/grain + 1) * grain
	}
	if last := len(w.taken) - 1; last >= 0 && w.taken[last].at >= at {
		w.taken[last].n += c.N
		return
	}
	w.taken = append(w.taken, place{at, c.N})
}

// The form of a window: words in one line. Times of places are told as the
// distance from the one before, and how many there are only where it is more
// than one.
func (w *window) append(dst []byte) []byte {
	number := func(n int64, end byte) { dst = append(strconv.AppendInt(dst, n, 10), end) }
	number(w.wall, ' ')
	number(w.mono, ' ')
	number(w.now, ' ')
	number(w.total, ' ')
	var before int64
	for _, p := range w.taken {
		if p.n == 1 {
			number(p.at-before, ' ')
		} else {
			number(p.at-before, ':')
			number(p.n, ' ')
		}
		before = p.at
	}
	return dst
}

// parse reads the form into the window.
func (w *window) parse(rest string) error {
	*w = window{}
	ok := true
	for _, into := range []*int64{&w.wall, &w.mono, &w.now, &w.total} {
		if rest, ok = number(rest, ' ', into); !ok {
			return errDamaged
		}
	}
	var p place
	for rest != "" {
		var step int64
		p.n = 1
		end := strings.IndexAny(rest, ": ")
		if end >= 0 && rest[end] == ':' {
			if rest, ok = number(rest, ':', &step); ok {
				rest, ok = number(rest, ' ', &p.n)
			}
		} else {
			rest, ok = number(rest, ' ', &step)
		}
		p.at += step
		if !ok || step < 0 || p.n <= 0 || p.at < 0 || len(w.taken) > 2*maxPlaces {
			return errDamaged
		}
		w.taken = append(w.taken, p)
	}
	if w.now < 0 || w.total < 0 {
		return errDamaged
	}
	return nil
}

func number(text string, end byte, into *int64) (rest string, ok bool) {
	i := strings.IndexByte(text, end)
	if i < 0 {
		return "", false
	}
	n, err := strconv.ParseInt(text[:i], 10, 64)
	*into = n
	return text[i+1:], err == nil
}
