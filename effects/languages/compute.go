package languages

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/trammel-dev/trammel/effects/recipes"
)

// implode joins a list of known texts.
func implode(v value, sep string) value {
	if v.kind != listValue || v.more {
		return value{net: v.net, src: v.src}
	}
	out := known("")
	for i, one := range v.list {
		if i > 0 {
			out = concat(out, known(sep))
		}
		out = concat(out, one)
	}
	return out
}

// pieces makes a list of texts.
func pieces(list []string) value {
	out := value{kind: listValue}
	for _, one := range list {
		out.add(known(one))
	}
	return out
}

// reversed is a text or a list from its end.
func reversed(v value) value {
	switch v.kind {
	case textValue:
		var b strings.Builder
		for s := v.text; len(s) > 0; {
			_, n := utf8.DecodeLastRuneInString(s)
			b.WriteString(s[len(s)-n:])
			s = s[:len(s)-n]
		}
		return known(b.String())
	case listValue:
		out := v
		out.list = nil
		for i := len(v.list) - 1; i >= 0; i-- {
			out.list = append(out.list, v.list[i])
		}
		return out
	}
	return v
}

// decoded undoes a simple encoding of a text.
func decoded(how string, v value) value {
	out := value{net: v.net, src: v.src}
	if v.kind != textValue {
		return out
	}
	text, ok := recipes.Decode(how, v.text)
	if ok {
		out.kind, out.text = textValue, text
	}
	return out
}

// numberOf is the value of a number, -1 if it is none.
func numberOf(v value) int64 {
	n, err := strconv.ParseInt(strings.ReplaceAll(v.text, "_", ""), 0, 64)
	if err != nil {
		return -1
	}
	return n
}

// characters makes a text out of character codes.
func characters(list []value) value {
	out := known("")
	for _, v := range list {
		one := v
		if v.kind == listValue {
			one = characters(v.list)
		} else if n := numberOf(v); v.kind == numberValue && n >= 0 && n <= utf8.MaxRune {
			one = known(string(rune(n)))
		}
		if one.kind != textValue || v.more {
			return value{}
		}
		out.text += one.text
	}
	return out
}

// packed is pack of Perl, Ruby and PHP, for the templates that matter.
func packed(template value, list []value) value {
	switch {
	case strings.HasPrefix(template.text, "H") && len(list) > 0:
		return decoded("hex", list[0])
	case template.text != "" && strings.IndexByte("CcUW", template.text[0]) >= 0:
		return characters(list)
	}
	return value{}
}

// sprintf fills %s, %d and %c with known values.
func sprintf(format value, list []value) value {
	if format.kind != textValue {
		return value{net: format.net, src: format.src}
	}
	out, rest := known(""), format.text
	for {
		at := strings.IndexByte(rest, '%')
		if at < 0 || at+1 >= len(rest) {
			return concat(out, known(rest))
		}
		out = concat(out, known(rest[:at]))
		verb := rest[at+1]
		rest = rest[at+2:]
		switch {
		case verb == '%':
			out = concat(out, known("%"))
			continue
		case len(list) == 0:
			return value{src: format.text}
		case verb == 's' || verb == 'd':
			out = concat(out, list[0])
		case verb == 'c':
			out = concat(out, characters(list[:1]))
		default:
			return value{src: format.text}
		}
		list = list[1:]
	}
}

// formatBraces is "{}".format(x).
func formatBraces(format value, args *arguments) value {
	out, rest := known(""), format.text
	for n := 0; ; {
		at := strings.IndexByte(rest, '{')
		if at < 0 {
			return concat(out, known(rest))
		}
		end := strings.IndexByte(rest[at:], '}')
		if end < 0 {
			return value{src: format.text}
		}
		out = concat(out, known(rest[:at]))
		name := rest[at+1 : at+end]
		rest = rest[at+end+1:]
		i, err := strconv.Atoi(name)
		if name == "" {
			i, err = n, nil
			n++
		}
		if err != nil {
			i = -1
		}
		v, _ := args.at(i, name)
		out = concat(out, v)
	}
}

// replaced is a text with all of one text in it replaced by another one.
func replaced(in, from, to value) value {
	if in.kind == textValue && from.kind == textValue && to.kind == textValue && from.text != "" &&
		len(in.text)*(len(to.text)+1) < maxString {
		return known(strings.ReplaceAll(in.text, from.text, to.text))
	}
	return value{net: in.net || to.net}
}

// dirname is the directory of a path.
func dirname(v value) value {
	if v.plain() {
		out := v
		switch i := strings.LastIndexByte(strings.TrimRight(v.text, "/"), '/'); {
		case i > 0:
			out.text = v.text[:i]
		case i == 0 || strings.HasPrefix(v.text, "/"):
			out.text = "/"
		default:
			out.text = "."
		}
		return out
	}
	return value{}
}
