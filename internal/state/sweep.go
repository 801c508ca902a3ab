package state

import (
	"os"
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
)

const (
	// sweepEvery is how often a folder is looked through for what is too old.
	sweepEvery = 24 * time.Hour
	// sweepMost bounds the work of one look.
	sweepMost = 512
	// folders is how many a bucket has.
	folders = 256
)

// sweep removes what has not changed for long, now and then, and the oldest
// where something was added and there are too many. When it last did, is kept
// as the time of the lock's file. Nothing depends on whether it succeeds.
func (s slot) sweep(b *trammel.Bucket, added bool) {
	now := time.Now()
	info, err := os.Stat(s.lock())
	daily := err == nil && now.Sub(info.ModTime()) >= sweepEvery
	if daily {
		os.Chtimes(s.lock(), now, now)
	}
	if !daily && (b.Most == 0 || !added) {
		return
	}
	folder, err := os.Open(s.folder)
	if err != nil {
		return
	}
	defer folder.Close()
	entries, _ := folder.ReadDir(sweepMost)
	var left []os.FileInfo
	for _, e := range entries {
		info, err := e.Info()
		switch old := (slot{s.folder, e.Name()}); {
		case err != nil || e.Name() == "lock":
		case now.Sub(info.ModTime()) <= b.Keep:
			left = append(left, info)
		case !old.fresh():
			os.Remove(old.path())
		}
	}
	most := (b.Most+folders-1)/folders + 3 // folders do not fill evenly
	if b.Most == 0 || len(left) <= most {
		return
	}
	slices.SortFunc(left, func(a, b os.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range left[:len(left)-most] {
		os.Remove(slot{s.folder, info.Name()}.path())
	}
}

// fresh reports whether a count is recent by its own clock. Then the time of
// day was set forward, and that must not open what is shut.
func (s slot) fresh() bool {
	e, body, err := s.open(false)
	if err != nil {
		return false
	}
	e.close()
	var w window
	if w.parse(string(body)) != nil {
		return false
	}
	before := w.now
	w.advance(clocks())
	return w.now-before < int64(sweepEvery)
}
