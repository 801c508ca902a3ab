package rule

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
)

// Limits of expressions. A guard has to answer soon, whatever its author wrote
// and whatever the event holds.
const (
	maxExpression = 4 << 10
	maxNodes      = 2000
	maxRounds     = 1_000_000 // rounds of all loops in one evaluation
	maxMemory     = 4_000_000 // values that one evaluation may make; an event of the largest size has fewer
)

// expression is a compiled expression.
type expression struct {
	program *vm.Program
	named
}

// named is what an expression names of the call's effects, which is costly to
// provide.
type named struct {
	bound   bool // program or args
	effects bool // lists of effects, or questions about them
	lists   bool // lists
	loops   bool // it has rounds to count

	onProgram, onArgs, onPath bool // what the expression compares as text
}

// compile checks and compiles an expression. Its result must be of the kind
// want; reflect.Invalid takes any that is a value.
//
// It goes through the parts of the expr package one by one, because its
// Compile also optimises, which costs a process that runs the expression once
// more than it saves.
func compile(source string, want reflect.Kind) (*expression, error) {
	cfg := settings()
	tree, err := parse(source, cfg)
	if err != nil {
		return nil, err
	}
	out := &expression{}
	certain(tree.Node, false)
	guard := &limiter{}
	ast.Walk(&tree.Node, guard)
	if guard.err != nil {
		return nil, place(guard.err.Bind(tree.Source), tree.Node, source)
	}
	out.named = guard.named
	typ, err := checkTypes(tree, cfg, source)
	if err != nil {
		return nil, err
	}
	patch := &relations{}
	if ast.Walk(&tree.Node, patch); patch.done {
		if typ, err = checkTypes(tree, cfg, source); err != nil {
			return nil, err
		}
	}
	switch kind := typ.Kind(); {
	case want != reflect.Invalid && kind != want:
		return nil, &Error{Source: source, Line: 1, Column: 1, Message: "it is " + typeName(typ), Expected: "a condition that is true or false"}
	case kind == reflect.Func || kind == reflect.Struct:
		return nil, &Error{Source: source, Line: 1, Column: 1, Message: "it is not a value",
			Expected: "text, a number, true or false, a list or a map"}
	}
	if out.program, err = compiler.Compile(tree, cfg); err != nil {
		return nil, place(err, tree.Node, source)
	}
	return out, nil
}

// settings is what all expressions are compiled with. Functions that depend on
// the time are left out: a decision must come out the same when it is replayed.
func settings() *conf.Config {
	cfg := &conf.Config{
		ShortCircuit: true,
		MaxNodes:     maxNodes,
		Functions:    relationFunctions(),
		Disabled:     map[string]bool{"now": true, "date": true, "duration": true, "timezone": true},
	}
	cfg.WithEnv(environment{})
	return cfg
}

func parse(source string, cfg *conf.Config) (*parser.Tree, error) {
	if len(source) > maxExpression {
		return nil, &Error{Line: 1, Column: maxExpression + 1, Message: fmt.Sprintf("it has %d bytes", len(source)),
			Expected: fmt.Sprintf("at most %d", maxExpression)}
	}
	tree, err := parser.ParseWithConfig(source, cfg)
	if err != nil {
		return nil, place(err, nil, source)
	}
	return tree, nil
}

func checkTypes(tree *parser.Tree, cfg *conf.Config, source string) (reflect.Type, error) {
	typ, err := new(checker.Checker).Check(tree, cfg)
	if err != nil {
		return nil, place(err, tree.Node, source)
	}
	return typ, nil
}

// run evaluates the expression.
func (e *expression) run(env *environment) (any, error) {
	if e.loops {
		rounds := 0
		env.Tick = func() bool {
			if rounds++; rounds > maxRounds {
				panic(fmt.Sprintf("more than %d rounds of loops", maxRounds))
			}
			return true
		}
	}
	machine := vm.VM{MemoryBudget: maxMemory}
	out, err := machine.Run(e.program, env)
	if err != nil {
		var f *file.Error
		if errors.As(err, &f) {
			return nil, fmt.Errorf("column %d: %s", f.Column+1, f.Message)
		}
		return nil, err
	}
	return out, nil
}

// limiter puts a count into every loop and refuses what would reach around
// the vocabulary.
type limiter struct {
	named
	err *file.Error
}

func (l *limiter) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IdentifierNode:
		switch n.Value {
		case "program":
			l.bound, l.onProgram = true, true
		case "args":
			l.bound = true
		case "interactive":
			l.bound, l.onProgram, l.onArgs = true, true, true
		case "path":
			l.onPath = true
		case "$env":
			l.err = &file.Error{Location: n.Location(), Message: "$env is not available"}
		case "commands", "effects":
			l.effects, l.lists = true, true
		default:
			l.effects = l.effects || isQuestion(strings.TrimPrefix(n.Value, "#"))
		}
	case *ast.MemberNode:
		switch textOf(n.Property) {
		case "list", "text", "value":
			l.onArgs = l.onArgs || isName(n.Node, "args")
		}
	case *ast.PredicateNode:
		l.loops = true
		callee := &ast.IdentifierNode{Value: "#tick"}
		call := &ast.CallNode{Callee: callee}
		body := &ast.SequenceNode{Nodes: []ast.Node{call, n.Node}}
		for _, added := range []ast.Node{callee, call, body} {
			added.SetLocation(n.Location())
		}
		n.Node = body
	}
}
