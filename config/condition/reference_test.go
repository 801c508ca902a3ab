package condition

import (
	"math"
	"reflect"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/vm"
	"github.com/expr-lang/expr/vm/runtime"

	"github.com/trammel-dev/trammel/handlers/rule"
)

// reference evaluates an expression with expr's own machine. fault is true if it
// compiles and cannot be evaluated, ok if it compiles.
func reference(source string, env *rule.Vocabulary) (v any, fault, ok bool) {
	cfg := settings()
	cfg.Functions = relationFunctions()
	tree, err := parse(source, cfg)
	if err != nil {
		return nil, false, false
	}
	if _, err := new(checker.Checker).Check(tree, cfg); err != nil {
		return nil, false, false
	}
	patch := &relations{}
	if ast.Walk(&tree.Node, patch); patch.done {
		if _, err := new(checker.Checker).Check(tree, cfg); err != nil {
			return nil, false, false
		}
	}
	program, err := compiler.Compile(tree, cfg)
	if err != nil {
		return nil, false, false
	}
	machine := vm.VM{MemoryBudget: 4_000_000}
	v, err = machine.Run(program, env)
	return v, err != nil, true
}

// relations makes orders false with nil: the one thing that conditions do in
// another way than expr.
type relations struct{ done bool }

func (r *relations) Visit(node *ast.Node) {
	n, ok := (*node).(*ast.BinaryNode)
	if !ok || orders(n.Operator) == nil || !untyped(n.Left) && !untyped(n.Right) {
		return
	}
	callee := &ast.IdentifierNode{Value: "#" + n.Operator}
	ast.Patch(node, &ast.CallNode{Callee: callee, Arguments: []ast.Node{n.Left, n.Right}})
	r.done = true
}

func orders(op string) func(a, b any) bool {
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
	out := map[string]*builtin.Function{}
	for _, op := range []string{"<", "<=", ">", ">="} {
		holds := orders(op)
		signed := func(v any) any {
			if n, ok := v.(uint64); ok && n > math.MaxInt64 {
				return float64(n)
			}
			return v
		}
		out["#"+op] = &builtin.Function{Name: "#" + op, Types: []reflect.Type{reflect.TypeFor[func(a, b any) bool]()},
			Func: func(sides ...any) (any, error) {
				if sides[0] == nil || sides[1] == nil {
					return false, nil
				}
				return holds(signed(sides[0]), signed(sides[1])), nil
			}}
	}
	return out
}

// asScope is a Vocabulary with values as what is evaluated sees it.
type asScope struct{ v reflect.Value }

func (s asScope) find(name string) (reflect.Value, bool) {
	v := s.v
	for _, part := range strings.Split(strings.ReplaceAll(name, "#", ""), ".") {
		found := false
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("expr") == part {
				v, found = v.Field(i), true
				break
			}
		}
		if !found {
			return v, false
		}
	}
	return v, true
}

func (s asScope) Text(name string) (string, bool) {
	v, ok := s.find(name)
	if !ok || v.Kind() != reflect.String {
		return "", false
	}
	return v.String(), true
}

func (s asScope) Value(name string) (any, bool) { return s.Field(name) }

func (s asScope) Field(name string) (any, bool) {
	v, ok := s.find(name)
	if !ok {
		return nil, false
	}
	return recorded(v), true
}

func (s asScope) Ask(name string, words []string) (any, bool) {
	v, ok := s.find(name)
	if !ok || v.Kind() != reflect.Func {
		return nil, false
	}
	return v.CallSlice([]reflect.Value{reflect.ValueOf(words)})[0].Interface(), true
}

// recorded turns structs, and lists of them, into Records.
func recorded(v reflect.Value) any {
	switch {
	case v.Kind() == reflect.Struct:
		return asScope{v}
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
		out := make([]any, v.Len())
		for i := range out {
			out[i] = recorded(v.Index(i))
		}
		return out
	}
	return v.Interface()
}
