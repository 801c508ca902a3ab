package languages

import "strings"

// thingKind is the sort of a value.
type thingKind uint8

const (
	unknownThing thingKind = iota
	textThing              // a string whose text is known
	numberThing            // a number, as written
	listThing              // a list, a tuple
	anyThing               // one of several values
	nameThing              // a function, a module or a type, by its name
	objectThing            // an object of a type: ref is the type, text what it is about
	contentThing           // what is in the file text
	partThing              // a string of which only some is known, with holes
)

// thing is a value of a program, as far as it is known.
type thing struct {
	kind   thingKind
	text   string
	ref    string  // nameThing, objectThing
	recv   *thing  // the object of a method
	list   []thing // listThing, anyThing
	fields []field // a dictionary or an object literal
	glob   bool    // text is a pattern
	net    bool    // it comes from a host
	spread bool    // its elements are meant: *x, ...x
	src    string  // as written
}

type field struct {
	name  string
	value thing
}

// arguments of a call in a program.
type callArgs struct {
	list  []thing
	named []field
}

const (
	maxString = 1 << 14 // bytes of a string that is put together
	maxList   = 256     // elements of a list, alternatives of a value
)

func known(text string) thing { return thing{kind: textThing, text: text} }

func named(ref string) thing { return thing{kind: nameThing, ref: ref} }

// at returns an argument by position or by one of its names.
func (a *callArgs) at(i int, names ...string) thing {
	for _, f := range a.named {
		for _, name := range names {
			if f.name == name {
				return f.value
			}
		}
	}
	if i >= 0 && i < len(a.list) {
		return a.list[i]
	}
	return thing{}
}

// given reports whether there is such an argument.
func (a *callArgs) given(i int, names ...string) bool {
	for _, f := range a.named {
		for _, name := range names {
			if f.name == name {
				return true
			}
		}
	}
	return i >= 0 && i < len(a.list)
}

// option returns a named argument, or a field of an object among the arguments.
func (a *callArgs) option(name string) (thing, bool) {
	for _, f := range a.named {
		if f.name == name {
			return f.value, true
		}
	}
	for i := range a.list {
		for _, f := range a.list[i].fields {
			if f.name == name {
				return f.value, true
			}
		}
	}
	return thing{}, false
}

// on reports whether an option is given and not known to be false.
func (a *callArgs) on(name string) bool {
	v, ok := a.option(name)
	return ok && !(v.kind == nameThing && (v.ref == "false" || v.ref == "False" || v.ref == "nil" || v.ref == "None")) && v.text != "0"
}

func (a *callArgs) net() bool {
	for i := range a.list {
		if a.list[i].tainted() {
			return true
		}
	}
	for i := range a.named {
		if a.named[i].value.tainted() {
			return true
		}
	}
	return false
}

func (t *thing) tainted() bool {
	if t.net {
		return true
	}
	for i := range t.list {
		if i < 8 && t.list[i].net {
			return true
		}
	}
	return false
}

// element is one of the elements of a list, a pattern of names, …
func (t thing) element() thing {
	switch t.kind {
	case listThing:
		if len(t.list) == 1 {
			return t.list[0]
		}
		return thing{kind: anyThing, list: t.list, net: t.net, src: t.src}
	case anyThing:
		var all []thing
		for _, one := range t.list {
			if one.kind == listThing {
				all = append(all, one.list...)
			} else {
				all = append(all, one)
			}
		}
		return thing{kind: anyThing, list: all[:min(len(all), maxList)], net: t.net, src: t.src}
	case textThing:
		if t.glob {
			return t
		}
	case objectThing, contentThing:
		return t
	}
	return thing{net: t.net, src: t.src}
}

// either is one of two values.
func either(a, b thing) thing {
	var all []thing
	for _, t := range []thing{a, b} {
		if t.kind == anyThing {
			all = append(all, t.list...)
		} else {
			all = append(all, t)
		}
	}
	return thing{kind: anyThing, list: all[:min(len(all), maxList)], net: a.net || b.net, src: a.src}
}

// concat puts two strings together.
func concat(a, b thing) thing {
	out := thing{net: a.net || b.net, src: a.src}
	switch {
	case a.plain() && b.plain() && len(a.text)+len(b.text) <= maxString:
		out.kind, out.text, out.glob = textThing, a.text+b.text, a.glob || b.glob
	case a.kind != anyThing && b.kind != anyThing && a.stringy() && b.stringy() && (a.partly() || b.partly()) && len(a.text)+
		len(b.text) <= maxString:
		out.kind, out.text = partThing, a.holed()+b.holed()
	case a.kind == listThing && b.kind == listThing && len(a.list)+len(b.list) <= maxList:
		out.kind = listThing
		out.list = append(append([]thing(nil), a.list...), b.list...)
	case a.kind == anyThing && len(a.list) <= 16 && b.plain():
		out.kind = anyThing
		for _, one := range a.list {
			out.list = append(out.list, concat(one, b))
		}
	case b.kind == anyThing && len(b.list) <= 16 && a.plain():
		out.kind = anyThing
		for _, one := range b.list {
			out.list = append(out.list, concat(a, one))
		}
	}
	return out
}

// concatAll puts many strings together, by halves: each of them is copied only
// a few times.
func concatAll(list []thing) thing {
	if len(list) == 1 {
		return list[0]
	}
	return concat(concatAll(list[:len(list)/2]), concatAll(list[len(list)/2:]))
}

// partly reports whether some of the text is known.
func (t *thing) partly() bool { return t.plain() || t.kind == partThing }

// stringy reports whether the value may be a string.
func (t *thing) stringy() bool {
	return t.partly() || t.kind == unknownThing && len(t.fields) == 0 || t.kind == contentThing || t.kind == nameThing
}

// holed is the text of a value, a Hole if it is not known.
func (t *thing) holed() string {
	if t.partly() {
		return t.text
	}
	return Hole
}

// plain reports whether the value has a text of its own.
func (t *thing) plain() bool {
	return t.kind == textThing || t.kind == numberThing || t.kind == objectThing && t.ref == "Path"
}

// joinPath puts path parts together the way os.path.join does it.
func joinPath(parts []thing) thing {
	out := thing{kind: textThing}
	for i, p := range parts {
		if p.kind == anyThing && len(p.list) <= 16 {
			all := thing{kind: anyThing}
			for _, one := range p.list {
				all.list = append(all.list, joinPath(append(append(append([]thing(nil), parts[:i]...), one), parts[i+1:]...)))
			}
			return all
		}
		if !p.plain() || len(out.text)+len(p.text) > maxString {
			return thing{src: p.src}
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
