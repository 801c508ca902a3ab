package expression

import "slices"

// loop is a running function with a predicate.
type loop struct {
	list  list
	index int
	acc   any
}

func (l *loop) item() any { return l.list.at(l.index) }

// run calls a function with a predicate.
func (m *machine) run(n *Node) any {
	from := m.eval(&n.Kids[0])
	m.column = n.Column
	items, _ := listOf(from)
	if items.size < 0 {
		fail("%s is not a list", kindOf(from))
	}
	outer := m.loop
	m.loop = &loop{list: items}
	v := m.repeat(n, m.loop)
	m.loop = outer
	return v
}

// round evaluates the predicate for the current item. Without one, its value is
// the item.
func (m *machine) round(n *Node, l *loop) any {
	m.compared(perRound)
	if len(n.Kids) == 1 {
		return l.item()
	}
	return m.eval(&n.Kids[1])
}

// holds is round for a predicate that is true or false.
func (m *machine) holds(n *Node, l *loop) bool {
	before := m.trace.mark()
	v := m.round(n, l)
	holds, ok := v.(bool)
	if !ok {
		m.column = n.Column
		fail("the predicate of %s is %s, expected true or false", n.Text, kindOf(v))
	}
	if !holds {
		m.trace.forget(before)
	}
	return holds
}

func (m *machine) repeat(n *Node, l *loop) any {
	switch n.Text {
	case "any", "find", "findIndex":
		for ; l.index < l.list.size; l.index++ {
			if m.holds(n, l) {
				m.trace.found(l.item())
				return found(n, l)
			}
		}
		return none(n)
	case "findLast", "findLastIndex":
		for l.index = l.list.size - 1; l.index >= 0; l.index-- {
			if m.holds(n, l) {
				m.trace.found(l.item())
				return found(n, l)
			}
		}
		return nil
	case "all", "none":
		for ; l.index < l.list.size; l.index++ {
			if m.holds(n, l) != (n.Text == "all") {
				m.trace.found(l.item())
				return false
			}
		}
		return true
	case "one", "count", "filter":
		return m.chosen(n, l)
	case "map", "groupBy", "sortBy":
		return m.mapped(n, l)
	}
	return m.folded(n, l)
}

func found(n *Node, l *loop) any {
	switch n.Text {
	case "any":
		return true
	case "find", "findLast":
		return l.item()
	}
	return l.index
}

func none(n *Node) any {
	if n.Text == "any" {
		return false
	}
	return nil
}

// chosen is about the items for which a predicate is true.
func (m *machine) chosen(n *Node, l *loop) any {
	count, kept := 0, []any{}
	for ; l.index < l.list.size; l.index++ {
		if m.holds(n, l) {
			m.trace.found(l.item())
			if count++; n.Text == "filter" {
				kept = append(kept, l.item())
			}
		}
	}
	switch n.Text {
	case "one":
		return count == 1
	case "count":
		return count
	}
	m.made(count)
	return kept
}

// mapped is about the results of a predicate for the items.
func (m *machine) mapped(n *Node, l *loop) any {
	descending := len(n.Kids) == 3 && descends(m.eval(&n.Kids[2]))
	values := make([]any, l.list.size)
	for ; l.index < l.list.size; l.index++ {
		values[l.index] = m.round(n, l)
	}
	m.made(len(values))
	switch n.Text {
	case "groupBy":
		groups := map[any][]any{}
		for i, v := range values {
			groups[v] = append(groups[v], l.list.at(i))
		}
		return groups
	case "sortBy":
		order := make([]int, len(values))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(i, j int) int { return compare(values[i], values[j], descending) })
		sorted := make([]any, len(values))
		for i, at := range order {
			sorted[i] = l.list.at(at)
		}
		return sorted
	}
	return values
}

// folded is one value that is made of all items.
func (m *machine) folded(n *Node, l *loop) any {
	switch {
	case n.Text == "sum":
		l.acc = 0
	case len(n.Kids) == 3:
		l.acc = m.eval(&n.Kids[2])
	case l.list.size == 0:
		fail("reduce of empty array with no initial value")
	default:
		l.acc = l.item()
		l.index++
	}
	for ; l.index < l.list.size; l.index++ {
		v := m.round(n, l)
		if n.Text == "sum" {
			m.column = n.Column
			v = m.arithmetic(Add, v, l.acc)
		}
		l.acc = v
	}
	return l.acc
}

// descends reads the order that a list is to be sorted in.
func descends(order any) bool {
	switch order {
	case "asc":
		return false
	case "desc":
		return true
	}
	fail("the order is %v, expected asc or desc", order)
	return false
}

func compare(a, b any, descending bool) int {
	if descending {
		a, b = b, a
	}
	switch {
	case less(a, b):
		return -1
	case less(b, a):
		return 1
	}
	return 0
}
