package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strconv"
	"sync"

	"github.com/trammel-dev/trammel/internal/canonical"
)

// stretch is what examine finds out about a chunk by itself.
type stretch struct {
	sound   bool          // all lines are records, each follows the one before it, and each is what its hash says
	first   uint64        // the number of the first record
	prev    string        // what the first record follows
	hash    [hashLen]byte // of the last record
	last    [hashLen]byte // what the last record follows
	records uint64
}

type hasher struct {
	sha  hash.Hash
	sum  [sha256.Size]byte
	text [hashLen]byte
}

var hashers = sync.Pool{New: func() any { return &hasher{sha: sha256.New()} }}

// examine checks a chunk as Verify does, but for what only the chunks before it
// can tell. It says no more than whether all is well: what is not is looked at
// again, line by line.
func examine(c *chunk) (s stretch) {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	var last []byte
	for rest := c.data; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			return s
		}
		p, ok := split(rest[:end])
		if !ok || !canonical.Valid(p.body) || !h.is(&p) {
			return s
		}
		if s.records == 0 {
			s.first, s.prev = p.seq, string(p.prev)
		} else if p.seq != s.first+s.records || !bytes.Equal(p.prev, last) {
			return s
		}
		last = p.hash
		copy(s.last[:], p.prev)
		s.records++
		rest = rest[end+1:]
	}
	copy(s.hash[:], last)
	s.sound = true
	return s
}

// parts is a line taken apart, without a copy.
type parts struct {
	line       []byte
	body       []byte
	hash, prev []byte
	seq        uint64
	behind     int // where that begins which is hashed behind the body
}

// split takes a line apart. That the hashes are hexadecimal is not looked at.
func split(line []byte) (p parts, ok bool) {
	end := len(line) - 1
	digits := end
	for digits > 0 && '0' <= line[digits-1] && line[digits-1] <= '9' {
		digits--
	}
	fixed := digits - len(openSeq) - hashLen - len(openPrev) - hashLen - len(openHash)
	if fixed < len(openBody) || line[end] != '}' || digits == end || line[digits] == '0' {
		return p, false
	}
	seq, err := strconv.ParseUint(string(line[digits:end]), 10, 64)
	if err != nil {
		return p, false
	}
	p = parts{line: line, seq: seq, body: line[len(openBody):fixed]}
	at := fixed
	take := func(n int) []byte { at += n; return line[at-n : at] }
	ok = string(take(len(openHash))) == openHash
	p.hash = take(hashLen)
	p.behind = at + 1
	ok = ok && string(take(len(openPrev))) == openPrev
	p.prev = take(hashLen)
	return p, ok && string(take(len(openSeq))) == openSeq && string(line[:len(openBody)]) == openBody
}

// is reports whether the record is what its hash says. What is hashed, the
// record without its hash, stands in the line in two pieces.
func (h *hasher) is(p *parts) bool {
	h.sha.Reset()
	h.sha.Write(p.line[:len(openBody)+len(p.body)])
	h.sha.Write(p.line[p.behind:])
	hex.Encode(h.text[:], h.sha.Sum(h.sum[:0]))
	return string(h.text[:]) == string(p.hash)
}
