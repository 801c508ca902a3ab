package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
)

// A line of the log is
//
//	{"body":{…},"hash":"<64 hex>","prev":"<64 hex>","seq":N}
//
// in canonical JSON. The hash is the SHA-256 of the same object without it. The
// keys are named so that the body comes first: all that a writer needs of the
// previous record is a suffix of fixed shape.
const (
	openBody = `{"body":`
	openHash = `,"hash":"`
	openPrev = `","prev":"`
	openSeq  = `","seq":`
	// In what is hashed, prev follows the body.
	openPrevHashed = `,"prev":"`

	hashLen = 2 * sha256.Size
	// maxSuffix is the maximum length of everything after the body.
	maxSuffix = len(openHash) + hashLen + len(openPrev) + hashLen + len(openSeq) + 20 + len("}\n")
)

// zeroHash is the prev of the first record.
const zeroHash = "0000000000000000000000000000000000000000000000000000000000000000"

// Receipt is the result of an append: the record's place in the chain.
type Receipt struct {
	Seq        uint64
	Hash, Prev string
	// Noticed says what was found wrong with the log when this was appended;
	// an earlier record says so, too. It is not part of the record.
	Noticed string
}

// next is the receipt of the record that follows r with this body.
func (r Receipt) next(body []byte) Receipt {
	n := Receipt{Seq: r.Seq + 1, Prev: r.following()}
	n.Hash = n.sum(body)
	return n
}

// following is the prev of the record that follows r.
func (r Receipt) following() string {
	if r.Seq == 0 {
		return zeroHash
	}
	return r.Hash
}

// sum is the hash that a record with this place and body must have.
func (r Receipt) sum(body []byte) string {
	h := sha256.New()
	var few [128]byte
	h.Write(append(few[:0], openBody...))
	h.Write(body)
	rest := append(few[:0], openPrevHashed...)
	rest = append(rest, r.Prev...)
	rest = append(rest, openSeq...)
	rest = strconv.AppendUint(rest, r.Seq, 10)
	h.Write(append(rest, '}'))
	var text [hashLen]byte
	hex.Encode(text[:], h.Sum(few[:0]))
	return string(text[:])
}

// line is the whole line, with its line ending.
func (r Receipt) line(body []byte) []byte {
	return r.appendLine(make([]byte, 0, len(openBody)+len(body)+maxSuffix), body)
}

func (r Receipt) appendLine(dst, body []byte) []byte {
	dst = append(dst, openBody...)
	dst = append(dst, body...)
	dst = append(dst, openHash...)
	dst = append(dst, r.Hash...)
	dst = append(dst, openPrev...)
	dst = append(dst, r.Prev...)
	dst = append(dst, openSeq...)
	dst = strconv.AppendUint(dst, r.Seq, 10)
	return append(dst, "}\n"...)
}

// parseSuffix reads a record's place from the end of its line, of which the
// tail is enough; the line ending is already removed. rest is the part of the
// tail before the suffix.
func parseSuffix(tail []byte) (r Receipt, rest []byte, ok bool) {
	n := len(tail) - 1
	if n < 0 || tail[n] != '}' {
		return r, nil, false
	}
	digits := n
	for digits > 0 && '0' <= tail[digits-1] && tail[digits-1] <= '9' {
		digits--
	}
	seq, err := strconv.ParseUint(string(tail[digits:n]), 10, 64)
	if err != nil || seq == 0 || tail[digits] == '0' {
		return r, nil, false
	}
	begin := digits - len(openHash) - hashLen - len(openPrev) - hashLen - len(openSeq)
	if begin < 0 {
		return r, nil, false
	}
	hash := tail[begin+len(openHash):][:hashLen]
	prev := tail[begin+len(openHash)+hashLen+len(openPrev):][:hashLen]
	place := string(tail[begin:digits]) // both hashes are parts of it
	if place != openHash+string(hash)+openPrev+string(prev)+openSeq || !isHex(hash) || !isHex(prev) {
		return r, nil, false
	}
	r = Receipt{Seq: seq, Hash: place[len(openHash):][:hashLen], Prev: place[len(place)-len(openSeq)-hashLen:][:hashLen]}
	return r, tail[:begin], true
}

// parseLine reads a whole line without its line ending.
func parseLine(line []byte) (r Receipt, body []byte, ok bool) {
	r, rest, ok := parseSuffix(line)
	if !ok || !bytes.HasPrefix(rest, []byte(openBody)) {
		return r, nil, false
	}
	return r, rest[len(openBody):], true
}

// hexDigits is 1 for the digits of a digest.
var hexDigits = [256]byte{'0': 1, '1': 1, '2': 1, '3': 1, '4': 1, '5': 1, '6': 1, '7': 1, '8': 1, '9': 1,
	'a': 1, 'b': 1, 'c': 1, 'd': 1, 'e': 1, 'f': 1}

// isHex has no branch per digit: branches on a digest cannot be predicted.
func isHex(s []byte) bool {
	all := byte(1)
	for _, c := range s {
		all &= hexDigits[c]
	}
	return all == 1
}

// checkBody refuses a body that would break the log's shape. The writer
// promises that it is canonical; that is checked when the log is verified.
func checkBody(body []byte) error {
	if len(body) < 2 || body[0] != '{' || body[len(body)-1] != '}' || bytes.IndexByte(body, '\n') >= 0 {
		return fmt.Errorf("body of %d bytes is not a JSON object on one line", len(body))
	}
	return nil
}
