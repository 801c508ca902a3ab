package outputguard

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/trammel-dev/trammel/effects/names"
)

//go:embed phrases.txt
var phraseTexts string

// term is one place in a phrase: one of these words, after at most gap others.
type term struct {
	words []string
	gap   int
}

// phrase is a row of phrases.txt.
type phrase struct {
	terms  []term
	unless []string
}

// near is how many words after the first one an exception counts.
const near = 6

// table is phrases.txt, parsed.
type table struct {
	byFirst map[string][]phrase
	keys    [256][]string // rare words without which no phrase and no sign is there, by their first byte
}

var phrases = sync.OnceValue(func() *table {
	t := &table{byFirst: map[string][]phrase{}}
	var lists []string // names and what they stand for
	for line := range strings.Lines(names.Plain(phraseTexts)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if name, words, _ := strings.Cut(line, " "); name[0] == '@' && !strings.ContainsAny(name, "|!") && !strings.Contains(words, " ") {
			lists = append(lists, name, words)
			continue
		}
		row, unless, _ := strings.Cut(strings.NewReplacer(lists...).Replace(line), " / ")
		p, gap := phrase{unless: strings.Fields(unless)}, 0
		for text := range strings.FieldsSeq(row) {
			if text == ".." || text == "..." {
				gap = len(text)*3 - 4 // 2 or 5
				continue
			}
			text, key := strings.CutSuffix(text, "!")
			words := strings.Split(text, "|")
			if key {
				t.key(words...)
			}
			p.terms = append(p.terms, term{words, gap})
			gap = 0
		}
		for _, first := range p.terms[0].words {
			t.byFirst[first] = append(t.byFirst[first], p)
		}
	}
	for _, sign := range signs {
		t.key(strings.TrimLeft(sign, "<|/[# "))
	}
	t.key(turns[:]...)
	return t
})

func (t *table) key(words ...string) {
	for _, w := range words {
		if !slices.Contains(t.keys[w[0]], w) {
			t.keys[w[0]] = append(t.keys[w[0]], w)
		}
	}
}

// at reports whether the words begin with a phrase.
func (p *phrase) at(words []string) bool {
	for _, w := range words[:min(len(words), near+1)] {
		if slices.Contains(p.unless, w) {
			return false
		}
	}
	return follow(p.terms[1:], words[1:])
}

// follow reports whether the terms are found in the words, each after its gap.
func follow(terms []term, words []string) bool {
	if len(terms) == 0 {
		return true
	}
	for i := 0; i <= terms[0].gap && i < len(words); i++ {
		if slices.Contains(terms[0].words, words[i]) && follow(terms[1:], words[i+1:]) {
			return true
		}
	}
	return false
}
