package frame

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Rewrite changes the text of a JSON object so that it decodes to value. Values
// that stay the same keep their bytes, white space and order. Only values that
// differ are written again; removed fields and entries are left out, and new
// ones come last.
func Rewrite(raw []byte, value map[string]any) ([]byte, error) {
	out, err := rewritten(raw, value)
	if err != nil {
		return nil, err
	}
	if !same(out, value) {
		return nil, fmt.Errorf("the message could not be rewritten")
	}
	return out, nil
}

// rewritten changes a text so that it decodes to v.
func rewritten(text []byte, v any) ([]byte, error) {
	if same(text, v) {
		return text, nil
	}
	switch v := v.(type) {
	case map[string]any:
		if old, ok := split(text, '{'); ok {
			return old.object(v)
		}
	case []any:
		if old, ok := split(text, '['); ok {
			return old.list(v)
		}
	}
	return canonical.Append(nil, v)
}

// same reports whether a text decodes to v.
func same(text []byte, v any) bool {
	obj, err := strict.Object(slices.Concat([]byte(`{"v":`), text, []byte{'}'}), strict.Limits{})
	if err != nil {
		return false
	}
	now, err1 := canonical.Append(nil, obj["v"])
	want, err2 := canonical.Append(nil, v)
	return err1 == nil && err2 == nil && bytes.Equal(now, want)
}

// container is an object or a list as text: what comes before the first of its
// parts, the parts, and what comes after the last.
type container struct {
	head, tail []byte
	parts      []part
}

// part is a field or an entry: what leads to its value, beginning with a comma
// except in the first, and the text of the value, nil if it is new.
type part struct {
	key        string
	comma      bool
	lead, text []byte
}

// split takes a text apart, if it is of the kind that begins with open.
func split(text []byte, open jsontext.Kind) (c container, ok bool) {
	dec := jsontext.NewDecoder(bytes.NewReader(text))
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != open {
		return c, false
	}
	done := int(dec.InputOffset())
	c.head = text[:done]
	for {
		switch dec.PeekKind() {
		case '}', ']':
			c.tail = text[done:]
			return c, true
		}
		p := part{comma: len(c.parts) > 0}
		if open == '{' {
			name, err := dec.ReadToken()
			if err != nil {
				return c, false
			}
			p.key = name.String()
		}
		value, err := dec.ReadValue()
		if err != nil {
			return c, false
		}
		end := int(dec.InputOffset())
		p.text, p.lead = text[end-len(value):end], text[done:end-len(value)]
		done = end
		c.parts = append(c.parts, p)
	}
}

func (c *container) object(obj map[string]any) ([]byte, error) {
	w := writing{out: bytes.Clone(c.head)}
	left := maps.Clone(obj)
	for _, p := range c.parts {
		if v, stays := obj[p.key]; stays {
			w.add(p, v)
			delete(left, p.key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		w.add(part{lead: append(canonical.AppendString(nil, key), ':')}, left[key])
	}
	return append(w.out, c.tail...), w.err
}

// list matches entries by their place where there are as many as before. Where
// there are not, removed ones are left out.
func (c *container) list(list []any) ([]byte, error) {
	w := writing{out: bytes.Clone(c.head)}
	next := 0
	for _, p := range c.parts {
		if next < len(list) && (len(list) == len(c.parts) || same(p.text, list[next])) {
			w.add(p, list[next])
			next++
		}
	}
	for _, v := range list[next:] {
		w.add(part{}, v)
	}
	return append(w.out, c.tail...), w.err
}

// writing puts parts together.
type writing struct {
	out  []byte
	some bool
	err  error
}

// add writes a part with its new value.
func (w *writing) add(p part, v any) {
	switch {
	case w.some && !p.comma:
		w.out = append(w.out, ',')
	case !w.some && p.comma:
		p.lead = bytes.Replace(p.lead, []byte{','}, nil, 1)
	}
	w.some = true
	now, err := rewritten(p.text, v)
	if err != nil {
		w.err = err
	}
	w.out = append(append(w.out, p.lead...), now...)
}
