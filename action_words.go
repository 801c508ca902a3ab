package trammel

import (
	"fmt"
	"strings"
)

// mcpName splits the name that most hosts give to a tool of an MCP server:
// mcp__server__tool.
func mcpName(name string) (server, tool string, ok bool) {
	rest, ok := strings.CutPrefix(name, "mcp__")
	if !ok {
		return "", "", false
	}
	server, tool, ok = strings.Cut(rest, "__")
	return server, tool, ok && server != "" && tool != ""
}

// QuoteWords turns an argument vector into a command line that a shell would
// split into the same words.
func QuoteWords(words []string) string {
	list := make([]any, len(words))
	for i, w := range words {
		list[i] = w
	}
	return quoteWords(list)
}

// quoteWords is QuoteWords for what was decoded.
func quoteWords(words []any) string {
	var b strings.Builder
	for i, w := range words {
		s, ok := w.(string)
		if !ok { // a number, where somebody did not quote it
			s = fmt.Sprint(w)
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		if s != "" && strings.IndexFunc(s, unsafeInShell) < 0 {
			b.WriteString(s)
			continue
		}
		b.WriteByte('\'')
		b.WriteString(strings.ReplaceAll(s, "'", `'\''`))
		b.WriteByte('\'')
	}
	return b.String()
}

func unsafeInShell(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return false
	}
	return !strings.ContainsRune("-_./=:,@%+", r)
}
