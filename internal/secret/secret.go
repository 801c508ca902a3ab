// Package secret finds secrets in text and takes them out, so that evidence
// and telemetry can tell what happened without giving away what it happened
// with. It knows secrets by their shape (a prefix that an issuer chose), by the
// name they are kept under (password, token, …) and by the file they come from
// (.env, id_rsa, …).
//
// It runs on every event, in a process that lives for a millisecond: there are
// no regular expressions and there is no work before the first call. Text is
// read once; a byte that cannot be the distinctive one of any shape costs one
// look into a table.
package secret

import "strings"

// Match is a secret in a text: what it is, and the bytes it takes.
type Match struct {
	Kind       string
	Start, End int
}

// Find returns the secrets in text, in order, without overlaps.
func Find(text string) []Match {
	s := scanner{text: text}
	s.scan()
	return s.found
}

// Redact replaces each secret in text by [REDACTED:kind]. The matches are the
// secrets as they stand in text. Redacting the result again changes nothing.
func Redact(text string) (string, []Match) {
	found := Find(text)
	if len(found) == 0 {
		return text, nil
	}
	out := replace(text, found)
	// What stood beside a secret may only now look like one. Each round takes
	// bytes away that are not part of a mark, so few rounds are ever needed; a
	// text that wants more was made to, and goes whole.
	for range maxRounds {
		more := Find(out)
		if len(more) == 0 {
			return out, found
		}
		out = replace(out, more)
	}
	return mark("text"), found
}

const maxRounds = 8

func replace(text string, found []Match) string {
	var b strings.Builder
	b.Grow(len(text) + 16*len(found))
	at := 0
	for _, m := range found {
		b.WriteString(text[at:m.Start])
		b.WriteString(mark(m.Kind))
		at = m.End
	}
	b.WriteString(text[at:])
	return b.String()
}

const markPrefix = "[REDACTED:"

// mark is what stands in for a secret.
func mark(kind string) string { return markPrefix + kind + "]" }

// marked returns how many bytes of a mark text begins with.
func marked(text string) int {
	if !strings.HasPrefix(text, markPrefix) {
		return 0
	}
	n := len(markPrefix)
	for n < len(text) && n < 64 && classes[text[n]]&(lower|digit|minus) != 0 {
		n++
	}
	if n == len(text) || text[n] != ']' {
		return 0
	}
	return n + 1
}
