package rule

import (
	"fmt"
	"strings"

	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/clip"
)

// maxPiece limits what one ${expression} adds to a text for the model.
const maxPiece = 1 << 10

// template is a text with expressions in it.
type template []part

// part is literal text, or an expression if that is set.
type part struct {
	text string
	expr *condition
}

func (c *Config) loadTemplate(where, whole string) (template, error) {
	pieces, err := Split(whole)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	out := make(template, len(pieces))
	for i, p := range pieces {
		if out[i].text = p.Text; p.At == 0 {
			continue
		}
		if out[i].expr, err = c.load(where, p.Source); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Piece is a part of a text: literal text, or the source of an expression if
// At, the byte where that begins, is set.
type Piece struct {
	Text, Source string
	At           int
}

// OpenError is a ${ at byte At that is not closed.
type OpenError struct{ At int }

func (e *OpenError) Error() string { return "${ is not closed, expected " + e.Expected() }

// Expected is what to write.
func (e *OpenError) Expected() string { return "a } after the expression, or $${ for the text ${" }

// Split splits a text at each ${expression}. $${ means a literal ${.
func Split(whole string) ([]Piece, error) {
	var out []Piece
	s := whole
	var lit strings.Builder
	for {
		i := strings.Index(s, "${")
		if i < 0 {
			break
		}
		if i > 0 && s[i-1] == '$' {
			lit.WriteString(s[:i-1] + "${")
			s = s[i+2:]
			continue
		}
		lit.WriteString(s[:i])
		at := len(whole) - len(s) + i
		source, rest, ok := cutExpression(s[i+2:])
		if !ok {
			return nil, &OpenError{at}
		}
		out = append(out, Piece{Text: lit.String()}, Piece{Source: source, At: at + 2})
		lit.Reset()
		s = rest
	}
	lit.WriteString(s)
	return append(out, Piece{Text: lit.String()}), nil
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

// fill writes the text. A failed expression becomes a question mark, and its
// error is returned: the decision must not depend on it.
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
				b.WriteString(clip.Bytes(s, maxPiece))
				continue
			}
		}
		b.WriteByte('?')
		failed = append(failed, err.Error())
	}
	return b.String(), failed
}

// toText is a value as text: strings unchanged, nothing for nil, JSON for the rest.
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
