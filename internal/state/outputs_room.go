package state

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// makeRoom removes the oldest texts until n more bytes fit.
func (o *Outputs) makeRoom(n int64) error {
	entries, err := os.ReadDir(o.dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	var files []os.FileInfo
	total := n
	for _, e := range entries {
		if fi, err := e.Info(); err == nil && fi.Mode().IsRegular() {
			files = append(files, fi)
			total += fi.Size()
		}
	}
	if total <= o.max {
		return nil
	}
	slices.SortFunc(files, func(a, b os.FileInfo) int { return cmp.Compare(a.ModTime().UnixNano(), b.ModTime().UnixNano()) })
	for _, fi := range files {
		if total <= o.max {
			break
		}
		if err := os.Remove(filepath.Join(o.dir, fi.Name())); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		total -= fi.Size()
	}
	return nil
}

// sweepOutputs removes the directories of sessions in which nothing was kept since
// then. It costs a look at each, so it is done once per session.
func sweepOutputs(above string, since time.Time) {
	entries, err := os.ReadDir(above)
	if err != nil {
		return
	}
	for _, e := range entries {
		fi, err := e.Info()
		if err != nil || !fi.ModTime().Before(since) {
			continue
		}
		path := filepath.Join(above, e.Name())
		switch {
		case e.IsDir():
			os.RemoveAll(path)
		case strings.HasSuffix(e.Name(), ".lock"):
			os.Remove(path)
		}
	}
}
