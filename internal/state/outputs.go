package state

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/trammel-dev/trammel"
)

// Outputs keeps texts of a session that are too long for a model in files, so
// that it can be given a part and told where the whole is. Each session has a
// directory of its own; a text's file is named by its digest, so that the same
// text is kept once and a name never means another text.
//
// Files are written whole or not at all. Other users can read neither them nor
// their names.
type Outputs struct {
	dir       string
	max       int64
	rehearsal bool // nothing is written or removed
}

// outputsAge is when the directory of a session that never ended goes.
const outputsAge = 7 * 24 * time.Hour

// OutputsOf names the outputs of an event's session, without creating anything.
// They are in the folder "outputs" of the state directory, where an agent has
// to be able to read. Those who keep texts for different purposes have folders
// of their own. max is how many bytes one may hold.
func OutputsOf(dirs trammel.Dirs, ev *trammel.Event, purpose string, max int64) *Outputs {
	if dirs.State == "" {
		return &Outputs{}
	}
	return &Outputs{filepath.Join(dirs.State, "outputs", purpose, Digest(ev.Host, ev.Session.ID)), max, ev.Rehearsal}
}

var errNoState = errors.New("there is no state directory")

// Keep writes a text and returns the path of its file. Where the directory
// would become too large, the oldest texts make room; a text that is larger
// than it may hold is refused.
func (o *Outputs) Keep(ctx context.Context, text string) (string, error) {
	path, err := o.keep(ctx, text)
	if err != nil {
		return "", fmt.Errorf("keep a text: %w", err)
	}
	return path, nil
}

func (o *Outputs) keep(ctx context.Context, text string) (string, error) {
	if o.dir == "" {
		return "", errNoState
	}
	if int64(len(text)) > o.max {
		return "", fmt.Errorf("it has %d bytes, expected at most %d", len(text), o.max)
	}
	path := filepath.Join(o.dir, Digest(text)+".txt")
	if o.rehearsal {
		return path, nil
	}
	held, err := hold(ctx, o.dir+".lock")
	if err != nil {
		return "", err
	}
	defer held.Unlock()
	switch err := os.Mkdir(o.dir, 0o700); {
	case err == nil: // the first text of a session is the moment to look for what others left behind
		sweepOutputs(filepath.Dir(o.dir), time.Now().Add(-outputsAge))
	case !errors.Is(err, os.ErrExist):
		return "", err
	}
	if fi, err := os.Lstat(path); err == nil && fi.Mode().IsRegular() && fi.Size() == int64(len(text)) {
		now := time.Now()
		return path, os.Chtimes(path, now, now)
	}
	if err := o.makeRoom(int64(len(text))); err != nil {
		return "", err
	}
	return path, replace(path, []byte(text))
}

// Remove deletes the outputs of a session that has ended. The lock stays, for
// those who wait for it.
func (o *Outputs) Remove(ctx context.Context) error {
	if o.dir == "" {
		return fmt.Errorf("remove kept texts: %w", errNoState)
	}
	if _, err := os.Lstat(o.dir); errors.Is(err, os.ErrNotExist) || o.rehearsal {
		return nil
	}
	held, err := hold(ctx, o.dir+".lock")
	if err != nil {
		return fmt.Errorf("remove kept texts: %w", err)
	}
	defer held.Unlock()
	if err := os.RemoveAll(o.dir); err != nil {
		return fmt.Errorf("remove kept texts: %w", err)
	}
	return nil
}
