package recipes

import "strings"

// Imports are the files that a script loads which may lie beside it, relative to
// it, without a word on whether they are there. A name that a language looks for
// under several names is listed with each.
func Imports(language, text string) (out []string) {
	switch language {
	case "python":
		if _, rest, ok := strings.Cut(text, "DJANGO_SETTINGS_MODULE"); ok {
			name := literal(strings.TrimLeft(strings.TrimLeft(rest, `"'`), " ],=("))
			out = append(out, strings.ReplaceAll(name, ".", "/")+".py")
		}
		for line := range strings.SplitSeq(strings.ReplaceAll(text, ";", "\n"), "\n") {
			words := strings.Fields(strings.ReplaceAll(line, ",", " "))
			if len(words) < 2 || words[0] != "import" && words[0] != "from" {
				continue
			}
			for _, name := range words[1:] {
				if name == "import" || name == "as" {
					break
				}
				if name = strings.ReplaceAll(strings.Trim(name, "."), ".", "/"); name != "" {
					out = append(out, name+".py", name+"/__init__.py")
				}
				if words[0] == "from" {
					break
				}
			}
		}
	case "node":
		for _, mark := range [...]string{"require(", "from ", "import ", "import("} {
			for rest := text; ; {
				var ok bool
				if _, rest, ok = strings.Cut(rest, mark); !ok {
					break
				}
				if name := literal(rest); strings.HasPrefix(name, ".") {
					out = append(append(out, name), Started(language, name)...)
				}
			}
		}
	case "ruby":
		for _, mark := range [...]string{"require_relative ", "load "} {
			for rest := text; ; {
				var ok bool
				if _, rest, ok = strings.Cut(rest, mark); !ok {
					break
				}
				if name := literal(rest); name != "" {
					out = append(out, name, name+".rb")
				}
			}
		}
	}
	return out
}

// Started are the files that an interpreter runs if there is none of the name that it
// is given: node job is node job.js, python3 tool is python3 tool/__main__.py.
func Started(language, name string) []string {
	switch language {
	case "node":
		return []string{name + ".js", name + ".ts", name + ".mjs", name + ".cjs", name + "/index.js"}
	case "python":
		return []string{name + "/__main__.py"}
	case "ruby":
		return []string{name + ".rb"}
	}
	return nil
}

// literal is the text in quotes that a text begins with.
func literal(text string) string {
	text = strings.TrimLeft(text, " (")
	if text == "" || text[0] != '"' && text[0] != '\'' && text[0] != '`' {
		return ""
	}
	end := strings.IndexByte(text[1:], text[0])
	if end < 0 {
		return ""
	}
	return text[1 : 1+end]
}
