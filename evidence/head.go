package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/flock"
	"github.com/trammel-dev/trammel/internal/plural"
)

// LogEvent is the event of records about the log itself.
const LogEvent = "evidence"

// head is what a writer leaves in the lock file for the next one: the last
// record, and where the current file ended. A log that ends differently has
// been changed by somebody else.
type head struct {
	Seq  uint64
	Hash string
	Size int64
}

// headLen is the length of a head: both numbers have twenty digits, so that
// each overwrites the one before it.
const headLen = 20 + 1 + hashLen + 1 + 20 + 1

func readHead(held *flock.Held) (h head, known bool) {
	var buf [headLen]byte
	if held.Read(buf[:]) != headLen || buf[headLen-1] != '\n' {
		return h, false
	}
	seq, err := strconv.ParseUint(string(buf[:20]), 10, 64)
	size, sizeErr := strconv.ParseInt(string(buf[headLen-21:headLen-1]), 10, 64)
	hash := buf[21 : 21+hashLen]
	if err != nil || sizeErr != nil || !isHex(hash) {
		return h, false
	}
	return head{seq, string(hash), size}, true
}

// keep writes the head. If that fails, the next writer notices nothing.
func (h head) keep(held *flock.Held) error {
	line := make([]byte, 0, headLen)
	line = append(appendDigits(line, h.Seq), ' ')
	line = append(append(line, h.Hash...), ' ')
	return held.Write(append(appendDigits(line, uint64(h.Size)), '\n'))
}

// appendDigits appends a number with twenty digits.
func appendDigits(dst []byte, n uint64) []byte {
	var digits [20]byte
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = '0' + byte(n%10)
		n /= 10
	}
	return append(dst, digits[:]...)
}

// differs says how a log that ends with this record contradicts the head; "" if
// it does not. A writer may have died before it kept its head, and an older
// program keeps none, so the log may be ahead.
func (h head) differs(last Receipt) string {
	switch {
	case last.Seq < h.Seq:
		return fmt.Sprintf("record %d had been written, but the log ends with record %d", h.Seq, last.Seq)
	case last.Seq == h.Seq && last.Hash != h.Hash, last.Seq == h.Seq+1 && last.Prev != h.Hash:
		return fmt.Sprintf("record %d is not the one that was written", h.Seq)
	}
	return ""
}

// look says what is wrong with the end of the log, without reading all of it;
// "" if nothing is. It costs one more read.
func (l *Log) look(c *current, held *flock.Held, removed bool) string {
	if l.opts.Mark == "" {
		return ""
	}
	h, known := readHead(held)
	l.begins = !known
	switch what := h.differs(c.tail); {
	case removed, !known && c.tail.Seq == 0 && l.marked():
		return "it was removed"
	case !known && l.marked():
		return "the note about its last record was removed"
	case c.forged:
		return fmt.Sprintf("record %d does not match its hash", c.tail.Seq)
	case c.strange > 0:
		return plural.Of(c.strange, "line") + " at its end cannot be read"
	case known && what != "":
		return what
	case known && c.tail.Seq == h.Seq && c.size > 0 && c.size != h.Size:
		return fmt.Sprintf("the records up to %d take up %d bytes, but were written as %d", h.Seq, c.size, h.Size)
	}
	return ""
}

// forgery reports whether the last line, if all of it was read, does not match
// its hash.
func forgery(tail []byte, whole bool) bool {
	for { // forwards is faster
		end := bytes.IndexByte(tail, '\n')
		if end < 0 {
			break
		}
		tail, whole = tail[end+1:], true
	}
	p, ok := split(tail)
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	return whole && ok && !h.is(&p)
}

// noticed is the record about what is wrong with the log.
func noticed(what string) []byte {
	now := time.Now()
	r := Record{ID: NewID(now), Time: now, Event: LogEvent, Error: &ErrorRecord{string(trammel.CodeEvidence), "the log has been changed: " +
		what}}
	return r.AppendJSON(nil)
}

// Removed reports whether the log in dir was removed. mark is the mark of its
// options.
func Removed(dir, mark string) bool {
	_, err := os.Stat(filepath.Join(dir, lockName)) // it is there before the mark, also if everything else was emptied
	_, had := os.Stat(mark)
	return mark != "" && errors.Is(err, os.ErrNotExist) && had == nil
}

// firstRecords may miss a mark, because their writer has died before it.
const firstRecords = 8

// keep keeps the head, and after it the mark: where there is a mark, there was a head.
func (l *Log) keep(h head, held *flock.Held) {
	if l.opts.Mark == "" || h.keep(held) != nil {
		return
	}
	if l.begins || h.Seq <= firstRecords && !l.marked() {
		l.mark()
	}
}

func (l *Log) marked() bool {
	_, err := os.Stat(l.opts.Mark)
	return err == nil
}

// mark writes the mark that a log exists.
func (l *Log) mark() {
	if err := os.MkdirAll(filepath.Dir(l.opts.Mark), 0o700); err == nil {
		_ = os.WriteFile(l.opts.Mark, []byte(l.dir+"\n"), 0o600) // without it, nobody notices that the log is removed
	}
}
