package fst

import (
	"slices"
	"unicode"
)

// There are more letters that look like Latin ones than any list has. So a
// letter from outside of ASCII in a name may stand for any other, if the rest
// of the name is that of a forbidden one.

// letter is a letter of a name as a reader could take it.
type letter struct {
	plain rune // what it most likely stands for; -1 for nothing
	wild  bool // it may stand for another letter, or for none or two
	free  bool // it may stand for nothing, as signs do
	odd   bool // it is of a script in which names are not usually written, or an unusual Latin letter
}

// lettersOf reads a name, up to one letter more than the limit.
func lettersOf(name string, most int) (out []letter) {
	for _, r := range name {
		l := letter{plain: plain(r)}
		if r >= 0x80 && !unicode.In(r, unicode.Mn, unicode.Me, unicode.Z, unicode.C) {
			l.wild, l.free, l.odd = true, !unicode.IsLetter(r), !unicode.In(r, usual...)
		}
		if l.plain < 0 && !l.wild {
			continue
		}
		if out = append(out, l); len(out) > most {
			break
		}
	}
	return out
}

// usual are the scripts of living languages whose letters do not look like
// Latin ones.
var usual = []*unicode.RangeTable{unicode.Arabic, unicode.Armenian, unicode.Bengali, unicode.Bopomofo, unicode.Cyrillic, unicode.Devanagari,
	unicode.Ethiopic, unicode.Georgian, unicode.Greek, unicode.Gujarati, unicode.Gurmukhi, unicode.Han, unicode.Hangul, unicode.Hebrew,
	unicode.Hiragana, unicode.Kannada, unicode.Katakana, unicode.Khmer, unicode.Lao, unicode.Malayalam, unicode.Myanmar, unicode.Oriya,
	unicode.Sinhala, unicode.Tamil, unicode.Telugu, unicode.Thaana, unicode.Thai, unicode.Tibetan}

// looksLike reports whether letters can be read as a folded name: all that are
// plain agree, at most one of the others stands for nothing or for two, and half
// of the name is there in letters that are plain or odd.
func looksLike(letters []letter, name []byte) bool {
	if len(letters) < len(name)/2 || !agrees(letters, name) {
		return false
	}
	// best[j][k] is how many letters of name[:j] are sure, having bent k times; -1 if it cannot be.
	const bends = 2
	best := make([][bends + 1]int, len(name)+1)
	for j := range best {
		best[j] = [bends + 1]int{-1, -1, -1}
	}
	best[0][0] = 0
	for _, l := range letters {
		next := make([][bends + 1]int, len(name)+1)
		for j := range next {
			next[j] = [bends + 1]int{-1, -1, -1}
		}
		for j := range best {
			for k, sure := range best[j] {
				if sure >= 0 {
					l.read(next, name, j, k, sure)
				}
			}
		}
		best = next
	}
	for _, sure := range best[len(name)] {
		if 2*sure >= len(name) {
			return true
		}
	}
	return false
}

// agrees reports whether a name has all plain letters in their order, which
// settles almost every name at once.
func agrees(letters []letter, name []byte) bool {
	for _, l := range letters {
		if l.wild {
			continue
		}
		i := slices.Index(name, byte(l.plain))
		if i < 0 {
			return false
		}
		name = name[i+1:]
	}
	return true
}

// read takes one letter further: next gains what is possible after it.
func (l letter) read(next [][3]int, name []byte, j, k, sure int) {
	put := func(j, k, sure int) {
		if j < len(next) && k < len(next[j]) {
			next[j][k] = max(next[j][k], sure)
		}
	}
	one := 0
	if l.odd {
		one = 1
	}
	switch {
	case j < len(name) && l.plain == rune(name[j]):
		put(j+1, k, sure+1)
	case l.wild:
		put(j+1, k, sure+one)
	}
	if l.wild {
		put(j+2, k+1, sure+2*one)
		if l.free {
			put(j, k, sure)
		} else {
			put(j, k+1, sure)
		}
	}
}
