package rule

import (
	"regexp"
	"strings"

	"github.com/trammel-dev/trammel/internal/expression"
)

// excerpt is a question about a part of a text: command startsWith "npm test".
type excerpt struct {
	op   expression.Op
	of   *expression.Node
	text string // the part, or the pattern
	line bool   // it is about a command line or the arguments of a program
	arg  bool   // it is about an argument of the tool
}

func excerptOf(n *expression.Node) excerpt {
	p := excerpt{op: n.Op, of: &n.Kids[0], text: n.Text}
	if n.Op != expression.Pattern && len(n.Kids) > 1 {
		p.text = n.Kids[1].Text
	}
	p.of.Visit(func(of *expression.Node) {
		p.line = p.line || isLine(*of) || of.Op == expression.Name && of.Text == "args.text"
		p.arg = p.arg || len(inputOf(of)) > 0
		switch of.Op {
		case expression.Item, expression.Index, expression.Acc, expression.Var:
			p.of = nil // it has no value by itself
		}
	})
	return p
}

// end is where the part ends in a text, -1 if the text does not have it.
func (p *excerpt) end(text string) int {
	_, end := p.span(text)
	return end
}

// span is the position of the part in a text, -1 if the text does not have it.
func (p *excerpt) span(text string) (begin, end int) {
	switch p.op {
	case expression.StartsWith:
		if strings.HasPrefix(text, p.text) {
			return 0, len(p.text)
		}
	case expression.EndsWith:
		if strings.HasSuffix(text, p.text) {
			return len(text) - len(p.text), len(text)
		}
	case expression.Contains:
		if i := strings.Index(text, p.text); i >= 0 {
			return i, i + len(p.text)
		}
	case expression.Pattern:
		if re, err := regexp.Compile(p.text); err == nil {
			re.Longest()
			if at := re.FindStringIndex(text); at != nil {
				return at[0], at[1]
			}
		}
	}
	return -1, -1
}

// fixed is where the constant beginning of the part ends in a text, such as docs/ of
// ^docs/.*md; -1 if the text does not have it.
func (p *excerpt) fixed(text string) int {
	begin, end := p.span(text)
	if p.op == expression.Pattern && end >= 0 {
		end = begin
		if re, err := regexp.Compile(strings.TrimPrefix(p.text, "^")); err == nil {
			prefix, _ := re.LiteralPrefix()
			end += len(prefix)
		}
	}
	return end
}

// splits reports whether the part ends within a word of a command line: npm test of npm
// testx, run lint of run lint:deploy.
func (p *excerpt) splits(text string) bool {
	end := p.end(text)
	return end > 0 && end < len(text) && isLetter(text[end-1]) && !strings.ContainsRune(" \t\n;&|<>()'\"=", rune(text[end]))
}

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// misleads reports whether the rest of a text changes the meaning of the part: a step up to a
// parent directory, another host, a list of addresses.
func (p *excerpt) misleads(text string) bool {
	from, end := p.span(text)
	if end < 0 {
		return false
	}
	if scheme, rest, found := strings.Cut(text, "://"); found && !strings.ContainsAny(scheme, "/?# ") {
		begin := len(scheme) + len("://")
		host := rest[:strings.IndexAny(rest+"/", "/?#")]
		behind := begin + len(host)
		switch {
		case strings.ContainsAny(host, `@\`):
			return end > begin
		case from >= behind: // the name of a host, which is not the host
			return looksLikeHost(text[from:end]) && p.op != expression.EndsWith
		case from > begin && text[from] != '.' && text[from-1] != '.':
			return true
		}
		return end > begin && end < behind && text[end-1] != '.'
	}
	if !strings.Contains(p.text, "@") || p.op == expression.Pattern && strings.HasPrefix(p.text, "^") {
		return false
	}
	return strings.Count(text, "@") != 1 || strings.ContainsAny(text, ",;<> \t\r\n")
}

// looksLikeHost reports whether a text begins with the name of a host. The slash behind the end
// of a name (.example.com/) distinguishes it from that of a file.
func looksLikeHost(text string) bool {
	text = strings.ReplaceAll(text, `\`, "")
	end := strings.IndexAny(text+"/", "/?#&=")
	host, _, _ := strings.Cut(text[:end], ":")
	dot := strings.LastIndexByte(host, '.')
	if dot < 0 || len(host)-dot < 3 || strings.ContainsFunc(host[dot+1:], func(r rune) bool { return r > 'z' || !isLetter(byte(r)) }) {
		return false
	}
	return end == len(text) && dot > 0 || end < len(text) && text[end] == '/'
}

// namesOther reports whether the part is the name of a host, but an address in a command line
// has it elsewhere: curl https://other.example/?docs.example.
func (p *excerpt) namesOther(line string) bool {
	for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(" \t\n'\"=", r) }) {
		if _, end := p.span(word); end < 0 || !looksLikeHost(p.text) {
			continue
		}
		if first, _, found := strings.Cut(word, "/"); found && strings.IndexByte(first, '.') > 0 && !strings.Contains(word, "://") {
			word = "x://" + word
		}
		if strings.Contains(word, "://") && p.misleads(word) {
			return true
		}
	}
	return false
}

// climbs reports whether a text is a path with a "..", which may be encoded.
func climbs(text string) bool {
	text = strings.NewReplacer("%2e", ".", "%2f", "/", "%5c", "/").Replace(strings.ReplaceAll(strings.ToLower(text), "%25", "%"))
	for step := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '/' || r == '\\' }) {
		if step == ".." {
			return true
		}
	}
	return false
}
