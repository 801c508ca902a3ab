package install

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// wiring is what we want in a host's JSON file: entries under the key hooks, by
// event or, for some hosts, as one list.
type wiring struct {
	// head are members that the file must have in addition to the hooks: version.
	head object
	// entries in the order in which they are written.
	entries []entry
	// listed: hooks is one list, and entries say their event themselves.
	listed bool
}

type entry struct {
	event string
	value object
}

// commandKeys are where hosts keep the command of an entry.
var commandKeys = []string{"command", "bash", "powershell", "commandWindows", "windows"}

// owned reports whether an object is one of our entries.
func owned(v *hujson.Value) bool {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return false
	}
	for i := range o.Members {
		m := &o.Members[i]
		if text, ok := m.Value.Value.(hujson.Literal); ok && slices.Contains(commandKeys, nameOf(m)) && strings.Contains(text.String(), Marker) {
			return true
		}
		if nameOf(m) == "action" && owned(&m.Value) {
			return true
		}
	}
	return false
}

// group returns the entries within an entry, for hosts that group them under
// a matcher.
func group(v *hujson.Value) *hujson.Value {
	if o, ok := v.Value.(*hujson.Object); ok {
		if inner := find(o, "hooks"); inner != nil && inner.Value.Kind() == '[' {
			return inner
		}
	}
	return nil
}

// holdsOwned reports whether an entry is ours, or a group with one of ours.
func holdsOwned(v *hujson.Value) bool {
	if inner := group(v); inner != nil {
		return slices.ContainsFunc(inner.Value.(*hujson.Array).Elements, func(e hujson.Value) bool { return owned(&e) })
	}
	return owned(v)
}

// hooks returns the value of the key hooks and the lists of entries in it, by
// event. A value of another type than hosts expect is refused.
func (d *document) hooks(listed bool) (*hujson.Value, map[string]*hujson.Value, error) {
	hooks := find(d.obj, "hooks")
	if hooks == nil {
		return nil, nil, nil
	}
	if listed {
		if hooks.Value.Kind() != '[' {
			return nil, nil, fmt.Errorf("line %d: hooks is %s, expected a list", d.line(hooks.StartOffset), kindOf(*hooks))
		}
		return hooks, map[string]*hujson.Value{"": hooks}, nil
	}
	o, ok := hooks.Value.(*hujson.Object)
	if !ok {
		return nil, nil, fmt.Errorf("line %d: hooks is %s, expected an object", d.line(hooks.StartOffset), kindOf(*hooks))
	}
	lists := make(map[string]*hujson.Value, len(o.Members))
	for i := range o.Members {
		m := &o.Members[i]
		if m.Value.Value.Kind() == '[' {
			lists[nameOf(m)] = &m.Value
		}
	}
	return hooks, lists, nil
}

// add writes the wiring into a document that has none of ours.
func (w *wiring) add(d *document) ([]byte, error) {
	hooks, lists, err := d.hooks(w.listed)
	if err != nil {
		return nil, err
	}
	var e edits
	var members []member
	for _, m := range w.head {
		if find(d.obj, m.Name) == nil {
			members = append(members, m)
		}
	}
	if hooks == nil {
		members = append(members, member{Name: "hooks", Value: w.value()})
	}
	if len(members) > 0 {
		e.append(containerOf(&d.root), d.layout, "", len(members), func(dst []byte, i int, l layout, indent string) []byte {
			return l.appendMember(dst, members[i], indent)
		})
	}
	if hooks == nil {
		return e.apply(d.src), nil
	}
	if w.listed {
		e.append(containerOf(hooks), d.layout, d.unit, len(w.entries), func(dst []byte, i int, l layout, indent string) []byte {
			return l.appendValue(dst, w.entries[i].value, indent)
		})
		return e.apply(d.src), nil
	}
	var missing []entry
	for _, en := range w.entries {
		if v := find(hooks.Value.(*hujson.Object), en.event); v == nil {
			missing = append(missing, en)
		} else if lists[en.event] == nil {
			return nil, fmt.Errorf("line %d: hooks.%s is %s, expected a list", d.line(v.StartOffset), en.event, kindOf(*v))
		} else {
			e.append(containerOf(v), d.layout, d.unit+d.unit, 1, func(dst []byte, _ int, l layout, indent string) []byte {
				return l.appendValue(dst, en.value, indent)
			})
		}
	}
	if len(missing) > 0 {
		e.append(containerOf(hooks), d.layout, d.unit, len(missing), func(dst []byte, i int, l layout, indent string) []byte {
			return l.appendMember(dst, member{Name: missing[i].event, Value: list{missing[i].value}}, indent)
		})
	}
	return e.apply(d.src), nil
}

// value is the value of hooks if there was none.
func (w *wiring) value() any {
	if w.listed {
		out := make(list, len(w.entries))
		for i, e := range w.entries {
			out[i] = e.value
		}
		return out
	}
	out := make(object, len(w.entries))
	for i, e := range w.entries {
		out[i] = member{Name: e.event, Value: list{e.value}}
	}
	return out
}

// file is the wiring as a separate file.
func (w *wiring) file() []byte {
	l := layout{eol: "\n", unit: "  "}
	return append(l.appendValue(nil, append(slices.Clone(w.head), member{Name: "hooks", Value: w.value()}), ""), '\n')
}
