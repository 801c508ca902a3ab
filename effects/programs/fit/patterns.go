package fit

import (
	"strings"
	"sync/atomic"

	"github.com/trammel-dev/trammel/effects/programs/options"
)

// Patterns are those of one field of the table, taken apart when they are first
// compared with something. The zero value is ready to use.
type Patterns struct{ parts atomic.Pointer[parts] }

// Any reports whether one of the patterns fits, which are always the same for the
// same value of Patterns.
func (p *Patterns) Any(patterns string, a *options.Args) bool {
	known := p.parts.Load()
	if known == nil {
		known = apart(patterns)
		p.parts.Store(known)
	}
	return known.any(a)
}

// parts are patterns, taken apart: words in their order, each with alternatives
// (rm|del) and stars; ** for any words; $ for the end; and options, wherever they
// are: -f|--force, --replicas=0, !--all.
type parts struct {
	terms []term
	words []word // of all terms
}

// term is one part of a pattern.
type term struct {
	sort     sort
	option   string
	from, to int // its words
}

type sort uint8

const (
	oneWord  sort = iota
	anyWords      // **
	noWord        // $
	given
	missing
	end // of the pattern
)

func apart(patterns string) *parts {
	p := &parts{terms: make([]term, 0, 1+strings.Count(patterns, " ")+2*strings.Count(patterns, ",")),
		words: make([]word, 0, 1+strings.Count(patterns, "|")+strings.Count(patterns, " ")+strings.Count(patterns, ","))}
	for patterns != "" {
		var pattern string
		for pattern, patterns, _ = strings.Cut(patterns, ","); pattern != ""; {
			var text string
			if text, pattern = options.CutToken(pattern); text != "" {
				p.add(text)
			}
		}
		p.terms = append(p.terms, term{sort: end})
	}
	return p
}

func (p *parts) add(text string) {
	t := term{from: len(p.words)}
	switch {
	case text == "$":
		t.sort = noWord
	case text == "**":
		t.sort = anyWords
	case strings.HasPrefix(text, "!-"):
		t.sort, t.option = missing, text[1:]
	case text[0] == '-':
		t.sort, t.option = given, text
	default:
		for text != "" {
			var one word
			one, text = cut(text)
			p.words = append(p.words, one)
		}
		t.to = len(p.words)
	}
	p.terms = append(p.terms, t)
}

func (p *parts) any(a *options.Args) bool {
	var space [8]operand
	operands := space[:0]
	for i := range a.Operands {
		operands = append(operands, operandOf(&a.Operands[i]))
	}
	for at := 0; at < len(p.terms); {
		if p.all(at, a, operands) {
			return true
		}
		for p.terms[at].sort != end {
			at++
		}
		at++
	}
	return false
}

// all reports whether the pattern that begins with a term fits.
func (p *parts) all(first int, a *options.Args, operands []operand) bool {
	at, any := 0, false
	for i := first; ; i++ {
		switch t := &p.terms[i]; t.sort {
		case end:
			return true
		case noWord:
			if at < len(operands) {
				return false
			}
		case anyWords:
			any = true
		case missing:
			if Given(t.option, a) {
				return false
			}
		case given:
			if !Given(t.option, a) {
				return false
			}
		default:
			for any && at < len(operands) && !p.says(t, &operands[at]) {
				at++
			}
			if at >= len(operands) || !any && !p.says(t, &operands[at]) {
				return false
			}
			at, any = at+1, false
		}
	}
}

// says reports whether an operand is one of the words of a term.
func (p *parts) says(t *term, to *operand) bool {
	for i := t.from; i < t.to; i++ {
		if p.words[i].is(to) {
			return true
		}
	}
	return false
}
