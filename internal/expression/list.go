package expression

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// ofList calls a function of lists or maps.
func (m *machine) ofList(name string, args []any) any {
	switch name {
	case "first":
		return end(args[0], 0)
	case "last":
		return end(args[0], -1)
	case "get":
		if args[0] == nil {
			return nil
		}
		if v, found := lookupOrNil(args[0], args[1]); found {
			return v
		}
		return nil
	case "keys", "values", "toPairs":
		return m.entries(name, args[0])
	case "concat":
		out := []any(nil)
		for _, a := range args {
			l := items(a)
			m.made(l.size)
			out = appendItems(out, &l)
		}
		return out
	case "sort":
		return m.sorted(args)
	}
	l := items(args[0])
	switch name {
	case "take":
		n := toInt(args[1])
		if number, _ := numberOf(args[1]); !number.whole || n < 0 {
			fail("cannot take %v items", args[1])
		}
		return cut(args[0], 0, n)
	case "reverse":
		m.made(l.size)
		out := appendItems(make([]any, 0, l.size), &l)
		slices.Reverse(out)
		return out
	case "uniq":
		return m.uniq(&l)
	case "flatten":
		out := m.flatten([]any{}, &l)
		m.made(len(out))
		return out
	case "fromPairs":
		return m.fromPairs(&l)
	}
	return m.join(&l, args)
}

// end is the first or the last item, nil if there is none.
func end(v any, at int) any {
	l, ok := listOf(v)
	if at < 0 {
		at += l.size
	}
	if _, text := v.(string); !ok && !text || at < 0 || at >= l.size {
		return nil
	}
	return l.at(at)
}

// lookupOrNil is lookup for what need not have keys at all.
func lookupOrNil(from, key any) (any, bool) {
	if _, record := from.(Record); !record {
		switch reflect.ValueOf(from).Kind() {
		case reflect.Slice, reflect.Array, reflect.String, reflect.Map:
		default:
			return nil, false
		}
	}
	return lookup(from, key)
}

// entries are the keys of a map, its values, or both, in the order of the keys.
func (m *machine) entries(name string, of any) any {
	r := reflect.ValueOf(of)
	if r.Kind() != reflect.Map {
		fail("%s of %s, expected a map", name, kindOf(of))
	}
	m.made(r.Len())
	keys := r.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	out, pairs := make([]any, len(keys)), make([][2]any, len(keys))
	for i, key := range keys {
		pairs[i] = [2]any{key.Interface(), r.MapIndex(key).Interface()}
		if out[i] = pairs[i][0]; name == "values" {
			out[i] = pairs[i][1]
		}
	}
	if name == "toPairs" {
		return pairs
	}
	return out
}

func (m *machine) fromPairs(l *list) any {
	m.made(l.size)
	out := make(map[any]any, l.size)
	for i := range l.size {
		pair := items(l.at(i))
		if pair.size != 2 {
			fail("a pair of %d items", pair.size)
		}
		out[pair.at(0)] = pair.at(1)
	}
	return out
}

func appendItems(out []any, l *list) []any {
	for i := range l.size {
		out = append(out, l.at(i))
	}
	return out
}

func (m *machine) uniq(l *list) any {
	out := []any{}
next:
	for i := range l.size {
		v := l.at(i)
		for _, known := range out {
			if m.equal(v, known) {
				continue next
			}
		}
		out = append(out, v)
	}
	m.made(len(out))
	return out
}

func (m *machine) flatten(out []any, l *list) []any {
	for i := range l.size {
		v := l.at(i)
		if inner, ok := listOf(v); ok {
			out = m.flatten(out, &inner)
		} else {
			out = append(out, v)
		}
	}
	return out
}

// sorted is a list in order; of what is no list there is nothing to sort.
func (m *machine) sorted(args []any) any {
	descending := len(args) == 2 && descends(args[1])
	var out []any
	switch args[0].(type) {
	case []any, []int, []float64, []string:
		l := items(args[0])
		m.made(l.size)
		out = appendItems(make([]any, 0, l.size), &l)
	}
	slices.SortStableFunc(out, func(a, b any) int { return compare(a, b, descending) })
	return out
}

func (m *machine) join(l *list, args []any) any {
	glue := ""
	if len(args) == 2 {
		glue = toText(args[1])
	}
	if l.anys == nil && l.texts == nil && l.other.IsValid() {
		fail("join of %T, expected texts", args[0])
	}
	parts := make([]string, l.size)
	for i := range parts {
		parts[i] = toText(l.at(i))
	}
	return m.text(strings.Join(parts, glue))
}

// aggregate is max, min, mean or median of all numbers in the arguments, which
// may be lists.
func (m *machine) aggregate(name string, args []any) any {
	pick := name == "max" || name == "min"
	if _, isList := listOf(args[0]); pick && len(args) == 1 && !isList {
		return args[0]
	}
	all := list{anys: args, size: len(args)}
	flat := m.flatten(nil, &all)
	m.made(len(flat))
	values := make([]float64, len(flat))
	sum := 0.0
	var best any
	for i, v := range flat {
		values[i] = toFloat(v)
		sum += values[i]
		if best == nil || name == "max" && less(best, v) || name == "min" && less(v, best) {
			best = v
		}
	}
	n := len(values)
	switch {
	case pick:
		return best
	case n == 0:
		return 0.0
	case name == "mean":
		return sum / float64(n)
	}
	slices.Sort(values)
	if n%2 == 1 {
		return values[n/2]
	}
	return (values[n/2-1] + values[n/2]) / 2
}
