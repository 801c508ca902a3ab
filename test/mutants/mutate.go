package main

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"strings"
)

// mutant is one small change of one file.
type mutant struct {
	file     string // absolute
	line     int
	function string
	kind     string // what was done: drop, negate, swap, shift, flip
	snippet  string // what stood there, on one line
	from, to int    // the bytes that are replaced
	text     string
}

// key names a mutant without its line, so that a justification survives edits
// elsewhere in the file.
func (m *mutant) key(rel string) string {
	return strings.Join([]string{rel, m.function, m.kind, m.snippet}, " | ")
}

func (m *mutant) apply(src []byte) []byte {
	return bytes.Join([][]byte{src[:m.from], []byte(m.text), src[m.to:]}, nil)
}

// mutantsOf lists the changes that are tried on a file.
func mutantsOf(path string) ([]mutant, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	c := &collector{src: src, fset: fset, path: path}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			c.function = f.Name.Name
			ast.Inspect(f.Body, c.visit)
		}
	}
	return c.out, nil
}

type collector struct {
	src      []byte
	fset     *token.FileSet
	path     string
	function string
	out      []mutant
}

func (c *collector) add(kind string, n ast.Node, text string) {
	from, to := c.fset.Position(n.Pos()).Offset, c.fset.Position(n.End()).Offset
	snippet := strings.Join(strings.Fields(string(c.src[from:to])), " ")
	if len(snippet) > 100 {
		snippet = snippet[:100]
	}
	c.out = append(c.out, mutant{c.path, c.fset.Position(n.Pos()).Line, c.function, kind, snippet, from, to, text})
}

// swapped are the operators that are exchanged. A comparison is moved by one.
var swapped = map[token.Token]token.Token{
	token.LAND: token.LOR, token.LOR: token.LAND, token.LSS: token.LEQ, token.LEQ: token.LSS,
	token.GTR: token.GEQ, token.GEQ: token.GTR, token.EQL: token.NEQ, token.NEQ: token.EQL,
}

func (c *collector) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			c.add("drop", n, "")
		}
	case *ast.IncDecStmt, *ast.DeferStmt:
		c.add("drop", n, "")
	case *ast.ExprStmt:
		c.add("drop", n, "")
	case *ast.IfStmt:
		c.add("negate", n.Cond, "!("+c.source(n.Cond)+")")
	case *ast.BinaryExpr:
		if op, ok := swapped[n.Op]; ok {
			c.add("swap", n, c.source(n.X)+" "+op.String()+" "+c.source(n.Y))
		}
	case *ast.ReturnStmt:
		c.returns(n)
	case *ast.CaseClause:
		if len(n.Body) > 0 {
			c.body(n.Body)
		}
	}
	return true
}

// returns turns true into false in what is returned, and the other way round.
func (c *collector) returns(n *ast.ReturnStmt) {
	for _, r := range n.Results {
		if id, ok := r.(*ast.Ident); ok && (id.Name == "true" || id.Name == "false") {
			c.add("flip", id, map[string]string{"true": "false", "false": "true"}[id.Name])
		}
	}
}

// body drops all that a case does, unless it ends the function.
func (c *collector) body(list []ast.Stmt) {
	if _, ends := list[len(list)-1].(*ast.ReturnStmt); ends || len(list) == 1 {
		return
	}
	block := &ast.BlockStmt{Lbrace: list[0].Pos(), Rbrace: list[len(list)-1].End() - 1}
	c.add("drop", block, "")
}

func (c *collector) source(n ast.Node) string {
	var b bytes.Buffer
	format.Node(&b, c.fset, n)
	return b.String()
}
