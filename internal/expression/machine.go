package expression

import (
	"fmt"
	"regexp"
	"strings"
)

// Limits of one evaluation. A guard has to answer soon, whatever its author
// wrote and whatever the event holds.
const (
	maxRounds = 1_000_000 // of all loops
	maxValues = 4_000_000 // that are made; an event of the largest size has fewer
	maxBytes  = 256 << 20 // of texts that are made
	perRound  = 8         // comparisons that count as one round
)

// Scope has the values of names.
type Scope interface {
	// Text is the value of a name that is always text.
	Text(name string) (string, bool)
	// Value is the value of any other name.
	Value(name string) (any, bool)
	// Ask calls a function.
	Ask(name string, words []string) (any, bool)
}

// Record is a value with named fields, and functions of its own.
type Record interface {
	Field(name string) (any, bool)
	Ask(name string, words []string) (any, bool)
}

// Run evaluates the expression. An error has its column.
func (n *Node) Run(s Scope) (any, error) {
	m := machine{scope: s}
	return m.start(n)
}

// Watch evaluates the expression like Run, and reports the value of each Probe
// that is reached.
func (n *Node) Watch(s Scope, seen func(operand int, value any)) (any, error) {
	m := machine{scope: s, seen: seen}
	return m.start(n)
}

func (m *machine) start(n *Node) (v any, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			v, err = nil, fmt.Errorf("column %d: %v", m.column, fault)
		}
	}()
	return m.eval(n), nil
}

// machine is one evaluation. What cannot be evaluated panics, and Run returns it.
type machine struct {
	scope  Scope
	vars   []any
	loop   *loop
	column int // of the current operation
	trace  *trace
	seen   func(operand int, value any) // see Watch; may be nil

	work, values, bytes int
}

func fail(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// compared counts comparisons.
func (m *machine) compared(n int) {
	if m.work += n; m.work > maxRounds*perRound {
		fail("more than %d rounds of loops", maxRounds)
	}
}

// made counts values that are made.
func (m *machine) made(n int) {
	if m.values += n; m.values >= maxValues || n < 0 {
		fail("memory budget exceeded")
	}
}

// text counts a text that was made.
func (m *machine) text(s string) string {
	if m.bytes += len(s); m.bytes > maxBytes {
		fail("more than %d bytes of text", maxBytes)
	}
	return s
}

func (m *machine) eval(n *Node) any {
	switch n.Op {
	case Nil:
		return nil
	case True, False, Int, Float, Text:
		return n.value
	case Name:
		if s, ok := m.scope.Text(n.Text); ok {
			return s
		}
		m.column = n.Column
		v, ok := m.scope.Value(n.Text)
		return known(n, v, ok)
	case Ask:
		words := m.words(n, n.Kids)
		m.column = n.Column
		v, ok := m.scope.Ask(n.Text, words)
		m.trace.asked(v, n.Text, words)
		return known(n, v, ok)
	case And:
		before := m.trace.mark()
		if !m.truth(&n.Kids[0], n) {
			return false
		}
		v := m.eval(&n.Kids[1])
		if v == false {
			m.trace.forget(before)
		}
		return v
	case Or:
		if m.truth(&n.Kids[0], n) {
			return true
		}
		return m.eval(&n.Kids[1])
	case Not:
		return !m.truth(&n.Kids[0], n)
	case If:
		if m.truth(&n.Kids[0], n) {
			return m.eval(&n.Kids[1])
		}
		return m.eval(&n.Kids[2])
	case Else:
		if v := m.eval(&n.Kids[0]); !isNil(v) {
			return v
		}
		return m.eval(&n.Kids[1])
	case Equal, SameText, Contains, StartsWith, EndsWith:
		return m.texts(n)
	case Pattern, Matches:
		return m.matches(n)
	case Field, Optional, Method, Slice, Link:
		v, _ := m.link(n)
		return v
	case Chain:
		if v, _ := m.link(&n.Kids[0]); !isNil(v) {
			return v
		}
		return nil
	case Let:
		v := m.eval(&n.Kids[0])
		m.vars = append(m.vars[:n.value.(int)], v)
		return m.eval(&n.Kids[1])
	case Var:
		return m.vars[n.value.(int)]
	case Item:
		m.column = n.Column
		return m.loop.item()
	case Index:
		return m.loop.index
	case Acc:
		return m.loop.acc
	case Loop:
		return m.run(n)
	case Call:
		args := m.all(n.Kids)
		m.column = n.Column
		return m.call(n.Text, args)
	case Seq:
		for i := range n.Kids[:len(n.Kids)-1] {
			m.eval(&n.Kids[i])
		}
		return m.eval(&n.Kids[len(n.Kids)-1])
	case List:
		m.made(len(n.Kids))
		return m.all(n.Kids)
	case Map:
		return m.mapOf(n)
	case Probe:
		v := m.eval(&n.Kids[0])
		if m.seen != nil {
			m.seen(n.value.(int), v)
		}
		return v
	}
	a, b := m.eval(&n.Kids[0]), any(nil)
	if len(n.Kids) > 1 {
		b = m.eval(&n.Kids[1])
	}
	m.column = n.Column
	return m.operate(n.Op, a, b)
}

func (m *machine) all(nodes []Node) []any {
	out := make([]any, len(nodes))
	for i := range nodes {
		out[i] = m.eval(&nodes[i])
	}
	return out
}

// truth is the value of a part that n needs to be true or false.
func (m *machine) truth(part, n *Node) bool {
	before := m.trace.mark()
	v := m.eval(part)
	holds, ok := v.(bool)
	if !ok {
		m.column = n.Column
		fail("%s is not true or false", kindOf(v))
	}
	if !holds && n.Op != Not {
		m.trace.forget(before)
	}
	return holds
}

// words are the arguments of a question. One that is missing is an empty text.
func (m *machine) words(n *Node, args []Node) []string {
	if n.words != nil {
		return n.words
	}
	out := make([]string, len(args))
	for i := range args {
		v := m.eval(&args[i])
		text, ok := v.(string)
		if m.column = args[i].Column; !ok && v != nil {
			fail("%s is asked about %s, expected text", n.Text, kindOf(v))
		}
		out[i] = text
	}
	return out
}

// operand evaluates a part, as text if it is one, to avoid allocating a value.
func (m *machine) operand(n *Node) (text string, isText bool, v any) {
	switch n.Op {
	case Text:
		return n.Text, true, nil
	case Name:
		if s, ok := m.scope.Text(n.Text); ok {
			return s, true, nil
		}
	}
	v = m.eval(n)
	text, isText = v.(string)
	return text, isText, v
}

// texts does what is mostly done with two texts.
func (m *machine) texts(n *Node) bool {
	a, aText, av := m.operand(&n.Kids[0])
	b, bText, bv := m.operand(&n.Kids[1])
	m.column = n.Column
	switch {
	case aText && bText:
		switch n.Op {
		case Contains:
			return strings.Contains(a, b)
		case StartsWith:
			return strings.HasPrefix(a, b)
		case EndsWith:
			return strings.HasSuffix(a, b)
		}
		return a == b
	case n.Op == Equal:
		if aText {
			av = a
		}
		if bText {
			bv = b
		}
		return m.equal(av, bv)
	case n.Op != SameText && (!aText && isNil(av) || !bText && isNil(bv)):
		return false
	case aText:
		av = bv
	}
	fail("%s is not text", kindOf(av))
	return false
}

func (m *machine) matches(n *Node) bool {
	s, isText, v := m.operand(&n.Kids[0])
	compile := n.pattern
	if n.Op == Matches {
		pattern, ok, p := m.operand(&n.Kids[1])
		if !ok && isNil(p) {
			return false
		}
		compile = func() (*regexp.Regexp, error) {
			if !ok {
				fail("%s is not a pattern", kindOf(p))
			}
			return regexp.Compile(pattern)
		}
	}
	m.column = n.Column
	switch {
	case !isText && isNil(v):
		return false
	case !isText:
		fail("%s is not text", kindOf(v))
	}
	re, err := compile()
	if err != nil {
		panic(err)
	}
	return re.MatchString(s)
}

// link evaluates a part of a chain. ended is true if an Optional ends it.
func (m *machine) link(n *Node) (v any, ended bool) {
	switch n.Op {
	case Field, Optional, Method, Slice:
	case Link:
		return m.link(&n.Kids[0])
	default:
		return m.eval(n), false
	}
	base, ended := m.link(&n.Kids[0])
	if ended || n.Op == Optional && isNil(base) {
		return base, true
	}
	switch n.Op {
	case Method:
		return m.ask(n, base), false
	case Slice:
		return m.slice(n, base), false
	}
	key := m.eval(&n.Kids[1])
	m.column = n.Column
	return fetch(base, key), false
}

func (m *machine) ask(n *Node, base any) any {
	words := m.words(n, n.Kids[1:])
	m.column = n.Column
	r, ok := base.(Record)
	if !ok {
		fail("cannot ask %s for %s", kindOf(base), n.Text)
	}
	v, ok := r.Ask(n.Text, words)
	return known(n, v, ok)
}

func known(n *Node, v any, ok bool) any {
	if !ok {
		fail("there is no %s", n.Text)
	}
	return v
}

func (m *machine) slice(n *Node, base any) any {
	from, to := any(0), any(nil)
	switch n.Text {
	case "from":
		from = m.eval(&n.Kids[1])
	case "to":
		to = m.eval(&n.Kids[1])
	case "both":
		from, to = m.eval(&n.Kids[1]), m.eval(&n.Kids[2])
	}
	m.column = n.Column
	if n.Text == "" || n.Text == "from" {
		to = size(base)
	}
	return cut(base, from, to)
}

// mapOf makes a map. Of pairs with the same key the first counts.
func (m *machine) mapOf(n *Node) any {
	parts := m.all(n.Kids)
	m.column = n.Column
	m.made(len(parts) / 2)
	out := make(map[string]any, len(parts)/2)
	for i := len(parts) - 2; i >= 0; i -= 2 {
		key, ok := parts[i].(string)
		if !ok {
			fail("%s is not a key of a map, expected text", kindOf(parts[i]))
		}
		out[key] = parts[i+1]
	}
	return out
}
