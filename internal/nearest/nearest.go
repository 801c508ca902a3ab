// Package nearest finds the word that somebody may have meant.
package nearest

import "strings"

// Word is the known word that is nearest to what was written, or "" if none is
// near, or if it is that word already.
func Word(word string, known []string) string {
	best, least := "", max(1, len(word)/3)
	for _, k := range known {
		if d := distance(strings.ToLower(word), k, least); d <= least && (best == "" || d < least) {
			best, least = k, d
		}
	}
	if best == word {
		return ""
	}
	return best
}

// Typo is the known word that differs from what was written by one slip of the fingers: a
// letter too many, too few, or another one, or two that are swapped; in a word of up to
// four letters only the last, or a letter that is doubled. It is "" if there is none, or if the word is known.
func Typo(word string, known []string) string {
	found := ""
	for _, k := range known {
		switch {
		case k == word:
			return ""
		case found == "" && (len(k) > 4 || len(k) == len(word) && differences(word, k) == 2 || len(k) > 2 && doubles(word, k)) &&
			distance(word, k, 1) == 1:
			found = k
		}
	}
	return found
}

// doubles reports whether a is b with one letter twice: pussh.
func doubles(a, b string) bool {
	for i := range len(b) {
		if a == b[:i+1]+b[i:] {
			return true
		}
	}
	return false
}

func differences(a, b string) (n int) {
	for i := range len(a) {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// distance is how many letters must be inserted, dropped, replaced or swapped
// with their neighbor, or something above most if it is more than that.
func distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	var before, last []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last = last, row
		row = make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
