package readonly

import (
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects/sql"
)

// readsSQL reports whether a call only runs SQL that only reads: the tool runs
// SQL, and its other arguments only say where it runs and with which parameters.
func (g *guard) readsSQL(t *trammel.ToolCall) bool {
	if !slices.Contains(g.SQLTools, t.Name) || t.Action.Command != "" || len(t.Action.Paths) > 0 {
		return false
	}
	statements := 0
	for name, value := range t.Input {
		text, isText := value.(string)
		switch name {
		case "sql", "query", "statement", "sql_query", "sql_statement":
			if !isText || !sql.OnlyReads(text) {
				return false
			}
			statements++
		case "params", "parameters", "args", "values", "bindings", "database", "db", "schema", "catalog", "connection", "connection_id",
			"dialect", "description", "limit", "timeout", "max_rows":
		default:
			return false
		}
	}
	return statements == 1
}
