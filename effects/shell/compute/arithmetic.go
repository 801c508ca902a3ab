package compute

import "mvdan.cc/sh/v3/syntax"

// Arithmetic evaluates expressions of known values.
type Arithmetic struct {
	Step func() bool                          // false: no more may be done
	Word func(w *syntax.Word) (int, bool)     // the value of an operand
	Set  func(name string, n int, known bool) // an assignment
}

// Number is the value of an expression, and whether it is known.
func (a *Arithmetic) Number(x syntax.ArithmExpr) (int, bool) {
	if !a.Step() {
		return 0, false
	}
	switch x := x.(type) {
	case *syntax.Word:
		return a.Word(x)
	case *syntax.ParenArithm:
		return a.Number(x.X)
	case *syntax.UnaryArithm:
		return a.unary(x)
	case *syntax.BinaryArithm:
		return a.binary(x)
	}
	return 0, false
}

func (a *Arithmetic) unary(x *syntax.UnaryArithm) (int, bool) {
	n, ok := a.Number(x.X)
	switch x.Op {
	case syntax.Minus:
		return -n, ok
	case syntax.Plus:
		return n, ok
	case syntax.BitNegation:
		return ^n, ok
	case syntax.Not:
		if n == 0 {
			return 1, ok
		}
		return 0, ok
	}
	by := 1
	if x.Op == syntax.Dec {
		by = -1
	}
	a.assign(x.X, n+by, ok)
	if x.Post {
		return n, ok
	}
	return n + by, ok
}

func (a *Arithmetic) assign(x syntax.ArithmExpr, n int, known bool) {
	if w, isWord := x.(*syntax.Word); isWord && w.Lit() != "" {
		a.Set(w.Lit(), n, known)
	}
}

func (a *Arithmetic) binary(x *syntax.BinaryArithm) (int, bool) {
	if op := x.Op.String(); x.Op == syntax.Assgn || len(op) > 1 && op[len(op)-1] == '=' && !comparison(x.Op) {
		n, ok := a.Number(x.Y)
		if x.Op != syntax.Assgn {
			old, known := a.Number(x.X)
			n, ok = Calculate(op[:len(op)-1], old, n, ok && known)
		}
		a.assign(x.X, n, ok)
		return n, ok
	}
	if x.Op == syntax.TernQuest {
		return a.choice(x)
	}
	left, ok := a.Number(x.X)
	right, ok2 := a.Number(x.Y)
	if x.Op == syntax.Comma {
		return right, ok2
	}
	return Calculate(x.Op.String(), left, right, ok && ok2)
}

// choice is x ? y : z. Both ways are evaluated for what they change.
func (a *Arithmetic) choice(x *syntax.BinaryArithm) (int, bool) {
	n, ok := a.Number(x.X)
	ways, isColon := x.Y.(*syntax.BinaryArithm)
	if !isColon || ways.Op != syntax.TernColon {
		return 0, false
	}
	first, ok1 := a.Number(ways.X)
	second, ok2 := a.Number(ways.Y)
	if n != 0 {
		return first, ok && ok1
	}
	return second, ok && ok2
}

func comparison(op syntax.BinAritOperator) bool {
	return op == syntax.Eql || op == syntax.Neq || op == syntax.Leq || op == syntax.Geq
}
