// Package parse reads scripts, of any content, without ever failing.
package parse

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/trammel-dev/trammel/effects/shell/compute"
	"mvdan.cc/sh/v3/syntax"
)

// Limits of what is parsed: the parser is recursive, and a guard has to answer soon.
const maxSource = 256 << 10

// Source is a script, parsed. It must not be changed.
type Source struct {
	Text string
	File *syntax.File // nil if the script cannot be read
	Why  string       // then: why
}

// Bash parses a script as bash would. It takes any input.
func Bash(src string) Source { return As(src, syntax.LangBash) }

// As parses a script of another shell.
func As(src string, dialect syntax.LangVariant) (out Source) {
	out.Text = src
	defer func() {
		if p := recover(); p != nil { // a parser's mistake must not take the guard down
			out.File, out.Why = nil, fmt.Sprintf("the parser failed: %v", p)
		}
	}()
	file, err := parseFile(src, dialect)
	if err != nil {
		out.Why = err.Error()
		return out
	}
	out.File = file
	return out
}

// parsers are those for bash that nobody uses: each has buffers of 2 KB. One that has
// panicked does not come back.
var parsers sync.Pool

func parseFile(src string, dialect syntax.LangVariant) (*syntax.File, error) {
	switch {
	case len(src) > maxSource:
		return nil, fmt.Errorf("it has %d bytes, more than %d are not read", len(src), maxSource)
	case !utf8.ValidString(src):
		return nil, fmt.Errorf("it is not valid UTF-8")
	case strings.IndexByte(src, 0) >= 0:
		return nil, fmt.Errorf("it contains a NUL byte")
	case compute.TooNested(src):
		return nil, fmt.Errorf("it is nested too deeply")
	}
	if dialect != syntax.LangBash {
		return syntax.NewParser(syntax.Variant(dialect)).Parse(strings.NewReader(src), "")
	}
	parser, _ := parsers.Get().(*syntax.Parser)
	if parser == nil {
		parser = syntax.NewParser()
	}
	file, err := parser.Parse(strings.NewReader(src), "")
	parsers.Put(parser)
	return file, err
}
