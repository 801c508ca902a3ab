// Package jobs finds what the iterations of a loop leave running.
package jobs

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Jobs is what one iteration of a loop leaves behind.
type Jobs struct {
	Running int  // background jobs that the shell can still wait for
	Lost    bool // jobs that it cannot: a subshell's, disowned ones
	Leads   bool // it waits before it starts any job
	Leaves  bool // every path leaves the loop
	Paced   bool // it sleeps for a while
	begun   bool // something has been started
}

// Shell is what has to be known about the shell that runs the loop.
type Shell interface {
	// Step reports whether there is time for another statement.
	Step() bool
	// Deep notes that statements are nested too deeply to be looked at.
	Deep()
	// Holds reports whether statements succeed, if that is known.
	Holds(list []*syntax.Stmt) (holds, known bool)
	// Function returns the body of a function, nil if there is none of that
	// name, and what to call after reading it.
	Function(name string) (body *syntax.Stmt, leave func())
}

const maxNested = 24

type walk struct{ Shell }

// Of returns what one iteration of a loop's body leaves behind.
func Of(body []*syntax.Stmt, sh Shell) (j Jobs) {
	(&walk{sh}).around(body, &j, 0)
	return j
}

// around follows the statements of a loop's body.
func (w *walk) around(list []*syntax.Stmt, j *Jobs, depth int) {
	if depth > maxNested {
		w.Deep()
		return
	}
	for _, s := range list {
		if j.Leaves || !w.Step() {
			return
		}
		if s.Background || s.Disown {
			j.Running++
			j.begun = true
			j.Lost = j.Lost || s.Disown
			continue
		}
		switch c := s.Cmd.(type) {
		case *syntax.CallExpr:
			w.aroundCall(c, j, depth)
		case *syntax.Block:
			w.around(c.Stmts, j, depth+1)
		case *syntax.Subshell:
			w.aroundShell(c.Stmts, j, depth)
		case *syntax.BinaryCmd:
			w.aroundBinary(c, j, depth)
		case *syntax.IfClause:
			w.aroundIf(c, j, depth)
		case *syntax.CaseClause:
			for _, item := range c.Items {
				way := *j
				w.around(item.Stmts, &way, depth+1)
				j.worse(way)
			}
		case *syntax.WhileClause:
			way := *j
			w.around(c.Do, &way, depth+1)
			way.Leaves = false // that may leave only the inner loop
			j.worse(way)
		case *syntax.ForClause:
			way := *j
			w.around(c.Do, &way, depth+1)
			way.Leaves = false
			j.worse(way)
		}
	}
}

// aroundShell follows a subshell: jobs that it starts and does not wait for are lost.
func (w *walk) aroundShell(list []*syntax.Stmt, j *Jobs, depth int) {
	var inner Jobs
	w.around(list, &inner, depth+1)
	j.Lost = j.Lost || inner.Lost || inner.Running > 0
	j.Paced = j.Paced || inner.Paced
	j.begun = j.begun || inner.begun
}

func (w *walk) aroundBinary(c *syntax.BinaryCmd, j *Jobs, depth int) {
	x, y := []*syntax.Stmt{c.X}, []*syntax.Stmt{c.Y}
	if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
		w.aroundShell(x, j, depth)
		w.aroundShell(y, j, depth)
		return
	}
	w.around(x, j, depth+1)
	holds, known := w.Holds(x)
	switch {
	case !known:
		way := *j
		w.around(y, &way, depth+1)
		j.worse(way)
	case holds != (c.Op == syntax.OrStmt):
		w.around(y, j, depth+1)
	}
}

func (w *walk) aroundIf(c *syntax.IfClause, j *Jobs, depth int) {
	w.around(c.Cond, j, depth+1)
	holds, known := w.Holds(c.Cond)
	then, other := *j, *j
	w.around(c.Then, &then, depth+1)
	switch {
	case c.Else == nil:
	case len(c.Else.Cond) == 0:
		w.around(c.Else.Then, &other, depth+1)
	case depth < maxNested:
		w.aroundIf(c.Else, &other, depth+1)
	default:
		w.Deep()
	}
	switch {
	case known && holds:
		*j = then
	case known:
		*j = other
	default:
		*j = then
		j.worse(other)
	}
}

// worse sets j to the worse of two paths.
func (j *Jobs) worse(way Jobs) {
	if way.Leaves { // leaving the loop does no further harm
		return
	}
	if j.Leaves {
		*j = way
		return
	}
	j.Running = max(j.Running, way.Running)
	j.Lost = j.Lost || way.Lost
	j.Leads = j.Leads && way.Leads
	j.Paced = j.Paced && way.Paced
	j.begun = j.begun || way.begun
}

func (w *walk) aroundCall(c *syntax.CallExpr, j *Jobs, depth int) {
	if len(c.Args) == 0 {
		return
	}
	name := c.Args[0].Lit()
	if f, leave := w.Function(name); f != nil {
		w.around([]*syntax.Stmt{f}, j, depth+1)
		leave()
		return
	}
	switch name {
	case "wait":
		switch {
		case len(c.Args) > 1 && j.Running > 0:
			j.Running-- // wait -n, wait $!
		case len(c.Args) == 1:
			j.Running = 0
		}
		j.Leads = j.Leads || !j.begun
	case "disown":
		j.Lost = j.Lost || j.Running > 0
	case "break", "exit", "return", "exec":
		j.Leaves = name != "exec" || len(c.Args) > 1
	case "sleep":
		if len(c.Args) > 1 {
			n, err := strconv.ParseFloat(strings.TrimRight(c.Args[1].Lit(), "smhd"), 64)
			j.Paced = j.Paced || err == nil && n >= 1
		}
	case "read":
		j.Paced = true // it waits for input
	}
}
