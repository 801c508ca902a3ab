package expression

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// maxNodes limits what is read. The compiler's limit is lower.
const maxNodes = 8000

// String writes a tree: the operation, its column, its text if any, its kids if
// any. and:5[name:1"stop.active" not:8[name:9"synthetic"]]
func (n *Node) String() string { return string(n.append(nil)) }

func (n *Node) append(b []byte) []byte {
	b = append(b, shapes[n.Op].word...)
	b = strconv.AppendInt(append(b, ':'), int64(n.Column), 10)
	if n.Text != "" {
		b = strconv.AppendQuoteToASCII(b, n.Text)
	}
	for i := range n.Kids {
		sep := byte(' ')
		if i == 0 {
			sep = '['
		}
		b = n.Kids[i].append(append(b, sep))
	}
	if len(n.Kids) > 0 {
		b = append(b, ']')
	}
	return b
}

// Parse reads what String wrote, and prepares it for evaluation. It refuses
// everything unknown.
func Parse(text string) (*Node, error) {
	p := parser{rest: text}
	n := new(Node)
	if err := p.node(n, place{}); err != nil {
		return nil, fmt.Errorf("compiled expression, byte %d: %w", len(text)-len(p.rest), err)
	}
	if p.rest != "" {
		return nil, fmt.Errorf("compiled expression, byte %d: there is more after its end", len(text)-len(p.rest))
	}
	return n, nil
}

type parser struct {
	rest  string
	nodes int
}

// place is the context of a node.
type place struct {
	vars int  // how many variables there are
	loop bool // it is in a loop
	acc  bool // the loop is reduce
}

func (p *parser) node(n *Node, in place) error {
	if p.nodes++; p.nodes > maxNodes {
		return fmt.Errorf("it has more than %d parts", maxNodes)
	}
	word, rest, ok := strings.Cut(p.rest, ":")
	if !ok || !n.named(word) {
		return fmt.Errorf("there is no operation %.20q", word)
	}
	digits := 0
	for digits < len(rest) && digits < 6 && rest[digits] >= '0' && rest[digits] <= '9' {
		digits++
	}
	var err error
	if n.Column, err = strconv.Atoi(rest[:digits]); err != nil {
		return fmt.Errorf("%s has no column", word)
	}
	p.rest = rest[digits:]
	if err := p.text(n); err != nil {
		return err
	}
	if err := p.kids(n, in); err != nil {
		return err
	}
	if err := n.check(in); err != nil {
		return fmt.Errorf("%s %.40q with %d parts: %w", word, n.Text, len(n.Kids), err)
	}
	return nil
}

func (n *Node) named(word string) bool {
	for op := range shapes {
		if shapes[op].word == word {
			n.Op = Op(op)
			return true
		}
	}
	return false
}

func (p *parser) text(n *Node) error {
	if !strings.HasPrefix(p.rest, `"`) {
		return nil
	}
	quoted, err := strconv.QuotedPrefix(p.rest)
	if err != nil {
		return err
	}
	p.rest = p.rest[len(quoted):]
	n.Text, err = strconv.Unquote(quoted)
	return err
}

func (p *parser) kids(n *Node, in place) error {
	if !strings.HasPrefix(p.rest, "[") {
		return nil
	}
	for end := false; !end; {
		p.rest = p.rest[1:]
		inside := in
		switch {
		case n.Op == Let && len(n.Kids) == 1:
			inside.vars++
		case n.Op == Loop && len(n.Kids) > 0:
			inside.loop, inside.acc = true, n.Text == "reduce"
		}
		n.Kids = append(n.Kids, Node{})
		if err := p.node(&n.Kids[len(n.Kids)-1], inside); err != nil {
			return err
		}
		switch {
		case p.rest == "" || p.rest[0] != ' ' && p.rest[0] != ']':
			return fmt.Errorf("expected a blank or ]")
		case p.rest[0] == ']':
			end = true
		}
	}
	p.rest = p.rest[1:]
	return nil
}

// check checks everything that evaluation relies on, and computes what it would
// otherwise compute each time.
func (n *Node) check(in place) error {
	least, most := shapes[n.Op].least, shapes[n.Op].most
	if len(n.Kids) < least || most >= 0 && len(n.Kids) > most {
		return fmt.Errorf("the number of parts is wrong")
	}
	var err error
	switch n.Op {
	case True, False:
		n.value = n.Op == True
	case Int:
		var i int
		i, err = strconv.Atoi(n.Text)
		n.value = i
	case Float:
		var f float64
		f, err = strconv.ParseFloat(n.Text, 64)
		n.value = f
	case Text:
		n.value = n.Text
	case Let, Var:
		var i int
		if i, err = strconv.Atoi(n.Text); err != nil || i < 0 || n.Op == Var && i >= in.vars || n.Op == Let && i != in.vars {
			return fmt.Errorf("there is no such variable")
		}
		n.value = i
	case Probe:
		var i int
		i, err = strconv.Atoi(n.Text)
		n.value = i
	case Item, Index:
		if !in.loop {
			return fmt.Errorf("it is not in a loop")
		}
	case Acc:
		if !in.acc {
			return fmt.Errorf("it is not in reduce")
		}
	case Loop, Call:
		err = n.checkFunction()
	case Ask, Method:
		n.fixWords()
	case Slice:
		if want := bounds(n.Text); want < 0 || len(n.Kids) != 1+want {
			err = fmt.Errorf("the bounds are wrong")
		}
	case Map:
		if len(n.Kids)%2 != 0 {
			err = fmt.Errorf("a key has no value")
		}
	case Pattern:
		text := n.Text
		n.pattern = sync.OnceValues(func() (*regexp.Regexp, error) { return regexp.Compile(text) })
	}
	return err
}

// bounds is how many bounds a Slice has.
func bounds(text string) int {
	switch text {
	case "":
		return 0
	case "from", "to":
		return 1
	case "both":
		return 2
	}
	return -1
}

func (n *Node) checkFunction() error {
	for i := range signatures {
		if s := &signatures[i]; s.name == n.Text && s.op == n.Op {
			if len(n.Kids) < s.least || s.most >= 0 && len(n.Kids) > s.most {
				return fmt.Errorf("the number of arguments is wrong")
			}
			return nil
		}
	}
	return fmt.Errorf("there is no such function")
}

// fixWords keeps the arguments of a question that are all constant.
func (n *Node) fixWords() {
	args := n.Kids
	if n.Op == Method {
		args = args[1:]
	}
	words := make([]string, len(args))
	for i := range args {
		if args[i].Op != Text {
			return
		}
		words[i] = args[i].Text
	}
	n.words = words
}
