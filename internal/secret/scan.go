package secret

import "strings"

// scanner reads a text once, from trigger to trigger. Whatever the text, the
// work stays in proportion to its length: each look around a trigger is
// bounded, and only what is taken for a secret is followed to its end.
type scanner struct {
	text  string
	found []Match
	// shapesOnly: names of values do not count.
	shapesOnly bool
	// endless: no PEM block ends behind the one that was last looked at.
	endless bool
	// noJWT is the end of a run of characters in which no JWT begins.
	noJWT int
}

// look is how far a candidate is looked at before it is taken for a secret.
const look = 192

// glance is the same for values under a telling name, which are frequent.
const glance = 128

// trigger is what a byte may be the distinctive one of.
type trigger uint8

const (
	none trigger = iota
	underscore
	dash
	dot
	colon
	equals
	upperA  // AKIA…, AIza…, ATATT…, AC…
	upperE  // EAAA…
	upperJ  // eyJ…
	upperS  // SK…
	letterB // Bearer …
	letterP // dapi…, password …
	tilde   // 8Q~…, sha256~…
	angle   // </password>
	bracket // our own mark, which is passed over
)

var triggers = [256]trigger{
	'_': underscore, '-': dash, '.': dot, ':': colon, '=': equals,
	'A': upperA, 'E': upperE, 'J': upperJ, 'S': upperS, 'B': letterB, 'b': letterB, 'p': letterP, 'P': letterP, '~': tilde, '<': angle,
	'[': bracket,
}

func (s *scanner) scan() {
	text := s.text
	for i := 0; i < len(text); {
		t := triggers[text[i]]
		if t == none {
			i++
			continue
		}
		i = max(i+1, s.pull(t, i))
	}
}

// pull looks for a secret around the trigger at i and returns where to go on.
func (s *scanner) pull(t trigger, i int) int {
	if s.shapesOnly && (t == equals || t == angle) {
		return i + 1
	}
	switch t {
	case underscore:
		if strings.HasPrefix(s.text[i+1:], "token$") {
			return s.paypal(i)
		}
		return s.prefixed(t, i)
	case dash:
		return s.dash(i)
	case dot:
		return s.dot(i)
	case colon:
		return s.colon(i)
	case equals:
		return s.assignment(i)
	case upperA, upperE, upperS:
		return s.prefixed(t, i)
	case upperJ:
		return s.jwt(i)
	case letterB:
		return s.bearer(i)
	case letterP:
		return s.letterP(i)
	case tilde:
		return s.tilde(i)
	case angle:
		return s.element(i)
	case bracket:
		return i + marked(s.text[i:])
	}
	return i + 1
}

// add notes a secret and returns where it ends. Bytes that already belong to
// the one before are not taken twice.
func (s *scanner) add(kind string, start, end int) int {
	if n := len(s.found); n > 0 {
		start = max(start, s.found[n-1].End)
	}
	if start < end {
		s.found = append(s.found, Match{kind, start, end})
	}
	return end
}

// at returns the byte at i, or 0 beyond either end.
func (s *scanner) at(i int) byte {
	if i < 0 || i >= len(s.text) {
		return 0
	}
	return s.text[i]
}

// run returns where the run of bytes of a class that begins at i ends.
func (s *scanner) run(i int, c class) int { return s.runMax(i, c, len(s.text)) }

// runMax is run, but ends after n bytes.
func (s *scanner) runMax(i int, c class, n int) int {
	for stop := min(i+n, len(s.text)); i < stop && classes[s.text[i]]&c != 0; {
		i++
	}
	return i
}

// starts reports whether a word can start at i: what stands before is no
// letter or digit, or it is the end of an escape (\n, \u003d, %3D, a colour).
func (s *scanner) starts(i int) bool {
	before := s.at(i - 1)
	if classes[before]&alnum == 0 {
		return true
	}
	switch before {
	case 'n', 't', 'r', 'f', 'b', 'v':
		if s.at(i-2) == '\\' {
			return true
		}
	case 'm': // ESC [ 3 2 m
		j := i - 2
		for j > i-12 && (s.at(j) == ';' || classes[s.at(j)]&digit != 0) {
			j--
		}
		if s.at(j) == '[' {
			return true
		}
	}
	return s.at(i-3) == '%' || s.at(i-4) == '\\' && s.at(i-3) == 'x' || s.at(i-6) == '\\' && s.at(i-5) == 'u'
}
