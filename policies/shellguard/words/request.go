package words

import "strings"

// Deletes reports whether arguments are a request that deletes something: by
// its HTTP method, or as a GraphQL mutation.
func Deletes(v any) bool { return deletes(v, 0) }

func deletes(v any, depth int) bool {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			text, _ := value.(string)
			switch strings.ToLower(name) {
			case "method", "http_method", "httpmethod", "verb":
				if strings.EqualFold(text, "DELETE") {
					return true
				}
			case "path", "url", "endpoint":
				if strings.Contains(text, "/_delete_by_query") {
					return true
				}
			case "query", "mutation", "graphql", "document":
				if gone, _ := Mutation(text); gone {
					return true
				}
			}
			if depth < MaxDeep && deletes(value, depth+1) {
				return true
			}
		}
	case []any:
		for _, value := range v {
			if depth < MaxDeep && deletes(value, depth+1) {
				return true
			}
		}
	}
	return false
}

// MaxDeep limits how deep arguments are searched for a request; anything deeper is
// a doubt from reading the call.
const MaxDeep = 32

// Mutation reports whether a text is a GraphQL mutation that removes
// something, and whether its loss matters.
func Mutation(text string) (gone, what bool) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "query="))
	_, body, ok := strings.Cut(text, "{")
	if !ok || !strings.HasPrefix(text, "mutation") {
		return false, false
	}
	for _, word := range Of(strings.NewReplacer("(", " ", "{", " ", "\n", " ", ",", " ").Replace(body)) {
		switch word {
		case "delete", "remove", "destroy", "archive", "purge", "drop", "transfer":
			gone = true
		case "ref":
			what = true
		}
		what = what || Thing(word)
	}
	return gone, gone && what
}
