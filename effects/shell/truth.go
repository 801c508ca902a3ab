package shell

import (
	"path"

	"github.com/trammel-dev/trammel/effects/shell/compute"
	"github.com/trammel-dev/trammel/effects/shell/parse"
	"mvdan.cc/sh/v3/syntax"
)

// outcomes returns the outcome of the last statement.
func (d *deriver) outcomes(list []*syntax.Stmt, st *state) compute.Truth {
	if len(list) == 0 {
		return compute.Unsure
	}
	return d.outcome(list[len(list)-1], st)
}

// maxOutcome bounds how deep the outcome of a statement is looked for.
const maxOutcome = 8

// outcome says whether a statement succeeds, if that is obvious from its text:
// true, [ 1 ], ((1)).
func (d *deriver) outcome(s *syntax.Stmt, st *state) compute.Truth { return d.outcomeAt(s, st, 0) }

func (d *deriver) outcomeAt(s *syntax.Stmt, st *state, depth int) compute.Truth {
	switch {
	case s.Background:
		return compute.Yes
	case depth > maxOutcome:
		return compute.Unsure
	}
	t := compute.Unsure
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		t = d.callOutcome(c, st)
	case *syntax.ArithmCmd:
		t = d.truthOfNumber(c.X, st.copy())
	case *syntax.TestClause:
		t = compute.TruthOf(parse.Holds(c.X))
	case *syntax.Block:
		if n := len(c.Stmts); n > 0 {
			t = d.outcomeAt(c.Stmts[n-1], st, depth+1)
		}
	case *syntax.Subshell:
		if n := len(c.Stmts); n > 0 {
			t = d.outcomeAt(c.Stmts[n-1], st, depth+1)
		}
	case *syntax.BinaryCmd:
		switch x, y := d.outcomeAt(c.X, st, depth+1), d.outcomeAt(c.Y, st, depth+1); {
		case parse.IsPipe(c) || x == y:
			t = y
		case c.Op == syntax.AndStmt && (x == compute.No || y == compute.No), c.Op == syntax.OrStmt && x == compute.No && y == compute.No:
			t = compute.No
		case c.Op == syntax.OrStmt && (x == compute.Yes || y == compute.Yes):
			t = compute.Yes
		}
	}
	if s.Negated {
		t = t.Not()
	}
	return t
}

func (d *deriver) callOutcome(c *syntax.CallExpr, st *state) compute.Truth {
	words, ok := parse.Constant(c)
	if len(c.Args) == 0 {
		return compute.Yes // it sets variables
	}
	name := path.Base(c.Args[0].Lit())
	if st.function(name) != nil {
		return compute.Unsure
	}
	return compute.Outcome(name, words, ok)
}
