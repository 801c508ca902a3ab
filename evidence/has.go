package evidence

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"time"
)

// Has reports whether the log in dir has a record with this id in a file that
// was modified since a time.
func Has(dir, id string, since time.Time) (bool, error) {
	// The current file comes first: if it is rotated after that, it has been
	// read already.
	has, err := fileHas(filepath.Join(dir, currentName), id, since)
	if has || err != nil {
		return has, err
	}
	list, err := segments(dir)
	for _, s := range slices.Backward(list) {
		if has, err := fileHas(filepath.Join(dir, s.name), id, since); has || err != nil {
			return has, err
		}
	}
	return false, ignoreMissing(err)
}

// fileHas reports whether a file has the record, if it was modified since then.
func fileHas(path, id string, since time.Time) (has bool, err error) {
	file, err := openRegular(path)
	if err != nil {
		return false, ignoreMissing(err)
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.ModTime().Before(since) {
		return false, err
	}
	err = eachLine(file, path, func(l rawLine) error {
		if !bytes.Contains(l.data, []byte(id)) {
			return nil
		}
		e, ok, err := l.entry()
		if err != nil || !ok {
			return err
		}
		if row, err := e.Row(); err != nil || row.ID != id {
			return err
		}
		has = true
		return ErrStop
	})
	if errors.Is(err, ErrStop) {
		err = nil
	}
	return has, err
}
