// Package expression evaluates expressions that were checked and compiled
// elsewhere. A compiled expression is a tree of Nodes, which can be written as
// text and read back; evaluating it needs no parser and no types, and costs a
// process that never does it nothing.
//
// Operators and functions have the same meaning as in the language that people
// write (github.com/expr-lang/expr); a test compares the two.
package expression

import "regexp"

// Node is an operation and what it is applied to.
type Node struct {
	Op     Op
	Column int    // its position in the source, from 1
	Text   string // a constant's text, a name; what it is depends on Op
	Kids   []Node

	value   any      // of a constant
	words   []string // what Kids are, if all of them are texts
	pattern func() (*regexp.Regexp, error)
}

// Op is what a node does.
type Op uint8

// The operations. A comment says what Text and Kids are if that is not obvious.
const (
	Nil Op = iota
	True
	False
	Int
	Float
	Text

	Name     // the value of a name of the vocabulary: session.mode
	Ask      // a function of the vocabulary, Kids are its arguments
	Method   // a function of Kids[0], which is a Record
	Field    // Kids[0][Kids[1]]
	Optional // the same; where Kids[0] is nil, the Chain around it ends
	Chain    // Kids[0], nil if an Optional within ends it
	Link     // a Chain beside ??, which takes an empty list or map for nil, too
	Slice    // Kids[0] from Kids[1] to the last of Kids; Text says which are there: "", from, to, both

	Let   // variable number Text is Kids[0] within Kids[1]
	Var   // variable number Text
	Item  // of the innermost loop
	Index // its place
	Acc   // what reduce has so far
	Loop  // function Text with a predicate: Kids are list, predicate, start or order
	Call  // function Text
	Seq   // all of Kids, for the last one's value
	List
	Map // Kids are key, value, key, value …

	Not
	Negate
	And
	Or
	If   // Kids[0] ? Kids[1] : Kids[2]
	Else // Kids[0] ?? Kids[1]

	Equal
	SameInt  // Equal of two that the checker takes for int
	SameText // Equal of two that the checker takes for text
	Less
	LessEqual
	More
	MoreEqual
	MaybeLess // the same where types are known only now: false with nil
	MaybeLessEqual
	MaybeMore
	MaybeMoreEqual
	In
	Contains
	StartsWith
	EndsWith
	Matches
	Pattern // Matches with the constant Text
	Add
	Subtract
	Multiply
	Divide
	Modulo
	Power
	Range
	Probe // Kids[0], whose value is told as that of operand number Text
	numOps
)

// shapes are the operations as they are written, and how many kids they have;
// most below 0 is any number.
var shapes = [numOps]struct {
	word        string
	least, most int
}{
	Nil: {"nil", 0, 0}, True: {"true", 0, 0}, False: {"false", 0, 0}, Int: {"int", 0, 0}, Float: {"float", 0, 0}, Text: {"text", 0, 0},
	Name: {"name", 0, 0}, Ask: {"ask", 0, -1}, Method: {"method", 1, -1}, Field: {"field", 2, 2}, Optional: {"optional", 2, 2},
	Chain: {"chain", 1, 1}, Link: {"link", 1, 1}, Slice: {"slice", 1, 3}, Let: {"let", 2, 2}, Var: {"var", 0, 0}, Item: {"item", 0, 0},
	Index: {"index", 0, 0}, Acc: {"acc", 0, 0}, Loop: {"loop", 1, 3}, Call: {"call", 1, -1}, Seq: {"seq", 1, -1}, List: {"list", 0, -1},
	Map: {"map", 0, -1}, Not: {"not", 1, 1}, Negate: {"negate", 1, 1}, And: {"and", 2, 2}, Or: {"or", 2, 2}, If: {"if", 3, 3},
	Else: {"else", 2, 2}, Equal: {"equal", 2, 2}, SameInt: {"same-int", 2, 2}, SameText: {"same-text", 2, 2}, Less: {"less", 2, 2},
	LessEqual: {"less-equal", 2, 2}, More: {"more", 2, 2}, MoreEqual: {"more-equal", 2, 2}, MaybeLess: {"maybe-less", 2, 2},
	MaybeLessEqual: {"maybe-less-equal", 2, 2}, MaybeMore: {"maybe-more", 2, 2}, MaybeMoreEqual: {"maybe-more-equal", 2, 2},
	In: {"in", 2, 2}, Contains: {"contains", 2, 2}, StartsWith: {"starts-with", 2, 2}, EndsWith: {"ends-with", 2, 2},
	Matches: {"matches", 2, 2}, Pattern: {"pattern", 1, 1}, Add: {"add", 2, 2}, Subtract: {"subtract", 2, 2},
	Multiply: {"multiply", 2, 2}, Divide: {"divide", 2, 2}, Modulo: {"modulo", 2, 2}, Power: {"power", 2, 2}, Range: {"range", 2, 2},
	Probe: {"probe", 1, 1},
}

// signatures are the functions, and how many arguments they take.
var signatures = [...]struct {
	name        string
	op          Op
	least, most int
}{
	{"all", Loop, 2, 2}, {"none", Loop, 2, 2}, {"any", Loop, 2, 2}, {"one", Loop, 2, 2}, {"filter", Loop, 2, 2}, {"map", Loop, 2, 2},
	{"count", Loop, 1, 2}, {"sum", Loop, 1, 2}, {"find", Loop, 2, 2}, {"findIndex", Loop, 2, 2}, {"findLast", Loop, 2, 2},
	{"findLastIndex", Loop, 2, 2}, {"groupBy", Loop, 2, 2}, {"sortBy", Loop, 2, 3}, {"reduce", Loop, 2, 3},
	{"len", Call, 1, 1}, {"type", Call, 1, 1}, {"abs", Call, 1, 1}, {"ceil", Call, 1, 1}, {"floor", Call, 1, 1}, {"round", Call, 1, 1},
	{"int", Call, 1, 1}, {"float", Call, 1, 1}, {"string", Call, 1, 1}, {"trim", Call, 1, 2}, {"trimPrefix", Call, 1, 2},
	{"trimSuffix", Call, 1, 2}, {"upper", Call, 1, 1}, {"lower", Call, 1, 1}, {"split", Call, 2, 3}, {"splitAfter", Call, 2, 3},
	{"replace", Call, 3, 4}, {"repeat", Call, 2, 2}, {"join", Call, 1, 2}, {"indexOf", Call, 2, 2}, {"lastIndexOf", Call, 2, 2},
	{"hasPrefix", Call, 2, 2}, {"hasSuffix", Call, 2, 2}, {"max", Call, 1, -1}, {"min", Call, 1, -1}, {"mean", Call, 1, -1},
	{"median", Call, 1, -1}, {"toJSON", Call, 1, 1}, {"fromJSON", Call, 1, 1}, {"toBase64", Call, 1, 1}, {"fromBase64", Call, 1, 1},
	{"first", Call, 1, 1}, {"last", Call, 1, 1}, {"get", Call, 2, -1}, {"take", Call, 2, 2}, {"keys", Call, 1, 1}, {"values", Call, 1, 1},
	{"toPairs", Call, 1, 1}, {"fromPairs", Call, 1, 1}, {"reverse", Call, 1, 1}, {"uniq", Call, 1, 1}, {"concat", Call, 1, -1},
	{"flatten", Call, 1, 1}, {"sort", Call, 1, 2}, {"bitand", Call, 2, 2}, {"bitor", Call, 2, 2}, {"bitxor", Call, 2, 2},
	{"bitnand", Call, 2, 2}, {"bitshl", Call, 2, 2}, {"bitshr", Call, 2, 2}, {"bitushr", Call, 2, 2}, {"bitnot", Call, 1, 1},
}

// FunctionOp says how a function is called: as a Loop, which has a predicate,
// or a Call.
func FunctionOp(name string) (Op, bool) {
	for i := range signatures {
		if s := &signatures[i]; s.name == name {
			return s.op, true
		}
	}
	return 0, false
}

// Visit calls f for a node and all below it.
func (n *Node) Visit(f func(*Node)) {
	f(n)
	for i := range n.Kids {
		n.Kids[i].Visit(f)
	}
}
