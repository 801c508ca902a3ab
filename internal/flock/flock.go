// Package flock holds an exclusive advisory lock on a file, between processes
// and within one. The system drops the lock when its holder dies, however it
// dies, so there is never a stale one to clean up.
package flock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// Between the first try, which costs nothing when nobody holds the lock, and
// the end of the context, a waiter looks again at growing intervals.
const (
	firstWait = 50 * time.Microsecond
	lastWait  = 5 * time.Millisecond
)

// ErrBusy is what Try and the system-specific tryLock return while another
// holds the lock.
var ErrBusy = errors.New("locked by another process")

// Held is a lock that is held.
type Held struct{ file handle }

// Try takes the lock on path, creating the file if there is none, if it is
// free. A path that is a symbolic link is refused.
func Try(path string) (*Held, error) {
	file, err := open(path)
	if err == nil {
		if err = file.tryLock(); err == nil {
			return &Held{file}, nil
		}
		file.close()
	}
	return nil, fmt.Errorf("lock %s: %w", path, err)
}

// Lock takes the lock like Try, and waits for it as long as ctx lasts.
func Lock(ctx context.Context, path string) (*Held, error) {
	file, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	for wait := firstWait; ; wait = min(2*wait, lastWait) {
		err := file.tryLock()
		if err == nil {
			return &Held{file}, nil
		}
		if errors.Is(err, ErrBusy) {
			err = pause(ctx, wait)
		}
		if err != nil {
			file.close()
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
	}
}

// readerWait is how long a reader waits for a writer to finish.
const readerWait = 10 * time.Second

// Reader takes a lock that writers hold, to read what they have finished. It is
// nil if there can be no writer: the lock's file does not exist, or it is on a
// read-only medium.
func Reader(path string) (*Held, error) {
	if _, err := os.Lstat(path); err != nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), readerWait)
	defer cancel()
	held, err := Lock(ctx, path)
	if err != nil && ctx.Err() == nil {
		return nil, nil
	}
	return held, err
}

// pause waits a while, or returns why there is no more time to wait.
func pause(ctx context.Context, wait time.Duration) error {
	if ctx.Err() == nil {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
			return nil
		case <-ctx.Done():
		}
	}
	return fmt.Errorf("%w until %w", ErrBusy, context.Cause(ctx))
}

// Read reads the beginning of the lock's file, in which holders can leave
// notes, and returns its length.
func (h *Held) Read(p []byte) int { return max(0, h.file.read(p)) }

// Write writes over the beginning of the lock's file.
func (h *Held) Write(p []byte) error { return h.file.write(p) }

// Unlock releases the lock. Call it once.
func (h *Held) Unlock() error {
	// Closing is not enough: a child process that is being started may still
	// share the open file.
	return errors.Join(h.file.unlock(), h.file.close())
}
