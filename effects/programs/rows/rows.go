// Package rows finds a row by its name in sorted text: NAME, a tab, what it says. A
// row goes on in lines that begin with a tab.
package rows

import "strings"

// Find finds a row by the table's index, which holds the length of the table it was
// made for, then a hash of each name and where its row begins, sorted by hash, four
// bytes each. A stale index is not used.
func Find(table, index, name string) (at int, body string) {
	if len(index) < 8 || number(index, 0) != uint32(len(table)) {
		return Bisect(table, name)
	}
	want := Hash(name)
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
			return at, table[at+len(name)+1 : Next(table, at+1, len(table))]
		}
	}
	return -1, ""
}

func number(s string, i int) uint32 {
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
}

// Hash is FNV-1a.
func Hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// Bisect finds where the row with a name begins in sorted rows, -1 if there is none,
// and what it says. A row goes on in lines that begin with a tab.
func Bisect(rows, name string) (at int, body string) {
	if name == "" || name[0] == '#' {
		return -1, ""
	}
	low, high := 0, len(rows)
	for low < high {
		middle := low + (high-low)/2
		at := Next(rows, middle, high)
		if at == high { // no row begins in the second half
			if middle > low {
				high = middle
				continue
			}
			at = low
		}
		switch order := compare(rows[at:], name); {
		case order == 0:
			return at, rows[at+len(name)+1 : Next(rows, at+1, len(rows))]
		case order < 0:
			low = Next(rows, at+1, high)
		default:
			high = at
		}
	}
	return -1, ""
}

// compare compares the name of the row at the beginning of rows with another.
func compare(rows, name string) int {
	for i := range len(name) {
		if i >= len(rows) || rows[i] < name[i] {
			return -1
		} else if rows[i] > name[i] {
			return 1
		}
	}
	if len(rows) <= len(name) || rows[len(name)] != '\t' {
		return 1
	}
	return 0
}

// Next is where the first row at or behind a place begins, high if none does
// before that.
func Next(rows string, at, high int) int {
	switch {
	case at >= high:
		return high
	case at == 0 || rows[at-1] == '\n' && rows[at] != '\t':
		return at
	}
	for {
		n := strings.IndexByte(rows[at:high], '\n')
		if n < 0 || at+n+1 >= high {
			return high
		}
		if at += n + 1; rows[at] != '\t' {
			return at
		}
	}
}
