package install

import (
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/internal/canonical"
)

// A JSON object that keeps its order, and what is in it.
type (
	object = dialects.Object
	member = dialects.Member
	list   = dialects.List
)

// layout is the layout of a file, so that additions look like the rest.
type layout struct {
	eol   string // "\n" or "\r\n"
	unit  string // one step of indentation
	flat  bool   // all on one line
	tight bool   // no blanks either
}

func (l layout) inline() layout { l.flat = true; return l }

// appendValue writes a value whose first line is at indent.
func (l layout) appendValue(dst []byte, v any, indent string) []byte {
	switch v := v.(type) {
	case string:
		return canonical.AppendString(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case bool:
		return strconv.AppendBool(dst, v)
	case object:
		return l.container(dst, '{', '}', len(v), indent, func(dst []byte, i int, indent string) []byte {
			return l.appendMember(dst, v[i], indent)
		})
	case list:
		return l.container(dst, '[', ']', len(v), indent, func(dst []byte, i int, indent string) []byte {
			return l.appendValue(dst, v[i], indent)
		})
	}
	panic("install: a value that is not JSON") // only the hosts' tables make values
}

func (l layout) appendMember(dst []byte, m member, indent string) []byte {
	dst = append(canonical.AppendString(dst, m.Name), ':')
	if !l.tight {
		dst = append(dst, ' ')
	}
	return l.appendValue(dst, m.Value, indent)
}

func (l layout) container(dst []byte, open, shut byte, n int, indent string, each func([]byte, int, string) []byte) []byte {
	dst = append(dst, open)
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, l.gap(indent+l.unit, i == 0)...)
		dst = each(dst, i, indent+l.unit)
	}
	if n > 0 && !l.flat {
		dst = append(dst, l.eol+indent...)
	}
	return append(dst, shut)
}

// gap is the space before an element.
func (l layout) gap(indent string, first bool) string {
	switch {
	case !l.flat:
		return l.eol + indent
	case first || l.tight:
		return ""
	}
	return " "
}

// layoutOf detects the layout of a text.
func layoutOf(src string, firstGap string) layout {
	l := layout{eol: "\n", unit: "  "}
	if i := strings.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		l.eol = "\r\n"
	}
	if indent, ok := lastLine(firstGap); ok && indent != "" {
		l.unit = indent
	}
	if !strings.Contains(strings.TrimSpace(src), "\n") && len(strings.TrimSpace(src)) > 2 {
		l.flat, l.tight = true, !strings.Contains(src, `": `)
	}
	return l
}

// lastLine returns the indentation that a gap ends in, if it ends a line.
func lastLine(gap string) (string, bool) {
	i := strings.LastIndexByte(gap, '\n')
	if i < 0 {
		return "", false
	}
	rest := gap[i+1:]
	return rest[:len(rest)-len(strings.TrimLeft(rest, " \t"))], true
}
