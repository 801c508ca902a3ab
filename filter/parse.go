package filter

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/trammel-dev/trammel/internal/nearest"
)

// Parse reads a query about things of a scope. Times are relative to now.
func Parse(text string, s Scope, now time.Time) (*Query, error) {
	p := parser{text: text, scope: s, now: now}
	if len(text) > MaxBytes {
		return nil, p.fail(MaxBytes, "a filter has at most %d bytes, this one has %d", MaxBytes, len(text))
	}
	for i, r := range text {
		if r < ' ' && r != '\t' && r != '\n' || r == 0x7f || r == utf8.RuneError {
			return nil, p.fail(i, "there is a character that cannot be searched for")
		}
	}
	q := &Query{Text: text}
	if p.blank(); p.at == len(text) {
		return q, nil
	}
	root, err := p.query()
	if err == nil && p.at < len(text) {
		err = p.fail(p.at, `there is a ")" without its "("; put it in quotes to look for it`)
	}
	if err != nil {
		return nil, err
	}
	q.root = root
	return q, nil
}

type parser struct {
	text  string
	at    int
	scope Scope
	now   time.Time
	terms int
}

func (p *parser) fail(at int, problem string, args ...any) error {
	at = min(at, len(p.text))
	return &Error{utf8.RuneCountInString(p.text[:at]) + 1, fmt.Sprintf(problem, args...)}
}

func (p *parser) blank() {
	for p.at < len(p.text) && strings.IndexByte(" \t\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

func (p *parser) next() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// word is the word that stands here: up to a blank or a parenthesis.
func (p *parser) word() string {
	rest := p.text[p.at:]
	if end := strings.IndexAny(rest, " \t\n()"); end >= 0 {
		return rest[:end]
	}
	return rest
}

func (p *parser) query() (node, error) {
	var list or
	for {
		n, err := p.and()
		if err != nil {
			return nil, err
		}
		if list = append(list, n); p.word() != "OR" {
			break
		}
		p.at += len("OR")
	}
	if len(list) == 1 {
		return list[0], nil
	}
	return list, nil
}

func (p *parser) and() (node, error) {
	var list and
	for {
		p.blank()
		if p.at == len(p.text) || p.next() == ')' || p.word() == "OR" {
			break
		}
		n, err := p.not()
		if err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	switch len(list) {
	case 0:
		return nil, p.fail(p.at, `something is missing here; put "OR" in quotes to look for the word`)
	case 1:
		return list[0], nil
	}
	return list, nil
}

func (p *parser) not() (node, error) {
	if p.next() != '-' {
		return p.atom()
	}
	p.at++
	if strings.IndexByte(" \t\n)-\x00", p.next()) >= 0 {
		return nil, p.fail(p.at-1, `"-" stands right before what is not wanted; put it in quotes to look for it`)
	}
	n, err := p.atom()
	return not{n}, err
}

func (p *parser) atom() (node, error) {
	begin := p.at
	if p.next() == '(' {
		p.at++
		n, err := p.query()
		switch {
		case err != nil:
			return nil, err
		case p.next() != ')':
			return nil, p.fail(begin, `there is no ")" for this "("; put it in quotes to look for it`)
		}
		p.at++
		return n, nil
	}
	if p.terms++; p.terms > MaxTerms {
		return nil, p.fail(begin, "a filter has at most %d terms", MaxTerms)
	}
	if p.next() == '"' {
		text, err := p.quoted()
		return &term{key: Word, values: []value{{text: strings.ToLower(text)}}}, err
	}
	word := p.word()
	if key, _, isTerm := strings.Cut(word, ":"); isTerm {
		p.at += len(key) + 1
		return p.term(key, begin)
	}
	p.at += len(word)
	switch {
	case word == "AND":
		return nil, p.fail(begin, `terms side by side must all hold without an AND; put "AND" in quotes to look for the word`)
	case strings.Contains(word, `"`):
		return nil, p.fail(begin+strings.Index(word, `"`), "a quotation mark begins a text; write %q", strings.ReplaceAll(word, `"`, ""))
	}
	return &term{key: Word, values: []value{{text: strings.ToLower(word)}}}, p.apart()
}

// apart refuses a group that begins inside of a word: it was meant as a part of
// it.
func (p *parser) apart() error {
	if p.next() == '(' {
		return p.fail(p.at, "put what has parentheses in quotes, or a blank before them")
	}
	return nil
}

func (p *parser) term(key string, begin int) (node, error) {
	k, known := keywords[key]
	switch {
	case !known && nearest.Word(key, Keys(p.scope)) != "":
		return nil, p.fail(begin, "there is no key %q, did you mean %q?", key, nearest.Word(key, Keys(p.scope)))
	case !known:
		return nil, p.fail(begin, "there is no key %q; the keys are %s; put the text in quotes to look for it as it is", key,
			strings.Join(Keys(p.scope), ", "))
	case !k.scopes[p.scope]:
		return nil, p.fail(begin, "%s have no %s; their keys are %s", p.scope, key, strings.Join(Keys(p.scope), ", "))
	}
	if key == "is" && p.scope == Approvals {
		k.choices = isApproval
	}
	t := &term{key: key}
	for _, op := range []string{"=", "~", ">=", ">", "<=", "<"} {
		if strings.HasPrefix(p.text[p.at:], op) {
			t.op = op
			break
		}
	}
	if err := p.fits(key, k.sort, t.op); err != nil {
		return nil, err
	}
	p.at += len(t.op)
	for {
		begin := p.at
		text, err := p.value(key)
		if err != nil {
			return nil, err
		}
		v, err := p.read(&k, t.op, key, text)
		if err != nil {
			return nil, p.fail(begin, "%v", err)
		}
		if t.values = append(t.values, v); p.next() != ',' {
			return p.placed(t), nil
		}
		p.at++
	}
}

// value reads one value, in quotes or not.
func (p *parser) value(key string) (string, error) {
	if p.next() == '"' {
		return p.quoted()
	}
	text := p.word()
	if end := strings.IndexByte(text, ','); end >= 0 {
		text = text[:end]
	}
	if at := strings.IndexByte(text, '"'); at >= 0 {
		return "", p.fail(p.at+at, "put quotation marks around the whole value")
	}
	if text == "" && p.next() != '(' {
		return "", p.fail(p.at, "a value for %s is missing", key)
	}
	p.at += len(text)
	return text, p.apart()
}

func (p *parser) quoted() (string, error) {
	begin := p.at
	var out strings.Builder
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			if strings.IndexByte(" \t\n(),\x00", p.next()) < 0 {
				return "", p.fail(p.at, "a blank has to follow the closing quotation mark")
			}
			return out.String(), nil
		case c == '\\':
			p.at++
			if next := p.next(); next != '"' && next != '\\' {
				return "", p.fail(p.at-1, `in quotes, a backslash stands before " or \; write \\ for one`)
			}
			out.WriteByte(p.text[p.at])
		default:
			out.WriteByte(c)
		}
	}
	return "", p.fail(begin, "the closing quotation mark is missing")
}
