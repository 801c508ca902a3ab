package trammel

import (
	"cmp"
	"math/bits"
	"slices"
)

// bound is a hook as it stands on one kind of event.
type bound struct {
	*Hook
	phase     Phase
	authority Authority
	waits     bool
}

// kindIndex finds the hooks that an event of one kind can touch. Hooks are in
// the order in which they count: by phase, then priority, then declaration.
// A hook is in exactly one of the sets, under the most selective key it
// has: its exact tool names, else its actions, else always.
type kindIndex struct {
	hooks    []bound
	end      [phases]int // where each phase ends in hooks
	always   bitset
	byTool   map[string]bitset
	byAction [actionKinds]bitset
}

func (ix *kindIndex) add(h *Hook, kind Kind) {
	b := bound{Hook: h, authority: h.authorityOn(kind)}
	if w, ok := h.Handler.(Waiter); ok {
		b.waits = w.Waits()
	}
	g, isGate := h.Handler.(Gate)
	e, early := h.Handler.(Early)
	switch {
	case isGate && g.Gates():
		b.phase = Gates
	case h.May == Rewrite, early && e.Early():
		b.phase = Transforms
	case h.May >= Guard:
		b.phase = Guards
	default:
		b.phase = Observers
	}
	ix.hooks = append(ix.hooks, b)
}

func (ix *kindIndex) finish() {
	slices.SortStableFunc(ix.hooks, func(a, b bound) int {
		return cmp.Or(cmp.Compare(a.phase, b.phase), cmp.Compare(a.Priority, b.Priority))
	})
	n := len(ix.hooks)
	ix.always = newBitset(n)
	for i := range ix.hooks {
		ix.file(i, n)
	}
	for p := range ix.end {
		for ix.end[p] < n && ix.hooks[ix.end[p]].phase <= Phase(p) {
			ix.end[p]++
		}
	}
}

func (ix *kindIndex) file(i, n int) {
	m := &ix.hooks[i].Match
	switch {
	case len(m.Tools) > 0 && !slices.ContainsFunc(m.Tools, IsPattern):
		if ix.byTool == nil {
			ix.byTool = map[string]bitset{}
		}
		for _, tool := range m.Tools {
			if ix.byTool[tool] == nil {
				ix.byTool[tool] = newBitset(n)
			}
			ix.byTool[tool].set(i)
		}
		for _, a := range m.Like {
			if a != OtherAction {
				ix.act(a, i, n)
			}
		}
	case len(m.Actions) > 0:
		for _, a := range m.Actions {
			ix.act(a, i, n)
		}
	default:
		ix.always.set(i)
	}
}

func (ix *kindIndex) act(a ActionKind, i, n int) {
	if ix.byAction[a] == nil {
		ix.byAction[a] = newBitset(n)
	}
	ix.byAction[a].set(i)
}

// candidates are the hooks that an event can touch; each still has to match.
type candidates struct {
	always, tool, action bitset
	also                 []bitset // of a tool with several names, an action with several kinds
}

func (ix *kindIndex) candidates(ev *Event) candidates {
	c := candidates{always: ix.always}
	if ev.Tool != nil {
		if ix.byTool != nil {
			c.tool = ix.byTool[ev.Tool.Name]
			if ev.Tool.Action.Server != "" {
				for _, name := range ev.Tool.Names()[1:] {
					if b := ix.byTool[name]; b != nil {
						c.also = append(c.also, b)
					}
				}
			}
		}
		if a := ev.Tool.Action.Kind; a < actionKinds {
			c.action = ix.byAction[a]
		}
		for _, a := range ev.Tool.Action.Also {
			if a < actionKinds && ix.byAction[a] != nil {
				c.also = append(c.also, ix.byAction[a])
			}
		}
	}
	return c
}

// next returns the first candidate at or after i and below end, or end.
func (c *candidates) next(i, end int) int {
	for i < end {
		w := i >> 6
		word := c.always[w]
		if c.tool != nil {
			word |= c.tool[w]
		}
		if c.action != nil {
			word |= c.action[w]
		}
		for _, b := range c.also {
			word |= b[w]
		}
		if word >>= uint(i & 63); word != 0 {
			return min(i+bits.TrailingZeros64(word), end)
		}
		i = (w + 1) << 6
	}
	return end
}

func (c *candidates) count(n int) int {
	total := 0
	for i := c.next(0, n); i < n; i = c.next(i+1, n) {
		total++
	}
	return total
}

type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }
func (b bitset) set(i int)   { b[i>>6] |= 1 << uint(i&63) }
