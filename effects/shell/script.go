package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/recipes"
	"github.com/trammel-dev/trammel/effects/shell/compute"
	"github.com/trammel-dev/trammel/effects/shell/parse"
)

// line interprets the command line itself.
func (d *deriver) line(parsed parse.Source, st *state) {
	if parsed.File == nil {
		d.salvage(parsed.Text, parsed.Why, st)
		return
	}
	d.source = parsed.Text
	for i, list := 0, parsed.File.Stmts; i < len(list); i++ {
		if i+1 < len(list) && programs.Waits(parse.Call(list[i])) {
			d.fed(list[i], parsed.Text[min(int(list[i].End().Offset()), len(parsed.Text)):], st)
		} else {
			d.stmts(list[i:i+1], st)
		}
	}
	if later := parse.Later(parsed); later != "" {
		d.quietly(func() { d.within(later, st.copy()) })
	}
}

// fed interprets a command that reads commands, with the lines below it as its
// input. That is what happens if the lines are typed, or piped into a shell.
func (d *deriver) fed(s *syntax.Stmt, rest string, st *state) {
	in := st.in
	st.in = certain(strings.TrimLeft(rest, "\n"))
	d.stmts([]*syntax.Stmt{s}, st)
	st.in = in
}

// script interprets text as a shell script that the run by starts, in a new shell.
func (d *deriver) script(text string, by int, st *state) {
	in := st.copy()
	if by != st.by {
		in.scope = st.scope.child()
	}
	in.by = by
	d.within(text, in)
}

// inShell interprets text that the shell itself runs: eval, source.
func (d *deriver) inShell(text string, run int, st *state) {
	by := st.by
	st.by = run
	d.within(text, st)
	st.by = by
}

// within interprets text in the state st.
func (d *deriver) within(text string, st *state) {
	if st.depth >= maxNested {
		d.doubt("depth", text, st.by)
		return
	}
	if !d.spend(len(text)) {
		return
	}
	st.depth++
	defer func(source string) { d.source = source; st.depth-- }(d.source)
	parsed := parse.Bash(text)
	if parsed.File == nil {
		d.salvage(text, parsed.Why, st)
		return
	}
	d.source = text
	d.stmts(parsed.File.Stmts, st)
}

// child returns the names that a new shell inherits: exported variables and
// functions.
func (s *scope) child() *scope {
	out := &scope{up: nil}
	for ; s != nil; s = s.up {
		for name, v := range s.vars {
			if _, ok := out.vars[name]; !ok && v.exported {
				out.set(name, v)
			}
		}
		for name, f := range s.funcs {
			if _, ok := out.funcs[name]; !ok && (f == nil || f.exported) { // nil: it was unset
				out.define(name, f)
			}
		}
	}
	return out
}

func (d *deriver) stmts(list []*syntax.Stmt, st *state) {
	for _, s := range list {
		if !d.step() {
			return
		}
		d.stmt(s, st)
	}
}

func (d *deriver) stmt(s *syntax.Stmt, st *state) {
	if s.Background || s.Coprocess || s.Disown {
		st = st.copy()
		st.apart++
		if !s.Coprocess {
			st.in = certain("")
		}
	}
	if len(s.Redirs) == 0 {
		d.command(s.Cmd, st)
		return
	}
	in, out, files := st.in, st.out, st.files
	r := d.redirect(s.Redirs, st)
	if s.Cmd == nil && st.out != nil && !st.out.null && slices.ContainsFunc(s.Redirs, parse.IsInput) { // $(<file) is $(cat <file)
		in := st.in
		in.run = d.add(model.Run{Program: "cat", Path: "cat"}, st.by, st)
		st.out.write(in, st)
	}
	d.command(s.Cmd, st)
	_, r.compound = s.Cmd.(*syntax.WhileClause)
	r.lasting = parse.Lasting(s.Cmd)
	d.close(r, st)
	if !parse.Lasting(s.Cmd) {
		st.in, st.out, st.files = in, out, files
	}
}

func (d *deriver) command(cmd syntax.Command, st *state) {
	switch c := cmd.(type) {
	case nil: // only redirections
	case *syntax.CallExpr:
		d.call(c, st)
	case *syntax.BinaryCmd:
		d.binary(c, st)
	case *syntax.Block:
		d.stmts(c.Stmts, st)
	case *syntax.Subshell:
		d.stmts(c.Stmts, st.copy())
	case *syntax.IfClause:
		d.branches(c, st)
	case *syntax.WhileClause:
		d.while(c, st)
	case *syntax.ForClause:
		d.loop(c, st)
	case *syntax.CaseClause:
		d.cases(c, st)
	case *syntax.FuncDecl:
		d.declareFunction(c, st)
	case *syntax.DeclClause:
		d.declare(c, st)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			d.stmt(c.Stmt, st)
		}
	case *syntax.CoprocClause:
		d.coproc(c, st)
	case *syntax.ArithmCmd:
		d.number(c.X, st)
	case *syntax.LetClause:
		for _, x := range c.Exprs {
			d.number(x, st)
		}
	case *syntax.TestClause:
		d.test(c.X, st)
	case *syntax.TestDecl:
		d.stmt(c.Body, st)
	}
}

func (d *deriver) declareFunction(c *syntax.FuncDecl, st *state) {
	f := &function{body: c.Body, source: d.source}
	switch {
	case c.Name != nil:
		st.define(c.Name.Value, f)
		if recipes.ShellHook(c.Name.Value) {
			d.stmt(c.Body, st.copy())
		}
	case len(c.Names) == 0: // zsh's () { … }: it runs at once
		d.stmt(c.Body, st)
	}
	for _, name := range c.Names {
		st.define(name.Value, f)
	}
}

// coproc interprets coproc. The parser takes operands of its command that look
// like assignments (dd if=x) for some, so a simple one is read again.
func (d *deriver) coproc(c *syntax.CoprocClause, st *state) {
	sub := st.copy()
	sub.apart++
	sub.in, sub.out = stream{run: -1}, newSink(st)
	defer func() {
		name, in, out := "COPROC", itoa(62-2*len(st.files)), itoa(61-2*len(st.files))
		if c.Name != nil {
			name = d.single(c.Name, st).Text
		}
		st.open(in, descriptor{in: sub.out.stream()})
		st.set(name, value{known: true, set: true, array: true, text: in, list: []model.Word{word(in), word(out)}})
	}()
	call, simple := c.Stmt.Cmd.(*syntax.CallExpr)
	if !simple || len(call.Args) == 0 {
		d.stmt(c.Stmt, sub)
		return
	}
	from, to := call.Args[0].Pos().Offset(), call.End().Offset()
	for _, a := range call.Assigns {
		from, to = min(from, a.Pos().Offset()), max(to, a.End().Offset())
	}
	if int(to) <= len(d.source) {
		d.within(d.source[from:to], sub)
	}
}

// binary interprets a && b, a || b and a | b. Such chains nest to the left and can
// be long, so they are not followed recursively.
func (d *deriver) binary(c *syntax.BinaryCmd, st *state) {
	if parse.IsPipe(c) {
		d.pipeline(c, st)
		return
	}
	var links []*syntax.BinaryCmd
	first := &syntax.Stmt{Cmd: c}
	for {
		next, ok := first.Cmd.(*syntax.BinaryCmd)
		if !ok || parse.IsPipe(next) || first.Negated || first.Background || len(first.Redirs) > 0 {
			break
		}
		links = append(links, next)
		first = next.X
	}
	astray := st.astray || first.Negated
	d.stmt(first, st)
	sure, way := d.outcome(first, st), st
	for i := len(links) - 1; i >= 0 && d.step(); i-- {
		y, reached := links[i].Y, sure
		if links[i].Op == syntax.OrStmt { // something before may have failed
			reached = sure.Not()
			if way == st {
				d.when(reached, st, func(way *state) { d.stmt(y, way) })
			} else {
				failed := st.copy()
				failed.merge(way)
				failed.perhaps(true)
				d.stmt(y, failed)
				st.join(way, failed)
				way = st
			}
		} else { // everything before has succeeded
			if reached != compute.Yes && way == st {
				way = st.copy()
				way.perhaps(true)
			}
			if way.missed { // it has not failed
				way.dirs, way.missed = nil, false
			}
			way.astray = astray
			d.stmt(y, way)
			astray = astray || y.Negated
		}
		switch reached {
		case compute.Yes:
			sure = d.outcome(y, st)
		case compute.Unsure:
			sure = compute.Unsure
		}
	}
	if way != st {
		st.merge(way)
	}
}

// pipeline interprets a | b | c: each in its own shell, reading what the one before prints.
func (d *deriver) pipeline(c *syntax.BinaryCmd, st *state) {
	stages := []*syntax.Stmt{c.Y}
	for {
		pipe, ok := c.X.Cmd.(*syntax.BinaryCmd)
		if !ok || !parse.IsPipe(pipe) || c.X.Negated || c.X.Background || len(c.X.Redirs) > 0 {
			break
		}
		c = pipe
		stages = append(stages, c.Y)
	}
	stages = append(stages, c.X)
	in := st.in
	for i := len(stages) - 1; i >= 0; i-- {
		if !d.step() {
			return
		}
		stage := st.copy()
		stage.in = in
		stage.apart++
		if i > 0 {
			stage.out = newSink(st)
		}
		d.stmt(stages[i], stage)
		if i > 0 {
			in = stage.out.stream()
		}
	}
}

// when interprets a conditional part. It does so even if the condition is known to
// be false: otherwise a guard could be talked into skipping it.
func (d *deriver) when(sure compute.Truth, st *state, run func(*state)) {
	if sure == compute.Yes {
		run(st)
		return
	}
	way := st.copy()
	way.perhaps(true)
	run(way)
	st.merge(way)
}

func (d *deriver) branches(c *syntax.IfClause, st *state) {
	if !d.step() {
		return
	}
	d.stmts(c.Cond, st)
	sure := d.outcomes(c.Cond, st)
	then, other := st.copy(), st.copy()
	then.perhaps(sure != compute.Yes)
	other.perhaps(sure != compute.No)
	d.stmts(c.Then, then)
	switch {
	case c.Else == nil:
	case len(c.Else.Cond) == 0:
		d.stmts(c.Else.Then, other)
	default:
		d.branches(c.Else, other)
	}
	switch sure {
	case compute.Yes:
		st.join(then, then)
	case compute.No:
		st.join(other, other)
	default:
		st.join(then, other)
	}
}

func (d *deriver) cases(c *syntax.CaseClause, st *state) {
	d.single(c.Word, st)
	for _, item := range c.Items {
		for _, pattern := range item.Patterns {
			d.single(pattern, st)
		}
		d.when(compute.Unsure, st, func(way *state) { d.stmts(item.Stmts, way) })
	}
}

// test interprets the words of [[ … ]], which may hold substitutions.
func (d *deriver) test(x syntax.TestExpr, st *state) {
	switch x := x.(type) {
	case *syntax.Word:
		d.single(x, st)
	case *syntax.BinaryTest:
		d.test(x.X, st)
		d.test(x.Y, st)
	case *syntax.UnaryTest:
		d.test(x.X, st)
		if w, ok := x.X.(*syntax.Word); ok && (x.Op == syntax.TsVarSet || x.Op == syntax.TsRefVar) {
			d.prompt(d.single(w, st).Text, st.by, st)
		}
	case *syntax.ParenTest:
		d.test(x.X, st)
	}
}
