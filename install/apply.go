package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/trammel-dev/trammel/internal/flock"
)

// PartialError says that an error occurred after some files had been changed,
// and that these could not be restored.
type PartialError struct {
	Changed []string // files that are changed
	Err     error
}

func (e *PartialError) Error() string {
	return fmt.Sprintf("%v; these files were already changed, and could not be restored: %q", e.Err, e.Changed)
}

func (e *PartialError) Unwrap() error { return e.Err }

// Apply makes the change. Each file is replaced in one step. If one of them
// cannot be written, the others are restored, so that after an error nothing is
// changed; if even that fails, the error is a PartialError.
//
// What is needed to undo the change is saved before the first file is touched.
// If the process is killed halfway, Status says what is missing, Plan and Apply
// complete it, and Uninstall undoes it.
func Apply(c *Change) error {
	if len(c.Files) == 0 && (c.record != nil || !c.state.exists()) {
		return nil
	}
	if err := os.MkdirAll(c.state.dir, 0o700); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	lock, err := flock.Lock(ctx, filepath.Join(c.state.dir, "lock"))
	if errors.Is(err, flock.ErrBusy) {
		err = fmt.Errorf("another trammel is changing the wiring: %w", err)
	}
	if err != nil {
		return fmt.Errorf("%w; nothing was changed", err)
	}
	defer lock.Unlock()
	for i := range c.Files {
		if err := c.Files[i].unchanged(); err != nil {
			return fmt.Errorf("%s: %w; nothing was changed", c.Files[i].Path, err)
		}
	}
	if c.record != nil {
		if err := c.prepare(); err != nil {
			removeEmpty(c.made)
			return fmt.Errorf("%w; nothing was changed", err)
		}
	}
	for i := range c.Files {
		if err := c.Files[i].write(); err != nil {
			return c.putBack(i, fmt.Errorf("%s: %w", c.Files[i].Path, err))
		}
	}
	if c.record != nil {
		return nil
	}
	return c.finish()
}

func (s store) exists() bool {
	_, err := os.Stat(s.path())
	return err == nil
}

// unchanged makes sure that the file is what the plan was made for.
func (f *FileChange) unchanged() error {
	now, there, err := read(f.Path)
	switch {
	case err != nil:
		return err
	case there == f.Create || there && string(now) != string(f.Before):
		return errors.New("the file has changed since the plan was made")
	}
	return writable(f.Path)
}

// prepare makes the directories and saves the record.
func (c *Change) prepare() error {
	old, err := c.state.read()
	if err != nil {
		return err
	}
	c.before = old
	for i := range c.Files {
		made, err := makeDirs(filepath.Dir(c.Files[i].Path))
		c.record.Dirs = append(c.record.Dirs, made...)
		c.made = append(c.made, made...)
		if err != nil {
			return err
		}
	}
	return c.state.write(c.record)
}

// unprepare undoes prepare.
func (c *Change) unprepare() error {
	removeEmpty(c.made)
	if c.record == nil {
		return nil
	}
	if c.before == nil {
		return c.state.forget()
	}
	return c.state.write(c.before)
}

// removeEmpty removes directories that nobody else uses, innermost first.
func removeEmpty(dirs []string) {
	for _, dir := range slices.Backward(dirs) {
		_ = os.Remove(dir) // fails if it is not empty, as it should
	}
}

// finish cleans up after a removal: directories that we made and that are empty
// again, then the record.
func (c *Change) finish() error {
	rec, err := c.state.read()
	if err != nil {
		return err
	}
	if rec != nil {
		removeEmpty(rec.Dirs)
	}
	return c.state.forget()
}

func (f *FileChange) write() error {
	if f.Remove {
		return os.Remove(f.Path)
	}
	return replace(f.Path, f.After, f.Mode)
}

// putBack undoes the first n files after an error.
func (c *Change) putBack(n int, cause error) error {
	var stuck []string
	for i := range c.Files[:n] {
		f := &c.Files[i]
		var err error
		if f.Create {
			if err = os.Remove(f.Path); errors.Is(err, os.ErrNotExist) {
				err = nil
			}
		} else {
			err = replace(f.Path, f.Before, f.Mode)
		}
		if err != nil {
			stuck = append(stuck, f.Path)
		}
	}
	if len(stuck) > 0 { // the record stays: it is needed to undo the rest
		return &PartialError{Changed: stuck, Err: cause}
	}
	if err := c.unprepare(); err != nil {
		return fmt.Errorf("%w; no file of the host was changed, but the record could not be restored: %w", cause, err)
	}
	return fmt.Errorf("%w; nothing was changed", cause)
}
