// Package condition compiles the expressions of rules: it reads them, checks
// them against the vocabulary, and turns them into what handlers/rule evaluates.
// Only compiling the configuration does this.
package condition

import (
	"fmt"
	"reflect"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"

	"github.com/trammel-dev/trammel/handlers/rule"
	"github.com/trammel-dev/trammel/internal/expression"
)

// Limits of expressions; those of evaluating them are in internal/expression.
const (
	maxExpression = 4 << 10
	maxNodes      = 2000
)

// compile checks an expression and returns it compiled. Its result must be of
// the kind want; reflect.Invalid accepts any value.
func compile(source string, want reflect.Kind) (*expression.Node, error) {
	tree, err := checked(source, want)
	if err != nil {
		return nil, err
	}
	return translate(tree, source, nil)
}

// translate turns a checked expression into what is evaluated, with probes at the
// parts that are numbered.
func translate(tree *parser.Tree, source string, probes map[ast.Node]int) (*expression.Node, error) {
	certain(tree.Node, false)
	t := translator{source: source, probes: probes}
	out := t.node(tree.Node)
	if t.err != nil {
		return nil, t.err
	}
	return expression.Parse(out.String())
}

// checked reads an expression and finds what is wrong with it.
func checked(source string, want reflect.Kind) (*parser.Tree, error) {
	cfg := settings()
	tree, err := parse(source, cfg)
	if err != nil {
		return nil, err
	}
	guard := &limiter{}
	if ast.Walk(&tree.Node, guard); guard.err != nil {
		return nil, place(guard.err.Bind(tree.Source), tree.Node)
	}
	typ, err := new(checker.Checker).Check(tree, cfg)
	if err != nil {
		return nil, place(err, tree.Node)
	}
	switch kind := typ.Kind(); {
	case want != reflect.Invalid && kind != want:
		return nil, &Error{Line: 1, Column: 1, Message: "it is " + typeName(typ), Expected: "a condition that is true or false"}
	case kind == reflect.Func || kind == reflect.Struct:
		return nil, &Error{Line: 1, Column: 1, Message: "it is not a value",
			Expected: "text, a number, true or false, a list or a map"}
	}
	if _, err = compiler.Compile(tree, cfg); err != nil { // it finds patterns and numbers that are wrong
		return nil, place(err, tree.Node)
	}
	return tree, nil
}

// settings is what all expressions are compiled with. Functions that depend on
// the time are left out: a decision must come out the same when it is replayed.
func settings() *conf.Config {
	cfg := &conf.Config{
		ShortCircuit: true,
		MaxNodes:     maxNodes,
		Disabled:     map[string]bool{"now": true, "date": true, "duration": true, "timezone": true},
	}
	cfg.WithEnv(rule.Vocabulary{})
	return cfg
}

func parse(source string, cfg *conf.Config) (*parser.Tree, error) {
	if len(source) > maxExpression {
		return nil, &Error{Line: 1, Column: maxExpression + 1, Message: fmt.Sprintf("it has %d bytes", len(source)),
			Expected: fmt.Sprintf("at most %d", maxExpression)}
	}
	tree, err := parser.ParseWithConfig(source, cfg)
	if err != nil {
		return nil, place(err, nil)
	}
	return tree, nil
}

// limiter refuses expressions that would bypass the vocabulary.
type limiter struct{ err *file.Error }

func (l *limiter) Visit(node *ast.Node) {
	if isName(*node, "$env") {
		l.err = &file.Error{Location: (*node).Location(), Message: "$env is not available"}
	}
}
