package languages

import (
	"cmp"
	"strings"
)

// kind is the sort of a value.
type kind uint8

const (
	unknownValue kind = iota
	textValue         // a string whose text is known
	numberValue       // a number, as written
	listValue         // a list, a tuple
	anyValue          // one of several values
	nameValue         // a function, a module or a type, by its name
	objectValue       // an object: ref is its type, text its subject
	contentValue      // the content of the file text
	partValue         // a partly known string, with holes
)

// value is a value of a program, as far as it is known.
type value struct {
	kind    kind
	text    string
	ref     string  // nameValue, objectValue
	recv    *value  // the object of a method
	list    []value // listValue, anyValue
	fields  []field // a dictionary or an object literal
	glob    bool    // text is a pattern
	net     bool    // it comes from a host
	param   bool    // it is what a function is called with
	spread  bool    // its elements are meant: *x, ...x
	more    bool    // a list that has further elements
	src     string  // as written
	environ string  // what of the environment is in it: $NAME
	held    string  // of a list: the variable that it was taken from
	at      int     // one more than the position of its assignment
}

type field struct {
	name  string
	value value
}

func known(text string) value { return value{kind: textValue, text: text} }

func pattern(text string) value { return value{kind: textValue, text: text, glob: true} }

// everyName are all names of a directory, those with a dot in front as well.
var everyName = value{kind: textValue, text: "{.,}*", glob: true}

func named(ref string) value { return value{kind: nameValue, ref: ref} }

func parameter(name string) value { return value{src: name, param: true} }

func listOf(list []value) value { return value{kind: listValue, list: list} }

func object(kind string) value { return value{kind: objectValue, ref: kind} }

// field returns a member of a dictionary or an object literal.
func (v *value) field(name string) (value, bool) {
	for i := range v.fields {
		if v.fields[i].name == name {
			return v.fields[i].value, true
		}
	}
	return value{}, false
}

func (v *value) isPath() bool { return v.kind == objectValue && v.ref == "Path" }

// plain reports whether the value has a text of its own.
func (v *value) plain() bool { return v.kind == textValue || v.kind == numberValue || v.isPath() }

// off reports whether the value is known to be false.
func (v *value) off() bool {
	return v.kind == nameValue && has(" false False nil None FALSE F null ", v.ref) || v.text == "0"
}

// tainted reports whether a part of the value comes from a host.
func (v *value) tainted() bool {
	if v.net {
		return true
	}
	for i := range v.list {
		if v.list[i].net {
			return true
		}
	}
	return false
}

// element is one of the elements of a list, a pattern of names, …
func (v value) element() value {
	switch v.kind {
	case listValue:
		if len(v.list) == 1 && !v.more {
			return v.list[0]
		}
		return value{kind: anyValue, list: v.list, more: v.more, net: v.net, src: v.src}
	case anyValue:
		out := value{kind: anyValue, more: v.more, net: v.net, src: v.src}
		for i := range v.list {
			if one := &v.list[i]; one.kind == listValue {
				out.more = out.more || one.more
				out.add(one.list...)
			} else {
				out.add(*one)
			}
		}
		return out
	case textValue:
		if v.glob {
			return v
		}
	case objectValue, contentValue:
		return v
	}
	return value{net: v.net, src: v.src}
}

// add appends to a list. One that is full is noted to have more.
func (v *value) add(list ...value) {
	n := min(len(list), maxList-len(v.list))
	v.list = append(v.list, list[:n]...)
	v.more = v.more || n < len(list)
}

// asList wraps a value that is not a list in one.
func asList(v value) value {
	if v.kind == listValue {
		return v
	}
	return listOf([]value{v})
}

// either is one of two values.
func either(a, b value) value {
	out := value{kind: anyValue, net: a.net || b.net, src: a.src, environ: cmp.Or(a.environ, b.environ)}
	for _, v := range [...]value{a, b} {
		if v.kind == anyValue {
			out.add(v.list...)
			out.more = out.more || v.more
		} else {
			out.add(v)
		}
	}
	return out
}

// concat puts two strings or lists together.
func concat(a, b value) value {
	out := value{net: a.net || b.net, src: a.src, environ: cmp.Or(a.environ, b.environ)}
	fits := len(a.text)+len(b.text) <= maxString
	switch {
	case a.plain() && b.plain() && fits:
		out.kind, out.text, out.glob = textValue, a.text+b.text, a.glob || b.glob
	case a.stringy() && b.stringy() && (a.partly() || b.partly()) && fits:
		out.kind, out.text = partValue, a.holed()+b.holed()
	case a.kind == listValue && b.kind == listValue:
		out.kind, out.more = listValue, a.more || b.more
		out.add(a.list...)
		out.add(b.list...)
	case a.kind == anyValue && len(a.list) <= maxChoice && b.plain():
		out.kind, out.more = anyValue, a.more
		for _, one := range a.list {
			out.add(concat(one, b))
		}
	case b.kind == anyValue && len(b.list) <= maxChoice && a.plain():
		out.kind, out.more = anyValue, b.more
		for _, one := range b.list {
			out.add(concat(a, one))
		}
	}
	return out
}

// concatAll puts many strings together, by halves: each of them is copied only
// a few times.
func concatAll(list []value) value {
	if len(list) == 1 {
		return list[0]
	}
	return concat(concatAll(list[:len(list)/2]), concatAll(list[len(list)/2:]))
}

// partly reports whether some of the text is known.
func (v *value) partly() bool { return v.plain() || v.kind == partValue }

// stringy reports whether the value may be a string.
func (v *value) stringy() bool {
	return v.partly() || v.kind == unknownValue && len(v.fields) == 0 || v.kind == contentValue || v.kind == nameValue
}

// holed is the text of a value, a hole if it is not known.
func (v *value) holed() string {
	if v.partly() {
		return v.text
	}
	return Hole
}

// pathOf makes an object of a path of a text.
func pathOf(v value) value {
	switch v.kind {
	case textValue, objectValue:
		return value{kind: objectValue, ref: "Path", text: v.text, glob: v.glob}
	case anyValue:
		out := v
		out.list = nil
		for i := range v.list {
			out.list = append(out.list, pathOf(v.list[i]))
		}
		return out
	}
	return v
}

// joinPath puts path parts together; an absolute part starts over.
func joinPath(parts []value) value {
	out := value{kind: textValue}
	for i, p := range parts {
		if p.kind == anyValue && len(p.list) <= maxChoice && !p.more {
			all := value{kind: anyValue}
			for _, one := range p.list {
				all.add(joinPath(append(append(append([]value(nil), parts[:i]...), one), parts[i+1:]...)))
			}
			return all
		}
		if !p.plain() || len(out.text)+len(p.text) > maxString {
			return value{src: p.src}
		}
		switch {
		case out.text == "" || strings.HasPrefix(p.text, "/"):
			out.text = p.text
		case strings.HasSuffix(out.text, "/"):
			out.text += p.text
		default:
			out.text += "/" + p.text
		}
		out.glob = out.glob || p.glob
	}
	return out
}

// joinRelative puts path parts together; an absolute part does not start over.
func joinRelative(parts []value) value {
	out := append([]value(nil), parts...)
	for i := range out {
		if i > 0 && out[i].kind == textValue {
			out[i].text = strings.TrimLeft(out[i].text, "/")
		}
	}
	return joinPath(out)
}
