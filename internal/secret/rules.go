package secret

import (
	_ "embed"
	"strconv"
	"strings"
	"sync/atomic"
)

// ruleRows are the rules of all issuers; their head explains the format.
//
//go:embed rules.txt
var ruleRows string

// rules are those of a sign behind a byte, and those of a letter under 0. Each
// list is read when a text first asks for it.
var rules [bracket][128]atomic.Pointer[[]rule]

// before are the bytes that stand before a sign in some rule. To look for those
// of others costs a short text more than all else; a test holds it to the table.
var before = [...]string{underscore: "28STabcdefiklmnoprstuwx", dash: "0EIKTUXabcdeikloprstxy", dot: "19Gbdklprs"}

// rulesOf lists the rules for the sign at i. The first that fits wins.
func (s *scanner) rulesOf(t trigger, i int) []rule {
	last := byte(0)
	if t <= dot {
		if last = s.at(i - 1); strings.IndexByte(before[t], last) < 0 {
			return nil
		}
	}
	kept := &rules[t][last]
	list := kept.Load()
	if list == nil {
		list = readRules(s.text[i:i+1], last)
		kept.Store(list)
	}
	return *list
}

func readRules(sign string, before byte) *[]rule {
	list := new([]rule)
	end := sign // of a head
	if before != 0 {
		end = string(before) + sign
	}
	_, rows, _ := strings.Cut(ruleRows, "---")
	for row := range strings.Lines(rows[strings.Index(rows, "\n"+sign+" ")+1:]) {
		if row[:1] != sign {
			break
		}
		if !strings.Contains(row, end) {
			continue
		}
		var r rule
		r.kind, row, _ = strings.Cut(row[2:], " ")
		for field := range strings.FieldsSeq(row) {
			var prefix bool
			if r.head, r.tail, prefix = strings.Cut(field, sign); !prefix {
				r.demand(field)
			} else if strings.HasSuffix(field[:len(r.head)+1], end) {
				*list = append(*list, r)
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
