package install

import (
	"slices"

	"github.com/tailscale/hujson"
)

// strip removes everything of ours from a document. What becomes empty by that
// is removed, too.
func strip(d *document, listed bool) ([]byte, error) {
	hooks, lists, err := d.hooks(listed)
	if err != nil || hooks == nil {
		return d.src, err
	}
	var e edits
	emptied := map[*hujson.Value]bool{}
	for _, v := range lists {
		if e.stripList(d.src, v) {
			emptied[v] = true
		}
	}
	if len(emptied) > 0 {
		all := len(emptied) == 1 && listed
		if o, ok := hooks.Value.(*hujson.Object); ok {
			all = len(emptied) == len(o.Members)
			if !all {
				e.removeWhole(d.src, hooks, func(i int) bool { return emptied[&o.Members[i].Value] })
			}
		}
		if all {
			e.removeWhole(d.src, &d.root, func(i int) bool { return &d.obj.Members[i].Value == hooks })
		}
	}
	return e.apply(d.src), nil
}

// stripList removes our entries from a list, and reports whether nothing would
// be left; then the caller must remove the list.
func (e *edits) stripList(src []byte, v *hujson.Value) bool {
	elements := v.Value.(*hujson.Array).Elements
	gone := make([]bool, len(elements))
	left := len(elements)
	for i := range elements {
		switch inner := group(&elements[i]); {
		case inner != nil:
			gone[i] = holdsOwned(&elements[i]) && e.stripList(src, inner)
		default:
			gone[i] = owned(&elements[i])
		}
		if gone[i] {
			left--
		}
	}
	if left == 0 && len(elements) > 0 {
		return true
	}
	if left < len(elements) {
		e.removeWhole(src, v, func(i int) bool { return gone[i] })
	}
	return false
}

// removeWhole removes elements and forgets edits within them.
func (e *edits) removeWhole(src []byte, v *hujson.Value, gone func(int) bool) {
	var own edits
	own.remove(src, containerOf(v), gone)
	*e = slices.DeleteFunc(*e, func(x edit) bool {
		return slices.ContainsFunc(own, func(o edit) bool { return o.from <= x.from && x.to <= o.to })
	})
	*e = append(*e, own...)
}

// bare reports whether a file holds nothing but what we put around our entries.
func bare(d *document, head object) bool {
	for i := range d.obj.Members {
		name := nameOf(&d.obj.Members[i])
		if name != "hooks" && !slices.ContainsFunc(head, func(m member) bool { return m.Name == name }) {
			return false
		}
		if name == "hooks" && len(containerOf(&d.obj.Members[i].Value).slots) > 0 {
			return false
		}
	}
	return true
}
