package expression

import (
	"math"
	"reflect"
)

// operate applies an operator to its operands; b is nil where it has one.
func (m *machine) operate(op Op, a, b any) any {
	switch op {
	case Negate:
		switch x := a.(type) { // unsigned values stay unsigned
		case uint8:
			return -x
		case uint64:
			return -x
		}
		n, ok := numberOf(a)
		switch {
		case !ok:
			fail("invalid operation: - of %s", kindOf(a))
		case n.whole:
			return -n.i
		}
		return -n.f
	case SameInt:
		x, ok := a.(int)
		y, also := b.(int)
		if !ok || !also {
			fail("%s and %s are compared, expected two numbers", kindOf(a), kindOf(b))
		}
		return x == y
	case Less:
		return less(a, b)
	case More:
		return less(b, a)
	case LessEqual:
		return lessEqual(a, b)
	case MoreEqual:
		return lessEqual(b, a)
	case MaybeLess, MaybeLessEqual, MaybeMore, MaybeMoreEqual:
		if a == nil || b == nil {
			return false
		}
		return m.operate(op-MaybeLess+Less, large(a), large(b))
	case In:
		return m.in(a, b)
	case Divide:
		return toFloat(a) / toFloat(b)
	case Power:
		return math.Pow(toFloat(a), toFloat(b))
	case Range:
		return m.span(toInt(a), toInt(b))
	}
	return m.arithmetic(op, a, b)
}

// large keeps numbers beyond int64 large, so that they do not wrap around below
// a limit.
func large(v any) any {
	if n, ok := v.(uint64); ok && n > math.MaxInt64 {
		return float64(n)
	}
	return v
}

func (m *machine) arithmetic(op Op, a, b any) any {
	if s, ok := a.(string); ok && op == Add {
		if t, ok := b.(string); ok {
			return m.text(s + t)
		}
	}
	x, ok := numberOf(a)
	y, also := numberOf(b)
	whole := x.whole && y.whole
	if !ok || !also || op == Modulo && !whole {
		fail("invalid operation: %s of %s and %s", shapes[op].word, kindOf(a), kindOf(b))
	}
	switch op {
	case Add:
		if whole {
			return x.i + y.i
		}
		return x.f + y.f
	case Subtract:
		if whole {
			return x.i - y.i
		}
		return x.f - y.f
	case Multiply:
		if whole {
			return x.i * y.i
		}
		return x.f * y.f
	case Modulo:
		return x.i % y.i
	}
	fail("unknown operation %d", op)
	return nil
}

func less(a, b any) bool {
	x, y, s, t, texts := ordered(a, b)
	switch {
	case texts:
		return s < t
	case x.whole && y.whole:
		return x.i < y.i
	}
	return x.f < y.f
}

func lessEqual(a, b any) bool {
	x, y, s, t, texts := ordered(a, b)
	switch {
	case texts:
		return s <= t
	case x.whole && y.whole:
		return x.i <= y.i
	}
	return x.f <= y.f
}

// ordered takes two values that have an order: two numbers or two texts.
func ordered(a, b any) (x, y number, s, t string, texts bool) {
	x, ok := numberOf(a)
	y, also := numberOf(b)
	if ok && also {
		return x, y, "", "", false
	}
	s, ok = a.(string)
	t, also = b.(string)
	if !ok || !also {
		fail("%s and %s cannot be compared", kindOf(a), kindOf(b))
	}
	return x, y, s, t, true
}

// equal compares. Numbers of different types are equal if their values are, lists
// if their items are; maps only if all in them is of the same type.
func (m *machine) equal(a, b any) bool {
	m.compared(1)
	switch x := a.(type) {
	case string:
		y, ok := b.(string)
		return ok && x == y
	case bool:
		y, ok := b.(bool)
		return ok && x == y
	case nil:
		return isNil(b)
	}
	if x, ok := numberOf(a); ok {
		y, ok := numberOf(b)
		return ok && (x.whole && y.whole && x.i == y.i || !(x.whole && y.whole) && x.f == y.f)
	}
	if isNil(a) && isNil(b) {
		return true
	}
	_, ok := a.([]any)
	_, also := b.([]any)
	x, isList := listOf(a)
	y, both := listOf(b)
	if !isList || !both || !ok && !also {
		return reflect.DeepEqual(a, b)
	}
	if x.size != y.size {
		return false
	}
	for i := range x.size {
		if !m.equal(x.at(i), y.at(i)) {
			return false
		}
	}
	return true
}

// in reports whether a list has an item, or a map a key.
func (m *machine) in(item, in any) bool {
	if in == nil {
		return false
	}
	if l, ok := listOf(in); ok {
		for i := range l.size {
			if m.equal(l.at(i), item) {
				return true
			}
		}
		return false
	}
	if _, record := in.(Record); record || reflect.ValueOf(in).Kind() != reflect.Map {
		fail("nothing is in %s, expected a list or a map", kindOf(in))
	}
	_, found := lookup(in, item)
	return found
}

// span is from..to.
func (m *machine) span(from, to int) []int {
	n := to - from + 1
	if n <= 0 {
		return []int{}
	}
	m.made(n)
	out := make([]int, n)
	for i := range out {
		out[i] = from + i
	}
	return out
}
