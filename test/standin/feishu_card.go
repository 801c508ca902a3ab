package standin

import (
	"slices"
	"strings"
)

var (
	templates = strings.Fields("blue wathet turquoise green yellow orange red carmine violet purple indigo grey")
	types     = strings.Fields("default primary danger text primary_text danger_text primary_filled danger_filled laser")
)

// check holds a card against the rules of card JSON 2.0.
func (f *Feishu) check(shows map[string]any) {
	bad := func(format string, args ...any) { f.s.t.Errorf("feishu card: "+format, args...) }
	if shows["schema"] != "2.0" || at(shows, "config", "update_multi") != true {
		bad("not a shared card of schema 2.0: %v", shows)
	}
	if str(shows, "header", "title", "tag") != "plain_text" || !slices.Contains(templates, str(shows, "header", "template")) {
		bad("header %v", shows["header"])
	}
	names := map[string]bool{}
	walk(shows["body"], func(e map[string]any) {
		switch e["tag"] {
		case "markdown":
			harmless(f.s, str(e, "content"))
		case "button":
			if !slices.Contains(types, str(e, "type")) || str(e, "text", "tag") != "plain_text" || e["behaviors"] == nil {
				bad("button %v", e)
			}
			fallthrough
		case "input", "form":
			if name := str(e, "name"); name == "" || names[name] {
				bad("%v has no name of its own: its click would fail with 200340", e)
			} else {
				names[name] = true
			}
		case "column_set", "column", "hr", "plain_text", nil:
		default:
			bad("unknown element %v", e["tag"])
		}
	})
}

// harmless: nothing that a model could have written begins a tag, which is how
// cards mention people.
func harmless(s *Server, content string) {
	for i := range content {
		if content[i] == '<' && !strings.HasPrefix(content[i:], "<\u200b") {
			s.t.Errorf("feishu card: a tag in %q", content)
		}
	}
	if n := strings.Count(content, "```"); n != 0 && n != 2 {
		s.t.Errorf("feishu card: code that ends early: %q", content)
	}
}

// walk visits all objects inside of v.
func walk(v any, visit func(map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		visit(v)
		for key, e := range v {
			if key != "value" {
				walk(e, visit)
			}
		}
	case []any:
		for _, e := range v {
			walk(e, visit)
		}
	}
}
