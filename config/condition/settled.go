package condition

import (
	"reflect"
	"slices"
	"strconv"

	"github.com/expr-lang/expr/ast"
)

// Known is what is known about the events for which a condition is evaluated.
type Known struct {
	// Only lists all possible values of a text, by its name: event, program, command.
	Only map[string][]string
	// Never reports whether a text never has this value. It may be nil.
	Never func(name, value string) bool
}

// settled reports whether a condition has the same value for all events, and
// which value. part is the operand that settles it, "" if it takes several.
//
// It tries every combination of values that makes a difference: for a text, the
// values it is compared with and one other; for a length, the numbers around
// those it is compared with. Everything else may be true or false, but the same
// question always has the same answer. So it may miss a settled condition, but
// never reports one that is not.
func settled(when string, known Known) (value bool, part string, ok bool) {
	if when == "" {
		return false, "", false
	}
	tree, err := checked(when, reflect.Bool)
	if err != nil {
		return false, "", false
	}
	value, ok = settledNode(tree.Node, &known)
	if !ok {
		return false, "", false
	}
	eachTerm(tree.Node, !value, func(n ast.Node) {
		if v, ok := settledNode(n, &known); part == "" && ok && v == value && n != tree.Node {
			part = n.String()
		}
	})
	return value, part, true
}

// eachTerm visits the top-level operands of &&, or those of ||.
func eachTerm(node ast.Node, and bool, visit func(ast.Node)) {
	if b, ok := node.(*ast.BinaryNode); ok && joins(b) && isAnd(b.Operator) == and {
		eachTerm(b.Left, and, visit)
		eachTerm(b.Right, and, visit)
		return
	}
	visit(node)
}

// most limits the number of combinations that are tried.
const most = 1 << 12

func settledNode(node ast.Node, known *Known) (value, settled bool) {
	s := &settling{known: known, choices: map[string][]string{}, given: map[string]string{}, folded: map[string]truth{}}
	s.collect(node)
	s.try(node)
	return s.canBe[yes], s.tried <= most && s.canBe[yes] != s.canBe[no]
}

// truth is the value of a part for some given values: no, yes, or open.
type truth uint8

const (
	no truth = iota
	yes
	open
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

func (t truth) not() truth {
	switch t {
	case no:
		return yes
	case yes:
		return no
	}
	return open
}

// something is a value different from all that the condition names; pending means
// not chosen yet. Other values are spelled as in an expression.
const (
	something = "something"
	pending   = "pending"
)

type settling struct {
	known   *Known
	choices map[string][]string // the values to try, of names and lengths
	given   map[string]string   // the values of this attempt
	folded  map[string]truth    // the results of parts without names
	missing string              // the first name that has no value yet
	canBe   [2]bool
	tried   int
}

// try evaluates the condition with the given values. If the result is open, it
// chooses one more value.
func (s *settling) try(node ast.Node) {
	if s.tried++; s.tried > most || s.canBe[yes] && s.canBe[no] {
		return
	}
	s.missing = ""
	t := s.truth(node)
	if t != open {
		s.canBe[t] = true
		return
	}
	key := s.missing
	values, ok := s.choices[key]
	if !ok {
		values = []string{"true", "false"}
	}
	for _, v := range values {
		s.given[key] = v
		s.try(node)
	}
	delete(s.given, key)
}

func (s *settling) truth(node ast.Node) truth {
	switch n := node.(type) {
	case *ast.UnaryNode:
		if isNot(n) {
			return s.truth(n.Node).not()
		}
	case *ast.ConditionalNode:
		switch s.truth(n.Cond) {
		case yes:
			return s.truth(n.Exp1)
		case no:
			return s.truth(n.Exp2)
		}
		return open
	case *ast.BinaryNode:
		if !joins(n) {
			return s.comparison(n)
		}
		left, right := s.truth(n.Left), s.truth(n.Right)
		decides := truthOf(!isAnd(n.Operator))
		switch {
		case left == decides || right == decides:
			return decides
		case left == open || right == open:
			return open
		}
		return decides.not()
	}
	return s.question(node)
}

func (s *settling) comparison(n *ast.BinaryNode) truth {
	if n.Operator == "!=" {
		return s.comparison(equals(n)).not()
	}
	name, value, ok := s.sides(n)
	if !ok {
		return s.question(n)
	}
	switch chosen := s.chosen(name); {
	case chosen == pending:
		return open
	case chosen == something && (n.Operator == "==" || n.Operator == "in"):
		return no
	case chosen == something:
		return s.question(n)
	case literal(n.Left) != "":
		return s.fold(value+" "+n.Operator+" "+chosen, n)
	default:
		return s.fold(chosen+" "+n.Operator+" "+value, n)
	}
}

// equals is the comparison that a != negates.
func equals(n *ast.BinaryNode) *ast.BinaryNode {
	same := *n
	same.Operator = "=="
	return &same
}

// sides are the name and the value of a comparison of the two.
func (s *settling) sides(n *ast.BinaryNode) (name, value string, ok bool) {
	turned := []string{"==", "<", "<=", ">", ">="}
	if !slices.Contains(turned, n.Operator) && !slices.Contains([]string{"in", "contains", "startsWith", "endsWith", "matches"}, n.Operator) {
		return "", "", false
	}
	name, value = textName(n.Left), literal(n.Right)
	if name == "" && slices.Contains(turned, n.Operator) {
		name, value = textName(n.Right), literal(n.Left)
	}
	if isLength(n.Left) || isLength(n.Right) {
		for _, v := range literals(n) {
			if _, err := strconv.Atoi(v); err != nil {
				return "", "", false
			}
		}
	}
	return name, value, name != "" && value != ""
}

func (s *settling) chosen(name string) string {
	if v, ok := s.given[name]; ok {
		return v
	}
	if s.missing == "" {
		s.missing = name
	}
	return pending
}

// question is a part that may be true or false.
func (s *settling) question(node ast.Node) truth {
	text := node.String()
	names := &anyName{}
	if ast.Walk(&node, names); !names.found {
		return s.fold(text, nil)
	}
	switch s.chosen("? " + text) {
	case "true":
		return yes
	case "false":
		return no
	}
	return open
}

// fold evaluates an expression without names. If that fails, it may be true or
// false, like the part it was taken from.
func (s *settling) fold(text string, part ast.Node) truth {
	t, ok := s.folded[text]
	if !ok {
		t = open
		if node, err := compile(text, reflect.Bool); err == nil {
			if v, err := node.Run(nil); err == nil {
				t = truthOf(v == true)
			}
		}
		s.folded[text] = t
	}
	switch {
	case t != open:
		return t
	case part != nil:
		return s.question(part)
	}
	return map[string]truth{"true": yes, "false": no, pending: open}[s.chosen("? "+text)]
}

// collect finds the values to try: it looks where truth looks.
func (s *settling) collect(node ast.Node) {
	switch n := node.(type) {
	case *ast.UnaryNode:
		if isNot(n) {
			s.collect(n.Node)
		}
	case *ast.ConditionalNode:
		s.collect(n.Cond)
		s.collect(n.Exp1)
		s.collect(n.Exp2)
	case *ast.BinaryNode:
		switch {
		case joins(n):
			s.collect(n.Left)
			s.collect(n.Right)
		case n.Operator == "!=":
			s.collect(equals(n))
		default:
			if name, _, ok := s.sides(n); ok {
				s.choose(name, n)
			}
		}
	}
}

// choose adds the values that make a difference for one comparison.
func (s *settling) choose(name string, n *ast.BinaryNode) {
	values := s.choices[name]
	add := func(v string) {
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	only, limited := s.known.Only[name]
	switch {
	case limited:
		for _, v := range only {
			add(strconv.Quote(v))
		}
	case isLength(n.Left) || isLength(n.Right):
		for _, v := range literals(n) {
			number, _ := strconv.Atoi(v)
			for i := number - 1; i <= number+1; i++ {
				add(strconv.Itoa(max(i, 0)))
			}
		}
	default:
		add(something)
		for _, v := range literals(n) {
			if word, err := strconv.Unquote(v); err != nil || s.known.Never == nil || !s.known.Never(name, word) {
				add(v)
			}
		}
	}
	s.choices[name] = values
}
