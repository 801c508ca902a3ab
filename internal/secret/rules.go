package secret

import (
	"strconv"
	"strings"
	"sync/atomic"
)

// rules are the rows of ruleRows that a text has asked for.
var rules [len(ruleRows)][128]atomic.Pointer[[]rule]

// rulesOf lists the rules for the trigger at i. The first that fits wins.
func (s *scanner) rulesOf(t trigger, i int) []rule {
	before := byte(0)
	if t <= dot {
		before = s.at(i-1) & 127 // of bytes above, none fits
	}
	rows := ruleRows[t][before]
	if rows == "" {
		return nil
	}
	kept := &rules[t][before]
	list := kept.Load()
	if list == nil {
		list = readRules(rows, s.text[i:i+1])
		kept.Store(list)
	}
	return *list
}

func readRules(rows, sign string) *[]rule {
	list := new([]rule)
	for row := range strings.SplitSeq(rows, "; ") {
		var r rule
		r.kind, row, _ = strings.Cut(row, " ")
		for row != "" {
			var field string
			var prefix bool
			field, row, _ = strings.Cut(row, " ")
			if r.head, r.tail, prefix = strings.Cut(field, sign); prefix {
				*list = append(*list, r)
			} else {
				r.demand(field)
			}
		}
	}
	return list
}

// demands are the words of a row: classes and checks. All else is its minimum.
var demands = [...]struct {
	word  string
	class class
	check check
}{
	{"starting", 0, starting}, {"mixed", 0, mixed}, {"exact", 0, exact},
	{"hex", hex, 0}, {"hexdash", hex | minus, 0}, {"capitals", upper | digit, 0}, {"alnum", alnum, 0}, {"word", word, 0},
	{"token", token, 0}, {"dotted", dotted, 0}, {"base64", base64, 0}, {"anything", anything, 0},
}

func (r *rule) demand(word string) {
	for i := range demands {
		if d := &demands[i]; d.word == word {
			r.class |= d.class
			r.check |= d.check
			return
		}
	}
	r.min, _ = strconv.Atoi(word)
}
