package sql

import (
	"iter"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/internal/lex"
)

// Destroys reports whether a text of SQL removes data without saying which:
// DROP, TRUNCATE, DELETE and UPDATE without a condition. Strings, quoted names
// and comments are data. It returns the beginning of the statement.
func Destroys(text string) (statement string, found bool) {
	for tokens := range statements(text) {
		if destroying(tokens) {
			return strings.Join(tokens[:min(len(tokens), 8)], " "), true
		}
	}
	return "", false
}

// DropsTests reports whether all that a text of SQL destroys are databases whose names
// say that they are for tests: DROP DATABASE IF EXISTS app_test.
func DropsTests(text string) bool {
	for tokens := range statements(text) {
		if !destroying(tokens) {
			continue
		}
		last := tokens[len(tokens)-1]
		plain := slices.Equal(tokens[:len(tokens)-1], []string{"DROP", "DATABASE"}) ||
			slices.Equal(tokens[:len(tokens)-1], []string{"DROP", "DATABASE", "IF", "EXISTS"})
		if !plain || !strings.HasPrefix(last, "TEST_") && !strings.HasSuffix(last, "_TEST") {
			return false
		}
	}
	return true
}

// maxBlocks is how deeply blocks within blocks are read. What is deeper counts as
// destroying: nobody writes that.
const maxBlocks = 8

// statements yields the words and the text of each statement, including those in anonymous blocks.
func statements(text string) iter.Seq2[[]string, string] {
	return func(yield func(tokens []string, text string) bool) { within(text, 0, yield) }
}

// within reports whether to go on.
func within(text string, depth int, yield func(tokens []string, text string) bool) bool {
	if depth > maxBlocks {
		return yield([]string{"DROP", "DATABASE"}, text)
	}
	runs := runsTexts(text)
	for len(text) > 0 {
		tokens, rest := lenient(text)
		statement := text[:len(text)-len(rest)]
		if runs {
			for _, said := range built(tokens, statement) {
				if !within(said, depth+1, yield) {
					return false
				}
			}
		}
		if len(tokens) > 0 && tokens[0] == "DO" && !within(block(statement), depth+1, yield) || !yield(tokens, statement) {
			return false
		}
		text = rest
	}
	return true
}

// block returns the statements of an anonymous block: DO $$ BEGIN … END $$,
// including those in the string after EXECUTE.
func block(text string) string {
	at, tag := 0, ""
	for ; at < len(text) && tag == ""; at++ {
		if tag = dollarTag(text[at:]); text[at] == '\'' {
			tag = "'"
		}
	}
	if tag == "" {
		return ""
	}
	body := strings.ReplaceAll(text[at-1+len(tag):], "'||'", "")
	if tag == "'" {
		body = strings.ReplaceAll(body, "''", "'")
	}
	body = strings.NewReplacer("BEGIN", ";", "THEN", ";", "LOOP", ";", "ELSE", ";", "EXECUTE '", ";", "EXECUTE FORMAT('",
		";", "EXECUTE FORMAT($", ";$", "EXECUTE $", ";$").Replace(strings.ToUpper(body))
	for from := 0; ; { // a dollar-quoted string is a statement, too
		at := strings.Index(body[from:], ";$")
		if at < 0 {
			return body
		}
		from += at + 1
		tag := dollarTag(body[from:])
		body = body[:from] + body[from+len(tag):]
	}
}

// lenient reads the words of the first statement, in upper case. Quoted
// names become one word, strings a single '.
func lenient(text string) (tokens []string, rest string) {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == ';':
			return tokens, text[i+1:]
		case c == '-' && strings.HasPrefix(text[i:], "--"), c == '#',
			(c == '.' || c == '\\') && len(tokens) == 0 && (i == 0 || text[i-1] == '\n'): // a word to the client: .bail on, \c prod
			i += lex.Line(text[i:])
		case c == '/' && strings.HasPrefix(text[i:], "/*!"): // MySQL runs what is in it
			i += 3
			for i < len(text) && text[i] >= '0' && text[i] <= '9' {
				i++
			}
		case c == '/' && strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i+2:], "*/")
			if end < 0 {
				return tokens, ""
			}
			i += end + 4
		case c == '\'' || c == '"' || c == '`':
			end := lex.Quoted(text[i:], c)
			if c == '\'' {
				tokens = append(tokens, "'")
			} else {
				tokens = append(tokens, `"`)
			}
			i += end
		case c == '$' && dollarTag(text[i:]) != "":
			tag := dollarTag(text[i:])
			end := strings.Index(text[i+len(tag):], tag)
			if end < 0 {
				return tokens, ""
			}
			i += end + 2*len(tag)
			tokens = append(tokens, "'")
		case lex.Word(c):
			end := i
			for end < len(text) && lex.Word(text[end]) {
				end++
			}
			tokens = append(tokens, strings.ToUpper(text[i:end]))
			i = end
		default:
			if c == '=' || c == '(' || c == ')' || c == '<' || c == '>' {
				tokens = append(tokens, string(c))
			}
			i++
		}
	}
	return tokens, ""
}

// dollarTag returns the $tag$ that begins a PostgreSQL string, "" if there is none.
func dollarTag(s string) string {
	for i := 1; i < len(s) && s[0] == '$'; i++ {
		if s[i] == '$' {
			return s[:i+1]
		}
		if !lex.Word(s[i]) {
			break
		}
	}
	return ""
}

// destroying reports whether one statement destroys data.
func destroying(t []string) bool {
	if len(t) > 0 && t[0] == "EXPLAIN" {
		return false
	}
	for i, word := range t {
		next := func(n int) string {
			if i+n < len(t) {
				return t[i+n]
			}
			return ""
		}
		begins := i == 0 || t[i-1] == ")" || t[i-1] == "(" || t[i-1] == "BEGIN" || t[i-1] == "DO" || t[i-1] == "THEN" ||
			t[i-1] == "AS" && t[0] == "PREPARE"
		switch word {
		case "DROP", "REMOVE": // the latter of SurrealDB
			switch next(1) {
			case "DATABASE", "SCHEMA", "TABLE", "USER", "ROLE", "KEYSPACE", "TABLESPACE", "OWNED", "COLLECTION", "MEASUREMENT", "BUCKET",
				"LOGIN", "PLUGGABLE", "WAREHOUSE", "STREAM", "TOPIC", "STAGE", "CATALOG", "VOLUME", "SERIES", "SHARD", "RETENTION", "GRAPH",
				"CLUSTER", "NAMESPACE", "SPACE", "EXTERNAL", "SERVER", "DICTIONARY", "DATASET", "STABLE", "DNODE", "ACCOUNT", "SHARE", "ALL", "SCOPE":
				return begins
			case "COLUMN", "PARTITION", "PART", "PARTITIONS":
				return t[0] == "ALTER"
			}
		case "EXEC", "EXECUTE", "IMMEDIATE", "CALL":
			if text := strings.Join(t[i:], " "); begins && strings.Contains(text, "SP_MSFOREACHTABLE") || strings.Contains(text, "DROP_DATABASE") {
				return true
			}
		case "PURGE":
			if begins && slices.Contains([]string{"RECYCLEBIN", "DBA_RECYCLEBIN", "TABLE", "BINARY", "MASTER"}, next(1)) {
				return true
			}
		case "RESET": // the log from which MySQL can be brought back
			if begins && (next(1) == "MASTER" || next(1) == "BINARY" && next(2) == "LOGS") {
				return true
			}
		case "TRUNCATE":
			return begins && next(1) != "(" && next(1) != ""
		case "DETACH": // Cypher
			if next(1) == "DELETE" && !slices.Contains(t, "WHERE") {
				return true
			}
		case "DELETE":
			if (begins || t[0] == "ALTER" && next(1) == "WHERE") && next(1) != "" && next(1) != "ON" && unbounded(t[i:]) { // ClickHouse alters
				return true
			}
		case "MERGE":
			if begins && slices.Contains(t, "DELETE") {
				return true
			}
		case "UPDATE":
			if begins && slices.Contains(t[i:min(len(t), i+100)], "SET") && unbounded(t[i:]) {
				return true
			}
		}
	}
	return false
}

// unbounded reports whether a statement has no condition, or one that is always true.
func unbounded(t []string) bool {
	for i, word := range t {
		switch word {
		case "WHERE":
			return always(t[i+1:])
		case "LIMIT", "USING", "JOIN":
			return false
		}
	}
	return true
}

// always reports whether a condition excludes nothing, because one of its
// alternatives does not.
func always(t []string) bool {
	from := 0
	for i := 0; i <= len(t); i++ {
		if i == len(t) || t[i] == "OR" {
			if holds(t[from:i]) {
				return true
			}
			from = i + 1
		}
	}
	return false
}

// holds reports whether a comparison is true for every row: id IS NOT NULL, 2 > 1.
func holds(t []string) bool {
	for len(t) > 1 && t[0] == "(" && t[len(t)-1] == ")" {
		t = t[1 : len(t)-1]
	}
	switch strings.Join(t, " ") {
	case "TRUE", "1", "' = '", "NOT FALSE", "ID > 0", "ID >= 0", "ID > = 0", "ID > = 1", "ID < > 0":
		return true
	}
	number := func(word string) bool { return strings.Trim(word, "0123456789.") == "" }
	switch len(t) {
	case 3: // id = id
		return number(t[0]) && number(t[2]) && strings.Contains("<>=", t[1]) || t[0] == t[2] && t[1] == "=" && t[0] != `"`
	case 4:
		return t[1] == "IS" && t[2] == "NOT" && t[3] == "NULL"
	}
	return false
}
