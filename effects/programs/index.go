package programs

import _ "embed"

// index says where the rows of the table begin, so that one is found in a few
// steps: the length of the table it was made for, then a hash of each name and
// where its row begins, sorted by hash, four bytes each. A test makes it
// (go test ./effects/programs -update); while it is stale the table itself is
// searched, which is as right, and slower.
//
//go:embed table.idx
var index string

// rowOf is bisect over the table.
func rowOf(name string) (at int, body string) {
	if len(index) < 8 || number(index, 0) != uint32(len(table)) {
		return bisect(table, name)
	}
	want := hash(name)
	low, high := 8, len(index)
	for low < high {
		if middle := low + (high-low)/16*8; number(index, middle) < want {
			low = middle + 8
		} else {
			high = middle
		}
	}
	for ; low+8 <= len(index) && number(index, low) == want; low += 8 {
		at := int(number(index, low+4))
		if at < len(table) && compare(table[at:], name) == 0 {
			return at, table[at+len(name)+1 : next(table, at+1, len(table))]
		}
	}
	return -1, ""
}

func number(s string, i int) uint32 {
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
}

// hash is FNV-1a.
func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}
