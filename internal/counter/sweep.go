package counter

import (
	"os"
	"time"
)

const (
	// Retention is how long a count is kept that nobody adds to. No window is longer.
	Retention = 31 * 24 * time.Hour
	// sweepEvery is how often a folder is looked through.
	sweepEvery = 24 * time.Hour
	// sweepMost bounds the work of one look.
	sweepMost = 512
)

// sweep removes what nobody has added to for long, now and then. When it last
// did, is kept as the time of the lock's file. Nothing depends on whether it
// succeeds.
func (s slot) sweep() {
	now := time.Now()
	info, err := os.Stat(s.lock())
	if err != nil || now.Sub(info.ModTime()) < sweepEvery {
		return
	}
	os.Chtimes(s.lock(), now, now)
	folder, err := os.Open(s.folder)
	if err != nil {
		return
	}
	defer folder.Close()
	entries, _ := folder.ReadDir(sweepMost)
	for _, e := range entries {
		old := slot{s.folder, e.Name()}
		if info, err := e.Info(); err == nil && e.Name() != "lock" && now.Sub(info.ModTime()) > Retention && !old.fresh() {
			os.Remove(old.path())
		}
	}
}

// fresh reports whether a count is young by its own clock. Then the time of day
// was set forth, and that must not open what is shut.
func (s slot) fresh() bool {
	e, body, err := s.open()
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
