package rule

import (
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/internal/canonical"
)

// maxPiece bounds what one ${expression} adds to a text for the model.
const maxPiece = 1 << 10

// template is a text with expressions in it.
type template []piece

// piece is literal text, or an expression if that is set.
type piece struct {
	text string
	expr *expression
}

// compileTemplate takes a text apart at each ${expression}.
func compileTemplate(whole string) (template, error) {
	var out template
	s := whole
	var lit strings.Builder
	for {
		i := strings.Index(s, "${")
		if i < 0 {
			break
		}
		if i > 0 && s[i-1] == '$' { // $${ stands for ${
			lit.WriteString(s[:i-1] + "${")
			s = s[i+2:]
			continue
		}
		lit.WriteString(s[:i])
		source, rest, ok := cutExpression(s[i+2:])
		if !ok {
			err := &Error{Source: whole, Line: 1, Column: 1, Message: "${ is not closed",
				Expected: "a } after the expression, or $${ for the text ${"}
			return nil, err.within(whole, whole[:len(whole)-len(s)+i])
		}
		e, err := compile(source, reflect.Invalid)
		if err != nil {
			if e, ok := err.(*Error); ok {
				return nil, e.within(whole, whole[:len(whole)-len(s)+i+2])
			}
			return nil, err
		}
		out = append(out, piece{text: lit.String()}, piece{expr: e})
		lit.Reset()
		s = rest
	}
	lit.WriteString(s)
	return append(out, piece{text: lit.String()}), nil
}

// cutExpression finds the brace that closes an expression, past braces and
// strings within it.
func cutExpression(s string) (source, rest string, ok bool) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '{':
			depth++
		case '}':
			if depth == 0 {
				return s[:i], s[i+1:], true
			}
			depth--
		case '"', '\'', '`':
			for i++; i < len(s) && s[i] != c; i++ {
				if s[i] == '\\' && c != '`' {
					i++
				}
			}
		}
	}
	return "", "", false
}

// fill writes the text. An expression that fails leaves a question mark and
// is returned: the decision that the text explains must not depend on it.
func (e *evaluation) fill(text template, h match.Hit) (filled string, failed []string) {
	var b strings.Builder
	for _, p := range text {
		if p.expr == nil {
			b.WriteString(p.text)
			continue
		}
		v, err := e.run(p.expr, h, false)
		if err == nil {
			var s string
			if s, err = toText(v); err == nil {
				b.WriteString(clip(s, maxPiece))
				continue
			}
		}
		b.WriteByte('?')
		failed = append(failed, err.Error())
	}
	return b.String(), failed
}

// toText is a value in words: text as it is, nothing for nil, JSON for the rest.
func toText(v any) (string, error) {
	v, err := toJSON(v)
	if err != nil {
		return "", err
	}
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	}
	out, err := canonical.Append(nil, v)
	return string(out), err
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
