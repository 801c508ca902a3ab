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

// stretch is what examine finds in a single chunk.
type stretch struct {
	sound   bool          // all lines are records, each follows the one before it, and each matches its hash
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

// examine checks a chunk like Verify, except for what depends on the chunks
// before it. It only says whether all is well; if not, the chunk is checked
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
	behind     int // where the part begins that is hashed after the body
}

// split takes a line apart. It does not check that the hashes are hexadecimal.
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

// is reports whether the record matches its hash. The hashed bytes, the record
// without its hash, are in two pieces of the line.
func (h *hasher) is(p *parts) bool {
	h.sha.Reset()
	h.sha.Write(p.line[:len(openBody)+len(p.body)])
	h.sha.Write(p.line[p.behind:])
	hex.Encode(h.text[:], h.sha.Sum(h.sum[:0]))
	return string(h.text[:]) == string(p.hash)
}
