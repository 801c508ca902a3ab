package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
)

// mutant is one small change of one file.
type mutant struct {
	id       int
	dir      string // of its package, below the root of the module
	file     string // below the root of the module
	line     int
	function string
	kind     string // what was done: drop, never, always, omit, swap, shift, flip
	snippet  string // the original text, on one line
}

// key names a mutant without its line, so that a justification survives edits
// elsewhere in the file.
func (m *mutant) key() string {
	return strings.Join([]string{m.file, m.function, m.kind, m.snippet}, " | ")
}

// weaver puts the mutants of a file into its text, each behind a switch. All it
// does is insert, on the same line, so that mutants nest and lines keep their
// numbers.
type weaver struct {
	src           []byte
	fset          *token.FileSet
	unusable      map[int]bool // mutants that do not compile
	mutants       []mutant     // of all files so far
	now           mutant       // where the weaver is
	before, after map[int]string
	blank         map[int]int       // comparison operators: where, how long
	operands      map[ast.Expr]bool // of && and ||
}

// weave returns the text of a file with all its mutants in it.
func (w *weaver) weave(path, dir, file string) (text []byte, err error) {
	if w.src, err = os.ReadFile(path); err != nil {
		return nil, err
	}
	w.fset, w.before, w.after = token.NewFileSet(), map[int]string{}, map[int]string{}
	w.blank, w.operands = map[int]int{}, map[ast.Expr]bool{}
	parsed, err := parser.ParseFile(w.fset, path, w.src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range parsed.Decls {
		w.now = mutant{dir: dir, file: file, function: "var"}
		if f, ok := d.(*ast.FuncDecl); ok {
			w.now.function = f.Name.Name
		}
		ast.Inspect(d, w.visit)
	}
	for i := 0; i < len(w.src); i++ {
		text = append(append(text, w.after[i]...), w.before[i]...)
		if n := w.blank[i]; n > 0 {
			text, i = append(text, ','), i+n-1
			continue
		}
		text = append(text, w.src[i])
	}
	return text, nil
}

// add makes a mutant of what stands from one place to another. In open and end,
// $ is the question whether this mutant is in force.
func (w *weaver) add(kind string, from, to ast.Node, open, end string) {
	m := w.now
	m.id, m.kind, m.line = len(w.mutants)+1, kind, w.fset.Position(from.Pos()).Line
	m.snippet = strings.Join(strings.Fields(string(w.src[w.offset(from.Pos()):w.offset(to.End())])), " ")
	m.snippet = m.snippet[:min(len(m.snippet), 100)]
	w.mutants = append(w.mutants, m)
	if !w.unusable[m.id] {
		w.before[w.offset(from.Pos())] += strings.ReplaceAll(open, "$", fmt.Sprintf("mutant__(%d)", m.id))
		w.after[w.offset(to.End())] = end + w.after[w.offset(to.End())]
	}
}

func (w *weaver) offset(p token.Pos) int { return w.fset.Position(p).Offset }

func (w *weaver) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok == token.VAR
	case *ast.BlockStmt:
		w.statements(n.List)
	case *ast.CommClause:
		w.statements(n.Body)
	case *ast.CaseClause:
		if last := len(n.Body) - 1; last > 0 && !ends(n.Body[last]) {
			w.add("drop", n.Body[0], n.Body[last], "if !$ { ", " }")
		}
		w.statements(n.Body)
	case *ast.IfStmt:
		w.condition(n.Cond)
	case *ast.BinaryExpr:
		w.binary(n)
	case *ast.ReturnStmt:
		for _, r := range n.Results {
			if id, ok := r.(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
				w.add("flip", r, r, "($ != ", ")")
			}
		}
	}
	return true
}

// statements drops them, one at a time. Those that declare something or leave
// the block stay.
func (w *weaver) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
		case *ast.IncDecStmt, *ast.DeferStmt, *ast.ExprStmt:
		default:
			continue
		}
		if !ends(s) {
			w.add("drop", s, s, "if !$ { ", " }")
		}
	}
}

// condition makes the condition of an if statement never and always true.
// Comparisons are exchanged anyway (see binary).
func (w *weaver) condition(e ast.Expr) {
	b, ok := e.(*ast.BinaryExpr)
	if !ok {
		w.add("always", e, e, "($ || (", "))")
	}
	if !ok || b.Op == token.LAND || b.Op == token.LOR {
		w.add("never", e, e, "(!$ && (", "))")
	}
}

// binary leaves out each operand of && and ||, turns any other equality round,
// and moves a comparison by one.
func (w *weaver) binary(n *ast.BinaryExpr) {
	switch n.Op {
	case token.LAND, token.LOR:
		for _, e := range []ast.Expr{n.X, n.Y} {
			if b, ok := e.(*ast.BinaryExpr); ok && b.Op == n.Op {
				continue
			}
			w.operands[e] = true
			w.add("omit", e, e, map[token.Token]string{token.LAND: "($ || (", token.LOR: "(!$ && ("}[n.Op], "))")
		}
	case token.EQL, token.NEQ:
		if !w.operands[n] {
			w.add("swap", n, n, "($ != (", "))")
		}
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		name := map[token.Token]string{token.LSS: "less", token.LEQ: "most", token.GTR: "more", token.GEQ: "least"}[n.Op]
		w.add("shift", n, n, name+"__($, ", ")")
		if !w.unusable[len(w.mutants)] {
			w.blank[w.offset(n.OpPos)] = len(n.Op.String())
		}
	}
}

// ends reports whether control does not go on behind a statement, or may not
// for all that is looked at here.
func ends(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return true
	case *ast.ForStmt:
		return s.Cond == nil
	case *ast.IfStmt:
		return s.Else != nil
	case *ast.BlockStmt:
		return len(s.List) > 0 && ends(s.List[len(s.List)-1])
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		f, ok := call.Fun.(*ast.Ident)
		return ok && f.Name == "panic"
	}
	return false
}
