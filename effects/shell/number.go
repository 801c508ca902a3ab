package shell

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/shell/compute"
	"mvdan.cc/sh/v3/syntax"
)

// number evaluates an arithmetic expression of known values.
func (d *deriver) number(x syntax.ArithmExpr, st *state) (int, bool) {
	if !d.step() {
		return 0, false
	}
	switch x := x.(type) {
	case *syntax.Word:
		return d.operand(x, st)
	case *syntax.ParenArithm:
		return d.number(x.X, st)
	case *syntax.UnaryArithm:
		return d.unary(x, st)
	case *syntax.BinaryArithm:
		return d.binaryNumber(x, st)
	}
	return 0, false
}

// arithm interprets an expression for what it changes.
func (d *deriver) arithm(x syntax.ArithmExpr, st *state) { d.number(x, st) }

func (d *deriver) truthOfNumber(x syntax.ArithmExpr, st *state) truth {
	if n, ok := d.number(x, st); ok {
		return truthOf(n != 0)
	}
	return unsure
}

func (d *deriver) operand(w *syntax.Word, st *state) (int, bool) {
	v := d.single(w, st)
	text := v.Text
	for range 4 { // a name may stand for a name
		if !v.Known {
			return 0, false
		}
		if n, ok := compute.Integer(text); ok {
			return n, true
		}
		if !syntax.ValidName(text) {
			d.prompt(text, st.by, st) // a[$(ls)]
			return 0, false
		}
		val := d.variable(text, st)
		if !val.known {
			return 0, false
		}
		if text = strings.TrimSpace(val.text); text == "" {
			return 0, true
		}
	}
	return 0, false
}

func (d *deriver) unary(x *syntax.UnaryArithm, st *state) (int, bool) {
	n, ok := d.number(x.X, st)
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
	d.assignNumber(x.X, n+by, ok, st)
	if x.Post {
		return n, ok
	}
	return n + by, ok
}

func (d *deriver) assignNumber(x syntax.ArithmExpr, n int, ok bool, st *state) {
	if w, isWord := x.(*syntax.Word); isWord && w.Lit() != "" {
		st.set(w.Lit(), value{text: itoa(n), known: ok, set: true})
	}
}

func (d *deriver) binaryNumber(x *syntax.BinaryArithm, st *state) (int, bool) {
	if op := x.Op.String(); x.Op == syntax.Assgn || len(op) > 1 && op[len(op)-1] == '=' && !comparison(x.Op) {
		b, ok := d.number(x.Y, st)
		if x.Op != syntax.Assgn {
			a, ok2 := d.number(x.X, st)
			b, ok2 = compute.Calculate(op[:len(op)-1], a, b, ok && ok2)
			ok = ok2
		}
		d.assignNumber(x.X, b, ok, st)
		return b, ok
	}
	if x.Op == syntax.TernQuest {
		a, ok := d.number(x.X, st)
		ways, isColon := x.Y.(*syntax.BinaryArithm)
		if !isColon || ways.Op != syntax.TernColon {
			return 0, false
		}
		b, ok2 := d.number(ways.X, st)
		c, ok3 := d.number(ways.Y, st)
		if a != 0 {
			return b, ok && ok2
		}
		return c, ok && ok3
	}
	a, ok := d.number(x.X, st)
	b, ok2 := d.number(x.Y, st)
	if x.Op == syntax.Comma {
		return b, ok2
	}
	return compute.Calculate(x.Op.String(), a, b, ok && ok2)
}

func comparison(op syntax.BinAritOperator) bool {
	return op == syntax.Eql || op == syntax.Neq || op == syntax.Leq || op == syntax.Geq
}
