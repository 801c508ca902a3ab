package evidence

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/trammel-dev/trammel/internal/flock"
)

// Group appends for a process with many records: records that arrive during an
// append go into the next one, with one lock and one write for all of them. The
// zero value is ready to use, and safe for concurrent use.
type Group struct {
	mu   sync.Mutex
	logs map[string]*gathering
}

// gathering is what waits to be appended to one log.
type gathering struct {
	log   *Log
	mu    sync.Mutex
	busy  bool
	next  *batch
	alone int // how many rounds in a row had one record
}

// batch is what one round appends. Done is closed when that is over.
type batch struct {
	waiting []*waiting
	done    chan struct{}
}

type waiting struct {
	body    []byte
	receipt Receipt
	err     error
}

// groupLimit is how long an append of many may wait for other processes.
const groupLimit = 3 * time.Second

// Append is Log.Append for the log in dir; it waits no longer than a few
// seconds.
func (g *Group) Append(dir string, opts Options, body []byte) (Receipt, error) {
	if err := checkBody(body); err != nil {
		return Receipt{}, fmt.Errorf("append evidence: %w", err)
	}
	k := g.of(dir, opts)
	w := &waiting{body: body}
	k.mu.Lock()
	if k.next == nil {
		k.next = &batch{done: make(chan struct{})}
	}
	b := k.next
	b.waiting = append(b.waiting, w)
	first := !k.busy
	k.busy = true
	k.mu.Unlock()
	if first {
		k.round()
	}
	<-b.done // a round has its own limit; what it wrote cannot be undone
	return w.receipt, w.err
}

func (g *Group) of(dir string, opts Options) *gathering {
	g.mu.Lock()
	defer g.mu.Unlock()
	if k := g.logs[dir]; k != nil && k.log.opts == opts.complete() {
		return k
	}
	if g.logs == nil {
		g.logs = map[string]*gathering{}
	}
	g.logs[dir] = &gathering{log: Open(dir, opts)}
	return g.logs[dir]
}

// round appends the waiting records. Another goroutine does the next round, so
// that none works for others for long.
func (k *gathering) round() {
	if k.alone < 8 || k.alone%64 == 0 { // otherwise there are no others
		runtime.Gosched() // lets others join this round
	}
	k.mu.Lock()
	b := k.next
	k.next, k.alone = nil, k.alone+1
	if len(b.waiting) > 1 {
		k.alone = 0
	}
	k.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), groupLimit)
	defer cancel()
	written := 0
	err := k.log.locked(ctx, func(held *flock.Held, removed bool) (err error) {
		written, err = k.log.appendAll(held, b.waiting, removed)
		return err
	})
	for _, w := range b.waiting[written:] {
		w.receipt, w.err = Receipt{}, fmt.Errorf("append evidence: %w", err)
	}
	close(b.done)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.busy = k.next != nil; k.busy {
		go k.round()
	}
}

// appendAll appends records in one write, or two where a segment ends between
// them. It returns how many are in the log; a partial write of the others has
// been undone.
func (l *Log) appendAll(held *flock.Held, batch []*waiting, removed bool) (written int, err error) {
	c, err := l.open()
	if err != nil {
		return 0, err
	}
	defer func() { c.file.Close() }()
	what := l.look(c, held, removed)
	if what != "" {
		if err := c.add(noticed(what), l.opts.Fsync); err != nil {
			return 0, err
		}
	}
	batch[0].receipt.Noticed = what
	all := 0
	for _, w := range batch {
		all += len(openBody) + len(w.body) + maxSuffix
	}
	lines := make([]byte, 0, all)
	for i, w := range batch {
		r := c.tail.next(w.body)
		before := len(lines)
		lines = r.appendLine(lines, w.body)
		if size := c.size + int64(before); size > 0 && c.size+int64(len(lines)) > l.opts.Segment {
			line := lines[before:]
			lines = lines[:before]
			if err := c.write(lines, l.opts.Fsync); err != nil {
				return written, err
			}
			written = i
			next, err := l.rotate(c)
			if err != nil {
				return written, err
			}
			c, lines = next, append(lines[:0], line...)
		}
		c.tail = r
		w.receipt.Seq, w.receipt.Hash, w.receipt.Prev = r.Seq, r.Hash, r.Prev
	}
	if err := c.write(lines, l.opts.Fsync); err != nil {
		return written, err
	}
	l.keep(head{c.tail.Seq, c.tail.Hash, c.size}, held)
	if l.left = (left{tail: c.tail}); len(batch) > 0 {
		l.left.info, _ = c.file.Stat()
	}
	return len(batch), nil
}
