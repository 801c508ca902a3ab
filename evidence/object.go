package evidence

import (
	"strconv"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/secret"
)

// object writes a JSON object, member by member. The caller names the keys in
// sorted order; empty members are left out.
type object struct {
	dst   []byte
	start int
}

func open(dst []byte) object {
	o := object{dst: dst}
	o.open()
	return o
}

// open begins an object inside of another, whose start the caller restores.
func (o *object) open() {
	o.dst = append(o.dst, '{')
	o.start = len(o.dst)
}

func (o *object) close() []byte { return append(o.dst, '}') }

func (o *object) key(key string) {
	if len(o.dst) > o.start {
		o.dst = append(o.dst, ',')
	}
	o.dst = append(o.dst, '"')
	o.dst = append(o.dst, key...)
	o.dst = append(o.dst, '"', ':')
}

// raw writes our own words, each after its key: a digest, a code, a name from a
// table.
func (o *object) raw(pairs ...string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if s := pairs[i+1]; s != "" {
			o.key(pairs[i])
			o.dst = canonical.AppendString(o.dst, s)
		}
	}
}

// text writes other people's words, without secrets.
func (o *object) text(pairs ...string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if s := pairs[i+1]; s != "" {
			safe, _ := secret.Redact(s)
			o.raw(pairs[i], safe)
		}
	}
}

func (o *object) texts(key string, list []string) {
	if len(list) == 0 {
		return
	}
	o.key(key)
	o.dst = append(o.dst, '[')
	for i, s := range list {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		safe, _ := secret.Redact(s)
		o.dst = canonical.AppendString(o.dst, safe)
	}
	o.dst = append(o.dst, ']')
}

func (o *object) number(key string, n int64) {
	if n != 0 {
		o.key(key)
		o.dst = strconv.AppendInt(o.dst, n, 10)
	}
}

func (o *object) flag(key string, set bool) {
	if set {
		o.key(key)
		o.dst = append(o.dst, "true"...)
	}
}

// value writes a decoded JSON value. One without a canonical form, which only a
// Go program can pass, is left out; its digest is still recorded.
func (o *object) value(key string, v any) {
	if v == nil {
		return
	}
	before := len(o.dst)
	o.key(key)
	dst, err := canonical.Append(o.dst, v)
	if err != nil {
		dst = dst[:before]
	}
	o.dst = dst
}

// object writes a nested object, if anything is in it.
func (o *object) object(key string, fill func(*object)) {
	before, outer := len(o.dst), o.start
	o.key(key)
	o.open()
	fill(o)
	if len(o.dst) > o.start {
		o.dst = o.close()
	} else {
		o.dst = o.dst[:before]
	}
	o.start = outer
}

// appendObjects writes a list of objects.
func appendObjects[T any](o *object, key string, list []T, fill func(T, *object)) {
	if len(list) == 0 {
		return
	}
	o.key(key)
	o.dst = append(o.dst, '[')
	outer := o.start
	for i := range list {
		if i > 0 {
			o.dst = append(o.dst, ',')
		}
		o.open()
		fill(list[i], o)
		o.dst = o.close()
	}
	o.start = outer
	o.dst = append(o.dst, ']')
}

// list writes words as they are.
func (o *object) list(key string, list []string) {
	if len(list) > 0 {
		o.value(key, list)
	}
}
