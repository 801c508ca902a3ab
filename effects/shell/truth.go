package shell

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/shell/compute"
	"github.com/trammel-dev/trammel/effects/shell/parse"
	"mvdan.cc/sh/v3/syntax"
)

// truth is what is known about the outcome of a command.
type truth uint8

const (
	unsure truth = iota
	yes
	no
)

func ifKnown(holds, known bool) truth {
	if !known {
		return unsure
	}
	return truthOf(holds)
}

func (t truth) not() truth {
	switch t {
	case yes:
		return no
	case no:
		return yes
	}
	return unsure
}

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// outcomes returns the outcome of the last statement.
func (d *deriver) outcomes(list []*syntax.Stmt, st *state) truth {
	if len(list) == 0 {
		return unsure
	}
	return d.outcome(list[len(list)-1], st)
}

// maxOutcome bounds how deep the outcome of a statement is looked for.
const maxOutcome = 8

// outcome says whether a statement succeeds, if that is obvious from its text:
// true, [ 1 ], ((1)).
func (d *deriver) outcome(s *syntax.Stmt, st *state) truth { return d.outcomeAt(s, st, 0) }

func (d *deriver) outcomeAt(s *syntax.Stmt, st *state, depth int) truth {
	switch {
	case s.Background:
		return yes
	case depth > maxOutcome:
		return unsure
	}
	t := unsure
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		t = d.callOutcome(c, st)
	case *syntax.ArithmCmd:
		t = d.truthOfNumber(c.X, st.copy())
	case *syntax.TestClause:
		t = ifKnown(parse.Holds(c.X))
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
		case c.Op == syntax.Pipe || c.Op == syntax.PipeAll || x == y:
			t = y
		case c.Op == syntax.AndStmt && (x == no || y == no), c.Op == syntax.OrStmt && x == no && y == no:
			t = no
		case c.Op == syntax.OrStmt && (x == yes || y == yes):
			t = yes
		}
	}
	if s.Negated {
		t = t.not()
	}
	return t
}

func (d *deriver) callOutcome(c *syntax.CallExpr, st *state) truth {
	words, ok := parse.Constant(c)
	if len(c.Args) == 0 {
		return yes // it sets variables
	}
	name := c.Args[0].Lit()
	name = name[strings.LastIndexByte(name, '/')+1:]
	if st.function(name) != nil {
		return unsure
	}
	switch name {
	case "true", ":", "echo", "printf", "sleep", "export", "wait", "alias", "trap", "cd", "pushd", "popd", "mkdir", "touch":
		return yes
	case "false":
		return no
	case "[", "test":
		if !ok {
			return unsure
		}
		words = words[1:]
		if name == "[" && len(words) > 0 {
			words = words[:len(words)-1]
		}
		return ifKnown(compute.Test(words))
	}
	return unsure
}
