package rule

import (
	"math"
	"reflect"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/vm/runtime"
)

// relations replaces <, <=, > and >= where the type of a side is known only at
// run time, as it is of a tool's arguments: input.amount > 50000. With a side
// that is missing (nil) such a comparison is false, both ways round, so that a
// rule about an argument says nothing about calls without it. Sides that
// cannot be compared ("ten" > 5) are an error, and a guard then blocks.
//
// Everything else is as in expr: == and != take nil, contains, startsWith,
// endsWith, matches and in are false with nil, and a field of nil
// (input.missing.field) is an error; input.missing?.field is nil.
type relations struct{ done bool }

func (r *relations) Visit(node *ast.Node) {
	n, ok := (*node).(*ast.BinaryNode)
	if !ok || relation(n.Operator) == nil || !untyped(n.Left) && !untyped(n.Right) {
		return
	}
	callee := &ast.IdentifierNode{Value: "#" + n.Operator}
	callee.SetLocation(n.Location())
	ast.Patch(node, &ast.CallNode{Callee: callee, Arguments: []ast.Node{n.Left, n.Right}})
	r.done = true
}

func untyped(n ast.Node) bool {
	t := n.Type()
	return t == nil || t.Kind() == reflect.Interface
}

func relation(op string) func(a, b any) bool {
	switch op {
	case "<":
		return runtime.Less
	case "<=":
		return runtime.LessOrEqual
	case ">":
		return runtime.More
	case ">=":
		return runtime.MoreOrEqual
	}
	return nil
}

func relationFunctions() map[string]*builtin.Function {
	out := make(map[string]*builtin.Function, 4)
	types := []reflect.Type{reflect.TypeFor[func(a, b any) bool]()}
	for _, op := range [...]string{"<", "<=", ">", ">="} {
		holds := relation(op)
		out["#"+op] = &builtin.Function{Name: "#" + op, Types: types, Func: func(sides ...any) (any, error) {
			a, b := sides[0], sides[1]
			if a == nil || b == nil {
				return false, nil
			}
			return holds(signed(a), signed(b)), nil
		}}
	}
	return out
}

// signed keeps numbers beyond int64 large: expr would wrap them around to
// negative ones, and a limit would be passed from above.
func signed(v any) any {
	if n, ok := v.(uint64); ok && n > math.MaxInt64 {
		return float64(n)
	}
	return v
}
