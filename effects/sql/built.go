package sql

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/internal/lex"
)

// built yields the texts in a statement that the server runs as statements, if something in
// the text around it does so: PREPARE, EXECUTE, \gexec. They may be put together from parts.
func built(tokens []string, statement string) (out []string) {
	if len(tokens) == 0 || !slices.Contains([]string{"SET", "SELECT", "DECLARE", "DO", "EXEC", "EXECUTE", "BEGIN", "PREPARE", "WITH", "CALL",
		"IF", "FOR", "PERFORM"}, tokens[0]) || slices.Contains(tokens, "RAISE") || slices.Contains(tokens, "PRINT") {
		return nil
	}
	all := ""
	for i := 0; i < len(statement); {
		c, end := statement[i], 0
		text := ""
		switch tag := dollarTag(statement[i:]); {
		case c == '\'':
			end = lex.Quoted(statement[i:], c)
			text = strings.ReplaceAll(strings.TrimSuffix(statement[i+1:i+end], "'"), "''", "'")
		case tag != "":
			text, _, _ = strings.Cut(statement[i+len(tag):], tag)
			end = min(len(text)+2*len(tag), len(statement)-i)
		case strings.HasPrefix(statement[i:], "--"):
			end = lex.Line(statement[i:])
		}
		if text != "" {
			all += text
			out = append(out, text)
		}
		i += max(end, 1)
	}
	if len(out) > 1 {
		out = append(out, all)
	}
	return out
}

// runsTexts reports whether one of a text's statements runs what another one, or itself,
// puts together.
func runsTexts(text string) bool {
	if upper := strings.ToUpper(text); !strings.Contains(upper, "EXEC") && !strings.Contains(upper, "PREPARE") {
		return false
	}
	for len(text) > 0 {
		tokens, rest := lenient(text)
		statement := text[:len(text)-len(rest)]
		if len(tokens) > 0 && (tokens[0] == "DO" && strings.Contains(strings.ToUpper(statement), "EXECUTE") || tokens[0] != "CREATE" &&
			slices.ContainsFunc(tokens, func(word string) bool {
				return word == "EXEC" || word == "EXECUTE" || word == "PREPARE" || word == "GEXEC"
			})) {
			return true
		}
		text = rest
	}
	return false
}
