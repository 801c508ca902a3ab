package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/shell/compute"
	"github.com/trammel-dev/trammel/effects/shell/parse"
)

// jobs is what one iteration of a loop leaves behind.
type jobs struct {
	running int  // background jobs that the shell can still wait for
	lost    bool // jobs that it cannot: a subshell's, disowned ones
	leads   bool // it waits before it starts any job
	leaves  bool // every path leaves the loop
	paced   bool // it sleeps for a while
	begun   bool // something has been started
}

// endless examines an infinite loop, whose programs begin at index runs. If each
// iteration starts jobs that nothing waits for, it is a bomb. If it writes without
// ever waiting, the output grows until the disk is full.
func (d *deriver) endless(loop syntax.Node, body []*syntax.Stmt, runs int, st *state) {
	var j jobs
	d.around(body, &j, st, 0)
	switch {
	case j.leaves || j.paced && !j.lost:
	case j.lost, j.running > 0 && !j.leads:
		text := d.text(loop)
		d.bomb(text[:min(len(text), 200)])
	case !j.paced && !parse.Breaks(body) && !slices.ContainsFunc(d.set.Runs[runs:], takesTime):
		for i := range d.set.Files {
			f := &d.set.Files[i]
			f.Endless = f.Endless || f.Op == model.Write && (f.Run == unowned || f.Run >= runs && (f.Append || !f.Path.Known()))
		}
	}
}

func takesTime(r model.Run) bool { return r.Remote || !compute.Instant(r.Program) }

func (d *deriver) bomb(what string) {
	if !slices.Contains(d.set.Bombs, what) && len(d.set.Bombs) < maxChoices {
		d.set.Bombs = append(d.set.Bombs, what)
	}
}

// around follows the statements of a loop's body.
func (d *deriver) around(list []*syntax.Stmt, j *jobs, st *state, depth int) {
	if depth > maxNested {
		d.doubt("depth", "a loop", st.by)
		return
	}
	for _, s := range list {
		if j.leaves || !d.step() {
			return
		}
		if s.Background || s.Disown {
			j.running++
			j.begun = true
			j.lost = j.lost || s.Disown
			continue
		}
		switch c := s.Cmd.(type) {
		case *syntax.CallExpr:
			d.aroundCall(c, j, st, depth)
		case *syntax.Block:
			d.around(c.Stmts, j, st, depth+1)
		case *syntax.Subshell:
			d.aroundShell(c.Stmts, j, st, depth)
		case *syntax.BinaryCmd:
			d.aroundBinary(c, j, st, depth)
		case *syntax.IfClause:
			d.aroundIf(c, j, st, depth)
		case *syntax.CaseClause:
			for _, item := range c.Items {
				way := *j
				d.around(item.Stmts, &way, st, depth+1)
				j.worse(way)
			}
		case *syntax.WhileClause:
			way := *j
			d.around(c.Do, &way, st, depth+1)
			way.leaves = false // that may leave only the inner loop
			j.worse(way)
		case *syntax.ForClause:
			way := *j
			d.around(c.Do, &way, st, depth+1)
			way.leaves = false
			j.worse(way)
		}
	}
}

// aroundShell follows a subshell: jobs that it starts and does not wait for are lost.
func (d *deriver) aroundShell(list []*syntax.Stmt, j *jobs, st *state, depth int) {
	var inner jobs
	d.around(list, &inner, st, depth+1)
	j.lost = j.lost || inner.lost || inner.running > 0
	j.paced = j.paced || inner.paced
	j.begun = j.begun || inner.begun
}

func (d *deriver) aroundBinary(c *syntax.BinaryCmd, j *jobs, st *state, depth int) {
	x, y := []*syntax.Stmt{c.X}, []*syntax.Stmt{c.Y}
	if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
		d.aroundShell(x, j, st, depth)
		d.aroundShell(y, j, st, depth)
		return
	}
	d.around(x, j, st, depth+1)
	sure := d.outcome(c.X, st)
	if c.Op == syntax.OrStmt {
		sure = sure.not()
	}
	switch sure {
	case yes:
		d.around(y, j, st, depth+1)
	case unsure:
		way := *j
		d.around(y, &way, st, depth+1)
		j.worse(way)
	}
}

func (d *deriver) aroundIf(c *syntax.IfClause, j *jobs, st *state, depth int) {
	d.around(c.Cond, j, st, depth+1)
	sure := d.outcomes(c.Cond, st)
	then, other := *j, *j
	d.around(c.Then, &then, st, depth+1)
	switch {
	case c.Else == nil:
	case len(c.Else.Cond) == 0:
		d.around(c.Else.Then, &other, st, depth+1)
	case depth < maxNested:
		d.aroundIf(c.Else, &other, st, depth+1)
	}
	switch sure {
	case yes:
		*j = then
	case no:
		*j = other
	default:
		*j = then
		j.worse(other)
	}
}

// worse sets j to the worse of two paths.
func (j *jobs) worse(way jobs) {
	if way.leaves { // leaving the loop does no further harm
		return
	}
	if j.leaves {
		*j = way
		return
	}
	j.running = max(j.running, way.running)
	j.lost = j.lost || way.lost
	j.leads = j.leads && way.leads
	j.paced = j.paced && way.paced
	j.begun = j.begun || way.begun
}

func (d *deriver) aroundCall(c *syntax.CallExpr, j *jobs, st *state, depth int) {
	if len(c.Args) == 0 {
		return
	}
	name := c.Args[0].Lit()
	if f := st.function(name); f != nil {
		source := d.source
		d.source = f.source
		d.around([]*syntax.Stmt{f.body}, j, st, depth+1)
		d.source = source
		return
	}
	switch name {
	case "wait":
		switch {
		case len(c.Args) > 1 && j.running > 0:
			j.running-- // wait -n, wait $!
		case len(c.Args) == 1:
			j.running = 0
		}
		j.leads = j.leads || !j.begun
	case "disown":
		j.lost = j.lost || j.running > 0
	case "break", "exit", "return", "exec":
		j.leaves = name != "exec" || len(c.Args) > 1
	case "sleep":
		if len(c.Args) > 1 {
			n, err := strconv.ParseFloat(strings.TrimRight(c.Args[1].Lit(), "smhd"), 64)
			j.paced = j.paced || err == nil && n >= 1
		}
	case "read":
		j.paced = true // it waits for input
	}
}
