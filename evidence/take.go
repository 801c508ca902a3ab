package evidence

import (
	"bytes"
	"context"

	"github.com/trammel-dev/trammel/internal/flock"
)

// Take appends unchanged records of another log. Each is checked like in
// Verify, and the first must follow the last one here; otherwise nothing is
// taken and the error is a *Broken. Numbers may be left out: those of lines that
// were not records when the next one was written. Verify reports them here as well.
func (l *Log) Take(ctx context.Context, lines []byte) (last Receipt, err error) {
	err = l.locked(ctx, func(held *flock.Held, _ bool) error {
		c, err := l.open()
		if err != nil {
			return err
		}
		defer func() { c.file.Close() }()
		v := verifier{last: c.tail, gaps: true}
		if err := eachLine(bytes.NewReader(lines), "taken", v.line); err != nil {
			return err
		}
		if c.size > 0 && c.size+int64(len(lines)) > l.opts.Segment {
			next, err := l.rotate(c)
			if err != nil {
				return err
			}
			c = next
		}
		last = v.last
		return c.write(lines, l.opts.Fsync)
	})
	return last, err
}
