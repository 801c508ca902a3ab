package detect

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/sql"
)

// Store returns the language of a text that is for a database: sql, redis, mongo; ""
// if it is not.
func Store(text string) string {
	switch {
	case IsSQL(text):
		return "sql"
	case IsRedis(text):
		return "redis"
	case IsMongo(text):
		return "mongo"
	}
	return ""
}

// IsRedis reports whether a text is a command that empties a key-value store.
func IsRedis(text string) bool {
	verb, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	return strings.EqualFold(verb, "FLUSHALL") || strings.EqualFold(verb, "FLUSHDB") || strings.Contains(text, "redis.call(") ||
		sql.RedisExecutes(verb, rest)
}

// IsMongo reports whether a text is a call of the Mongo shell.
func IsMongo(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "db.") && strings.HasSuffix(strings.TrimRight(text, ";"), ")")
}

// IsSQL reports whether a text begins like a statement that changes a database.
func IsSQL(text string) bool {
	verb, rest, _ := strings.Cut(strings.TrimLeft(text, " \t\r\n(;"), " ")
	next, _, _ := strings.Cut(strings.TrimLeft(rest, " \t\r\n"), " ")
	switch strings.ToUpper(verb) {
	case "DROP", "ALTER", "CREATE", "TRUNCATE":
		if _, found := sql.Executes(text); found {
			return true
		}
		switch strings.ToUpper(next) {
		case "TABLE", "DATABASE", "SCHEMA", "INDEX", "VIEW", "USER", "ROLE", "FUNCTION", "TRIGGER", "SEQUENCE", "TYPE", "EXTENSION":
			return true
		}
		return strings.ToUpper(verb) == "TRUNCATE" && next != ""
	case "DELETE":
		return strings.EqualFold(next, "FROM")
	case "MATCH": // Cypher
		return strings.Contains(strings.ToUpper(rest), "DETACH DELETE ")
	case "INSERT", "MERGE":
		return strings.EqualFold(next, "INTO")
	case "UPDATE":
		return strings.Contains(strings.ToUpper(rest), " SET ")
	case "GRANT", "REVOKE":
		return strings.Contains(strings.ToUpper(rest), " ON ")
	case "SELECT", "WITH", "EXEC", "EXECUTE", "CALL", "DECLARE", "COPY", "DO", "SET", "INSTALL", "LOAD", "ATTACH":
		_, found := sql.Executes(text)
		return found
	}
	return false
}
