package sql

import (
	"strings"

	"github.com/trammel-dev/trammel/internal/lex"
)

// MongoDrops reports whether a script of the Mongo shell removes whole
// databases or collections: db.dropDatabase(), c.drop(), c.deleteMany({}).
func MongoDrops(text string) bool {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\'' || c == '"' || c == '`':
			i += lex.Quoted(text[i:], c)
		case strings.HasPrefix(text[i:], "//"):
			i += lex.Line(text[i:])
		case lex.Word(c) && c != '.':
			end := i
			for end < len(text) && lex.Word(text[end]) && text[end] != '.' {
				end++
			}
			rest := strings.ReplaceAll(text[end:min(len(text), end+40)], " ", "")
			switch text[i:end] {
			case "dropDatabase", "dropAllUsers", "dropUser", "_dropDatabase", "_drop", "_truncate": // the latter of ArangoDB
				if strings.HasPrefix(rest, "(") {
					return true
				}
			case "drop", "truncate":
				if strings.HasPrefix(rest, "()") && i > 0 && text[i-1] == '.' {
					return true
				}
			case "runCommand", "adminCommand":
				if plain := strings.NewReplacer(`"`, "", "'", "").Replace(rest); strings.HasPrefix(plain, "({drop") ||
					strings.HasPrefix(plain, "({delete:") && strings.Contains(strings.ReplaceAll(text, " ", ""), "q:{}") {
					return true
				}
			case "deleteMany", "remove":
				if strings.HasPrefix(rest, "({})") || strings.HasPrefix(rest, "({_id:{$exists:true") || strings.HasPrefix(rest,
					"({_id:{$ne:null") || strings.HasPrefix(rest, "()") && text[i:end] == "remove" {
					return true
				}
			}
			i = end
		default:
			i++
		}
	}
	return false
}
