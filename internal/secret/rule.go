package secret

import "strings"

// rule is a shape that an issuer gave to its secrets: a prefix around the
// trigger byte, then at least min characters of a class.
type rule struct {
	kind  string
	head  string // what stands before the trigger
	tail  string // what stands after it
	class class
	min   int
	check check
}

// check is what else a rule demands, where its prefix alone says too little.
type check uint8

const (
	starting check = 1 << iota // a word starts with it
	mixed                      // digits among letters
	exact                      // not a character more than min
)

// prefixed tries the rules whose trigger is t, at i.
func (s *scanner) prefixed(t trigger, i int) int {
	// No rule is content with less than 16 characters behind its trigger, so
	// that most triggers in ordinary text are dismissed by a glance.
	if i+15 >= len(s.text) || classes[s.text[i+15]] == 0 || classes[s.text[i+8]] == 0 || classes[s.text[i+4]] == 0 {
		return i + 1
	}
	rules := s.rulesOf(t, i)
	for k := range rules {
		r := &rules[k]
		if !strings.HasSuffix(s.text[:i], r.head) || !strings.HasPrefix(s.text[i+1:], r.tail) {
			continue
		}
		if end, ok := s.fits(r, i); ok {
			return s.add(r.kind, i-len(r.head), end)
		}
	}
	return i + 1
}

func (s *scanner) fits(r *rule, i int) (end int, ok bool) {
	body := i + 1 + len(r.tail)
	end = s.runMax(body, r.class, look)
	capped := end-body == look
	for end > body && s.text[end-1] == '.' { // the end of a sentence
		end--
	}
	switch {
	case end-body < r.min,
		r.check&starting != 0 && !s.starts(i-len(r.head)),
		r.check&exact != 0 && (end-body != r.min || classes[s.at(end)]&alnum != 0),
		repetitive(s.text[body:end]):
		return 0, false
	}
	if r.check&mixed != 0 {
		if c, _ := classOf(s.text[body:end]); c&digit == 0 || c&letters == 0 || entropy(s.text[body:end]) < 3 {
			return 0, false
		}
	}
	if capped {
		end = s.run(end, r.class)
	}
	return end, true
}
