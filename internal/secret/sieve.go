package secret

import "strings"

// Sieve redacts secrets with options. The zero value redacts every secret and
// shows its kind.
type Sieve struct {
	// Spare reports whether a secret stays where it is. Nil spares none.
	Spare func(kind, value string) bool
	// Bare marks are [REDACTED], without the kind.
	Bare bool
}

// Secret is one that was found, apart from the text it stood in.
type Secret struct{ Kind, Value string }

// Text redacts the secrets in a text and returns them.
func (s *Sieve) Text(text string) (string, []Secret) {
	safe, found := s.redact(text)
	if len(found) == 0 {
		return text, nil
	}
	out := make([]Secret, len(found))
	for i, m := range found {
		out[i] = Secret{m.Kind, text[m.Start:m.End]}
	}
	return safe, out
}

// Value redacts the secrets in a decoded JSON value and returns them. v is
// not changed; what has no secret in it is shared with the result.
func (s *Sieve) Value(v any) (any, []Secret) {
	w := walker{sieve: s}
	safe := w.value(v, nil, false)
	return safe, w.found
}

// Patch redacts the secrets in the arguments of a call: it returns the whole
// new value of each argument that had one, and nothing of the others. named
// reports a secret that is the name of an argument, which no patch can fix.
func (s *Sieve) Patch(input map[string]any) (patch map[string]any, found []Secret, named bool) {
	w := walker{sieve: s}
	_, pair := about(input)
	for key, v := range input {
		before := len(w.found)
		safe := w.value(v, ruleIn(key, pair, nil), false)
		if len(w.found) > before {
			if patch == nil {
				patch = make(map[string]any, 1)
			}
			patch[key] = safe
		}
		named = named || w.key(key) != key
	}
	return patch, w.found, named
}

func (s *Sieve) redact(text string) (string, []Match) {
	found := s.find(text)
	if len(found) == 0 {
		return text, nil
	}
	out := s.replace(text, found)
	// What stood beside a secret may only now look like one. Each round takes
	// bytes away that are not part of a mark, so few rounds are ever needed; a
	// text that wants more was made to, and goes whole.
	for range maxRounds {
		more := s.find(out)
		if len(more) == 0 {
			return out, found
		}
		out = s.replace(out, more)
	}
	return s.mark("text"), found
}

const maxRounds = 8

func (s *Sieve) find(text string) []Match {
	found := Find(text)
	if s.Spare == nil {
		return found
	}
	kept := found[:0]
	for _, m := range found {
		if !s.Spare(m.Kind, text[m.Start:m.End]) {
			kept = append(kept, m)
		}
	}
	return kept
}

func (s *Sieve) replace(text string, found []Match) string {
	var b strings.Builder
	b.Grow(len(text) + 16*len(found))
	at := 0
	for _, m := range found {
		b.WriteString(text[at:m.Start])
		b.WriteString(s.mark(m.Kind))
		at = m.End
	}
	b.WriteString(text[at:])
	return b.String()
}

const (
	markOpen = "[REDACTED"
	bareMark = markOpen + "]"
)

// mark is the replacement of a secret.
func (s *Sieve) mark(kind string) string {
	if s.Bare {
		return bareMark
	}
	return mark(kind)
}

func mark(kind string) string { return markOpen + ":" + kind + "]" }

// Marked reports whether a secret was taken out of text, or of what it was made
// from: whether there is a mark with a kind in it.
func Marked(text string) bool {
	for {
		at := strings.Index(text, markOpen+":")
		if at < 0 {
			return false
		}
		text = text[at:]
		if n := marked(text); n > len(markOpen)+2 {
			return true
		}
		text = text[len(markOpen):]
	}
}

// marked returns how many bytes of a mark text begins with.
func marked(text string) int {
	if !strings.HasPrefix(text, markOpen) || len(text) == len(markOpen) {
		return 0
	}
	switch text[len(markOpen)] {
	case ']':
		return len(bareMark)
	case ':':
	default:
		return 0
	}
	n := len(markOpen) + 1
	for n < len(text) && n < 64 && classes[text[n]]&(lower|digit|minus) != 0 {
		n++
	}
	if n == len(text) || text[n] != ']' {
		return 0
	}
	return n + 1
}
