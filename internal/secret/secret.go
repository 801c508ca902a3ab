// Package secret finds secrets in text and redacts them, so that evidence and
// telemetry can describe what happened without revealing them. It recognizes
// secrets by their shape (a prefix that an issuer chose), by their name
// (password, token, …) and by their file (.env, id_rsa, …).
//
// It runs on every event, in a process that lives for a millisecond: there are
// no regular expressions and there is no work before the first call. Text is
// read once; a byte that cannot be the distinctive one of any shape costs one
// look into a table.
package secret

// Match is a secret in a text: its kind and its bytes.
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
func Redact(text string) (string, []Match) { return plain.redact(text) }

// Clean is Redact without the matches.
func Clean(text string) string {
	clean, _ := Redact(text)
	return clean
}

// plain spares nothing and marks by kind.
var plain Sieve
