package truncateoutput

import (
	"fmt"
	"unicode/utf8"
)

// characters counts them. Whatever is short in bytes is short in characters,
// so most outputs are not even looked at.
func characters(s string, limit int) int {
	if len(s) <= limit {
		return len(s)
	}
	return utf8.RuneCountInString(s)
}

// cut returns the part of an output that the model gets, with a remark where
// the rest was. The whole of it has t.Characters characters at most.
func (t *truncater) cut(s string, size int, path string) string {
	remark := func(n int) string {
		return fmt.Sprintf("[%d of %d characters are left out here. The whole output is in %s; read the parts of it that you need.]", n, size,
			path)
	}
	// The number in the remark is shorter than size, or as long.
	room := max(0, t.Characters-utf8.RuneCountInString(remark(size))-2*len("\n\n"))
	note := remark(size - room)
	switch t.Part {
	case "tail":
		return note + "\n\n" + s[back(s, room):]
	case "both":
		return s[:ahead(s, room-room/2)] + "\n\n" + note + "\n\n" + s[back(s, room/2):]
	}
	return s[:ahead(s, room)] + "\n\n" + note
}

// ahead is where the first n characters of s end, which has more.
func ahead(s string, n int) int {
	at := 0
	for ; n > 0; n-- {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at
}

// back is where the last n characters of s begin.
func back(s string, n int) int {
	at := len(s)
	for ; n > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return at
}
