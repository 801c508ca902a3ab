package compute

import (
	"fmt"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Braces returns the words that a word whose braces are split becomes. It reports
// false if these are more than limit.
func Braces(w *syntax.Word, limit int) ([]*syntax.Word, bool) {
	out := []*syntax.Word{{}}
	for _, part := range w.Parts {
		brace, ok := part.(*syntax.BraceExp)
		if !ok {
			for _, o := range out {
				o.Parts = append(o.Parts, part)
			}
			continue
		}
		choices, ok := braceChoices(brace, limit)
		if !ok || len(out)*len(choices) > limit {
			return nil, false
		}
		next := make([]*syntax.Word, 0, len(out)*len(choices))
		for _, o := range out {
			for _, c := range choices {
				next = append(next, &syntax.Word{Parts: append(o.Parts[:len(o.Parts):len(o.Parts)], c.Parts...)})
			}
		}
		out = next
	}
	return out, true
}

func braceChoices(b *syntax.BraceExp, limit int) ([]*syntax.Word, bool) {
	var out []*syntax.Word
	if !b.Sequence {
		for _, e := range b.Elems {
			words, ok := Braces(e, limit)
			if out = append(out, words...); !ok || len(out) > limit {
				return nil, false
			}
		}
		return out, true
	}
	from, to, step := b.Elems[0].Lit(), b.Elems[1].Lit(), 1
	if len(b.Elems) > 2 {
		step, _ = strconv.Atoi(b.Elems[2].Lit())
	}
	step = max(step, -step, 1)
	a, err := strconv.Atoi(from)
	z, err2 := strconv.Atoi(to)
	letters := err != nil || err2 != nil
	if letters {
		if len(from) != 1 || len(to) != 1 {
			return nil, false
		}
		a, z = int(from[0]), int(to[0])
	}
	width := 0
	if isPadded(from) || isPadded(to) {
		width = max(len(from), len(to))
	}
	const far = 1 << 40
	if max(a, -a, z, -z, step) > far || min(a, z, step) < -far || max(z-a, a-z)/step > limit {
		return nil, false
	}
	for i := a; a <= z && i <= z || a > z && i >= z; {
		text := string(rune(i))
		if !letters {
			text = fmt.Sprintf("%0*d", width, i)
		}
		out = append(out, &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: text}}})
		if a <= z {
			i += step
		} else {
			i -= step
		}
	}
	return out, true
}

func isPadded(number string) bool {
	number = strings.TrimPrefix(number, "-")
	return len(number) > 1 && number[0] == '0'
}
