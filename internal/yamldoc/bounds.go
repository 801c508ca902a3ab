package yamldoc

import (
	"fmt"

	"github.com/goccy/go-yaml/token"
)

// Bounds on a file, checked before it is parsed. The parser is recursive, and
// its time grows with the square of the depth and of the keys of a mapping. A
// file that is not trusted must not take longer than a host waits.
const (
	maxTokens = 100_000
	maxDepth  = 64
	maxKeys   = 1000
)

// beyond finds the token at which a file exceeds a bound, and says which.
func beyond(tokens token.Tokens) (*token.Token, string) {
	if len(tokens) > maxTokens {
		return tokens[maxTokens], fmt.Sprintf("the file has more than %d tokens", maxTokens)
	}
	var b bounds
	for _, t := range tokens {
		if b.take(t); b.depth() > maxDepth {
			return t, fmt.Sprintf("the nesting is deeper than %d levels", maxDepth)
		}
		if b.keys > maxKeys {
			return t, fmt.Sprintf("a mapping has more than %d keys", maxKeys)
		}
	}
	return nil, ""
}

// bounds follows the nesting of a file through its tokens: by brackets, by
// indicators in a row, and by indentation.
type bounds struct {
	brackets []int // keys so far in each open bracket
	row      int   // indicators that follow one another
	lines    []level
	keys     int // of the mapping that the last token belongs to
}

// level is an indentation that is open, and how many keys stand at it.
type level struct{ column, keys int }

func (b *bounds) depth() int { return max(len(b.brackets), b.row, len(b.lines)) }

func (b *bounds) take(t *token.Token) {
	if t.Prev == nil || t.Prev.Position.Line < t.Position.Line || t.Prev.Type == token.SequenceEntryType {
		b.indent(t.Position.Column)
	}
	b.row++
	switch t.Type {
	case token.SequenceEntryType, token.AnchorType, token.TagType, token.AliasType:
	case token.MappingKeyType:
		b.key()
	case token.SequenceStartType, token.MappingStartType:
		b.brackets = append(b.brackets, 0)
		b.row = 0
	case token.SequenceEndType, token.MappingEndType:
		b.brackets = b.brackets[:max(0, len(b.brackets)-1)]
		b.row = 0
	case token.MappingValueType:
		b.key()
		b.row = 0
	default:
		b.row = 0
	}
}

// indent closes what is indented deeper than a column, and opens it.
func (b *bounds) indent(column int) {
	for len(b.lines) > 0 && b.lines[len(b.lines)-1].column > column {
		b.lines = b.lines[:len(b.lines)-1]
	}
	if len(b.lines) == 0 || b.lines[len(b.lines)-1].column < column {
		b.lines = append(b.lines, level{column: column})
	}
}

// key counts a key where it belongs.
func (b *bounds) key() {
	count := new(int)
	if n := len(b.brackets); n > 0 {
		count = &b.brackets[n-1]
	} else if n := len(b.lines); n > 0 {
		count = &b.lines[n-1].keys
	}
	*count++
	b.keys = *count
}
