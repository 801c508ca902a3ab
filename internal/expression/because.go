package expression

// Witness is a Scope that can say for what a question is true.
type Witness interface {
	Scope
	// Found is what a question was answered with yes for, nil if it is nothing in
	// particular.
	Found(question string, words []string) any
}

// Because evaluates the expression like Run, and says what made it true: the
// items of lists that a loop stopped at or chose, and what questions hold for,
// in the order in which they were met. Parts that did not contribute to the
// result are left out.
func (n *Node) Because(s Witness) (v any, because []any, err error) {
	t := &trace{scope: s}
	m := machine{scope: s, trace: t}
	v, err = m.start(n)
	return v, t.items, err
}

// trace is what has made parts of an expression true. A nil trace stores nothing.
type trace struct {
	scope Witness
	items []any
}

func (t *trace) found(item any) {
	if t != nil {
		t.items = append(t.items, item)
	}
}

func (t *trace) asked(answer any, question string, words []string) {
	if t == nil || answer != true {
		return
	}
	if item := t.scope.Found(question, words); item != nil {
		t.items = append(t.items, item)
	}
}

func (t *trace) mark() int {
	if t == nil {
		return 0
	}
	return len(t.items)
}

// forget leaves out what has been found since a mark.
func (t *trace) forget(mark int) {
	if t != nil {
		t.items = t.items[:mark]
	}
}
