// Package evidence keeps the append-only record of what was asked, which hooks
// ran, what they said and what came of it (FST-60 to FST-63).
//
// A log is a directory of JSON lines. Each record carries the hash of the one
// before it, so that nothing can be changed, dropped or inserted without
// breaking the chain; Verify finds the first break. What the chain alone cannot
// show, that its end was cut off or all of it was rebuilt, is shown by the
// signed checkpoints of evidence/transparency.
//
//	lock held while appending; holds the position of the log's end
//	current.jsonl                the records since the last rotation
//	segment-000000000001.jsonl   older records, named by the first of them
//	torn/                        remains of half-written records
//	tombstone-000000000500.json  what a person has removed up to that record (evidence/transparency)
//
// Appending is what the hot program does for every event: it opens two files,
// reads the tail of one and writes once.
package evidence

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/trammel-dev/trammel/internal/flock"
)

// Options adjust a Log.
type Options struct {
	// Fsync makes an append return only when the record is on the disk.
	Fsync bool
	// Segment is the size in bytes beyond which a new segment is begun. Zero
	// means DefaultSegment.
	Segment int64
	// Mark is a file outside of the log's directory that shows that the log
	// exists, so that its removal is noticed. With a mark, each writer also
	// checks that the log still ends as the last one left it. Empty means
	// neither.
	Mark string
}

// DefaultSegment is the default size of a segment.
const DefaultSegment = 64 << 20

const (
	lockName    = "lock"
	currentName = "current.jsonl"
	tornName    = "torn"
)

// Log appends to the log in a directory. Any number of processes may append to
// the same one. It is safe for concurrent use and holds nothing open.
type Log struct {
	dir  string
	opts Options
	turn chan struct{} // so that goroutines of one process need not poll

	begins bool // there was no head, when the log was last looked at; whoever has the lock may use it
	left   left // likewise
}

// Open returns the log in dir. The first append creates the directory.
func Open(dir string, opts Options) *Log {
	return &Log{dir: dir, opts: opts.complete(), turn: make(chan struct{}, 1)}
}

// complete sets what has a default.
func (o Options) complete() Options {
	if o.Segment <= 0 {
		o.Segment = DefaultSegment
	}
	return o
}

// Append adds a record with this body, which is an object in canonical JSON. It
// waits for other writers as long as ctx lasts. When it returns without an
// error, the record is in the log; when it returns one, it is not, and a
// partial write has been undone.
func (l *Log) Append(ctx context.Context, body []byte) (Receipt, error) {
	if err := checkBody(body); err != nil {
		return Receipt{}, fmt.Errorf("append evidence: %w", err)
	}
	var r Receipt
	err := l.locked(ctx, func(held *flock.Held, removed bool) (err error) {
		r, err = l.append(held, body, removed)
		return err
	})
	if err != nil {
		return Receipt{}, fmt.Errorf("append evidence: %w", err)
	}
	return r, nil
}

// locked calls do while no other process writes. do learns whether the log was
// removed.
func (l *Log) locked(ctx context.Context, do func(held *flock.Held, removed bool) error) error {
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	path := filepath.Join(l.dir, lockName)
	held, err := flock.Lock(ctx, path)
	removed := false
	if errors.Is(err, os.ErrNotExist) {
		removed = Removed(l.dir, l.opts.Mark)
		if err := os.MkdirAll(l.dir, 0o700); err != nil {
			return err
		}
		held, err = flock.Lock(ctx, path)
	}
	if err != nil {
		return err
	}
	defer held.Unlock() // the lock ends with its file, whatever this returns
	return do(held, removed)
}

func (l *Log) append(held *flock.Held, body []byte, removed bool) (Receipt, error) {
	c, err := l.open()
	if err != nil {
		return Receipt{}, err
	}
	what := l.look(c, held, removed)
	if what != "" {
		if err := c.add(noticed(what), l.opts.Fsync); err != nil {
			return Receipt{}, errors.Join(err, c.file.Close())
		}
	}
	r := c.tail.next(body)
	line := r.line(body)
	if c.size > 0 && c.size+int64(len(line)) > l.opts.Segment {
		if c, err = l.rotate(c); err != nil {
			return Receipt{}, err
		}
	}
	if err = c.write(line, l.opts.Fsync); err == nil {
		l.keep(head{r.Seq, r.Hash, c.size}, held)
	}
	r.Noticed = what
	return r, errors.Join(err, c.file.Close())
}
