package condition

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"

	"github.com/trammel-dev/trammel/internal/expression"
)

// translator turns a checked expression into what is evaluated. It refuses what
// has no meaning in conditions, and says what to write instead.
type translator struct {
	source string
	vars   []string // those of let, outermost first
	err    *Error   // the first
	probes map[ast.Node]int
}

func (t *translator) refuse(at ast.Node, message, expected string) expression.Node {
	if t.err == nil {
		line, column := t.place(at)
		t.err = &Error{Line: line, Column: column, Message: message, Expected: expected}
	}
	return expression.Node{}
}

// place is the position of a node, both numbers from 1.
func (t *translator) place(n ast.Node) (line, column int) {
	line, column = 1, 1
	runes := 0
	for _, r := range t.source {
		if runes == n.Location().From {
			break
		}
		runes++
		if column++; r == '\n' {
			line, column = line+1, 1
		}
	}
	return line, column
}

// op makes a node of translated parts.
func (t *translator) op(op expression.Op, at ast.Node, text string, parts ...ast.Node) expression.Node {
	_, column := t.place(at)
	out := expression.Node{Op: op, Column: column, Text: text}
	for _, p := range parts {
		out.Kids = append(out.Kids, t.node(p))
	}
	return out
}

func (t *translator) node(node ast.Node) expression.Node {
	out := t.plain(node)
	if i, ok := t.probes[node]; ok {
		out = expression.Node{Op: expression.Probe, Column: out.Column, Text: strconv.Itoa(i), Kids: []expression.Node{out}}
	}
	return out
}

func (t *translator) plain(node ast.Node) expression.Node {
	switch n := node.(type) {
	case *ast.NilNode:
		return t.op(expression.Nil, n, "")
	case *ast.BoolNode:
		if n.Value {
			return t.op(expression.True, n, "")
		}
		return t.op(expression.False, n, "")
	case *ast.IntegerNode:
		if n.Type().Kind() == reflect.Float64 {
			return t.op(expression.Float, n, strconv.Itoa(n.Value))
		}
		return t.op(expression.Int, n, strconv.Itoa(n.Value))
	case *ast.FloatNode:
		return t.op(expression.Float, n, strconv.FormatFloat(n.Value, 'g', -1, 64))
	case *ast.StringNode:
		return t.op(expression.Text, n, n.Value)
	case *ast.BytesNode:
		return t.refuse(n, "there are no bytes to compare with", fmt.Sprintf("text: %q", n.Value))
	case *ast.IdentifierNode:
		return t.name(n)
	case *ast.UnaryNode:
		switch n.Operator {
		case "-":
			return t.op(expression.Negate, n, "", n.Node)
		case "+":
			return t.node(n.Node)
		}
		return t.op(expression.Not, n, "", n.Node)
	case *ast.BinaryNode:
		return t.binary(n)
	case *ast.ChainNode:
		return t.op(expression.Chain, n, "", n.Node)
	case *ast.MemberNode:
		return t.member(n)
	case *ast.SliceNode:
		return t.slice(n)
	case *ast.CallNode:
		return t.call(n)
	case *ast.BuiltinNode:
		return t.function(n)
	case *ast.PredicateNode:
		return t.node(n.Node)
	case *ast.PointerNode:
		switch n.Name {
		case "index":
			return t.op(expression.Index, n, "")
		case "acc":
			return t.op(expression.Acc, n, "")
		}
		return t.op(expression.Item, n, "")
	case *ast.ConditionalNode:
		return t.op(expression.If, n, "", n.Cond, n.Exp1, n.Exp2)
	case *ast.VariableDeclaratorNode:
		return t.let(n)
	case *ast.SequenceNode:
		return t.op(expression.Seq, n, "", n.Nodes...)
	case *ast.ArrayNode:
		return t.op(expression.List, n, "", n.Nodes...)
	case *ast.MapNode:
		var parts []ast.Node
		for _, p := range n.Pairs {
			pair := p.(*ast.PairNode)
			parts = append(parts, pair.Key, pair.Value)
		}
		return t.op(expression.Map, n, "", parts...)
	}
	return t.refuse(node, "this is not available", "")
}

func (t *translator) name(n *ast.IdentifierNode) expression.Node {
	for i := len(t.vars) - 1; i >= 0; i-- {
		if t.vars[i] == n.Value {
			return t.op(expression.Var, n, strconv.Itoa(i))
		}
	}
	if n.Type().Kind() == reflect.Func {
		return t.refuse(n, n.Value+" is a function", "a call of it: "+n.Value+"(…)")
	}
	return t.op(expression.Name, n, n.Value)
}

func (t *translator) let(n *ast.VariableDeclaratorNode) expression.Node {
	out := t.op(expression.Let, n, strconv.Itoa(len(t.vars)), n.Value)
	t.vars = append(t.vars, n.Name)
	out.Kids = append(out.Kids, t.node(n.Expr))
	t.vars = t.vars[:len(t.vars)-1]
	return out
}

func (t *translator) member(n *ast.MemberNode) expression.Node {
	if n.Type().Kind() == reflect.Func {
		name := textOf(n.Property)
		return t.refuse(n, name+" is a function", "a call of it: "+name+"(…)")
	}
	op := expression.Field
	if n.Optional {
		op = expression.Optional
	}
	out := t.op(op, n, "", n.Node, n.Property)
	if base := &out.Kids[0]; base.Op == expression.Name && op == expression.Field && isRecord(n.Node.Type()) {
		return t.op(expression.Name, n, base.Text+"."+textOf(n.Property))
	}
	return out
}

func (t *translator) slice(n *ast.SliceNode) expression.Node {
	switch {
	case n.From != nil && n.To != nil:
		return t.op(expression.Slice, n, "both", n.Node, n.From, n.To)
	case n.From != nil:
		return t.op(expression.Slice, n, "from", n.Node, n.From)
	case n.To != nil:
		return t.op(expression.Slice, n, "to", n.Node, n.To)
	}
	return t.op(expression.Slice, n, "", n.Node)
}

// call translates a call of a function of the vocabulary.
func (t *translator) call(n *ast.CallNode) expression.Node {
	if n.Callee.Type().Kind() == reflect.Func {
		switch callee := n.Callee.(type) {
		case *ast.IdentifierNode:
			return t.op(expression.Ask, n, callee.Value, n.Arguments...)
		case *ast.MemberNode:
			name := textOf(callee.Property)
			out := t.op(expression.Method, n, name, append([]ast.Node{callee.Node}, n.Arguments...)...)
			if base := &out.Kids[0]; base.Op == expression.Name {
				out.Op, out.Text, out.Kids = expression.Ask, base.Text+"."+name, out.Kids[1:]
			}
			return out
		}
	}
	return t.refuse(n, "this is not a function", "one of the functions there are, by its name")
}

func (t *translator) function(n *ast.BuiltinNode) expression.Node {
	op, ok := expression.FunctionOp(n.Name)
	if !ok {
		return t.refuse(n, n.Name+" is not available", "")
	}
	switch n.Name {
	case "string", "toJSON", "type":
		t.whole(n.Arguments[0])
	}
	return t.op(op, n, n.Name, n.Arguments...)
}

// whole refuses something with fields, or a list of it, where a value is needed.
func (t *translator) whole(n ast.Node) {
	typ := n.Type()
	if typ.Kind() == reflect.Slice && isRecord(typ.Elem()) {
		names, _, _ := strings.Cut(strings.Join(namesOf(typ.Elem()), ", "), ",")
		t.refuse(n, "its items have fields", fmt.Sprintf("one of the fields of each: map(…, .%s)", names))
	} else if isRecord(typ) {
		t.refuse(n, "it has fields", "one of them: "+strings.Join(namesOf(typ), ", "))
	}
}

func isRecord(t reflect.Type) bool { return t.Kind() == reflect.Struct }
