package recipes

import (
	"path"
	"strings"
)

// executed are the commands that a build in XML runs: the executable of Maven's exec
// with its arguments, the exec of ant, the Exec tasks and build events of MSBuild; and
// what both remove, as commands that do it.
func executed(text string) string {
	var out []string
	program := false // the last line is a program that may get arguments
	values := map[string]string{}
	for {
		_, rest, ok := strings.Cut(text, "<")
		if !ok {
			return strings.Join(out, "\n")
		}
		tag, behind, _ := strings.Cut(rest, ">")
		text = behind
		name, of, _ := strings.Cut(strings.TrimSuffix(tag, "/"), " ")
		attribute := func(names ...string) string { return propertied(attributeOf(of, names...), values) }
		body, _, _ := strings.Cut(behind, "</")
		body = strings.TrimSpace(unescaped(strings.TrimSuffix(strings.TrimPrefix(body, "<![CDATA["), "]]>")))
		if name != "" && body != "" && !strings.Contains(body, "<") && len(values) < maxConstants { // <Dir>$(HOME)</Dir>
			values[name] = propertied(body, values)
		}
		body = propertied(body, values)
		switch name = strings.ToLower(name); {
		case name == "property":
			values[attributeOf(of, "name")] = attribute("value", "location")
		case name == "executable" && body != "":
			out, program = append(out, quoteWord(body)), true
		case name == "exec" && attribute("executable") != "":
			out, program = append(out, quoteWord(attribute("executable"))), true
		case name == "arg" && program && attribute("line") != "":
			out[len(out)-1] += " " + attribute("line")
		case (name == "argument" || name == "arg") && program && body+attribute("value", "file", "path") != "":
			out[len(out)-1] += " " + quoteWord(attribute("value", "file", "path")+body)
		case (name == "commandlineargs" || name == "args") && body != "" && program:
			out[len(out)-1] += " " + body
		case name == "/configuration", name == "/plugin", name == "/exec":
			program = false
		case name == "prebuildevent" || name == "postbuildevent" || name == "prelinkevent":
			out, program = append(out, body), false
		case name == "exec":
			out, program = append(out, attribute("Command")), false
		case name == "delete", name == "removedir":
			for file := range strings.SplitSeq(attribute("dir", "file", "directories", "files"), ";") {
				if file != "" {
					out = append(out, "rm -rf "+quoteWord(file))
				}
			}
		}
	}
}

// attributeOf is the value of the first of some attributes that a tag has.
func attributeOf(tag string, names ...string) string {
	lower := " " + strings.ToLower(strings.Join(strings.Fields(tag), " "))
	for _, name := range names {
		at := strings.Index(lower, " "+strings.ToLower(name)+"=")
		if at < 0 {
			continue
		}
		value := strings.Join(strings.Fields(tag), " ")[at+1+len(name):]
		if len(value) > 0 && (value[0] == '"' || value[0] == '\'') {
			if body, _, ok := strings.Cut(value[1:], value[:1]); ok {
				return unescaped(body)
			}
		}
	}
	return ""
}

// propertied is a text with the properties of a build in it, as a shell would have
// them: ${user.home}, $(HOME). One that is not known is a variable.
func propertied(text string, values map[string]string) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "$")
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		name, after, closed := strings.Cut(strings.TrimLeft(rest, "({"), ")")
		if strings.HasPrefix(rest, "{") {
			name, after, closed = strings.Cut(rest[1:], "}")
		}
		value, known := values[name]
		switch strings.ToLower(name) {
		case "user.home", "env.home", "home", "userprofile":
			value, known = "~", true
		}
		switch {
		case closed && known:
			out.WriteString(value)
		case closed && strings.HasPrefix(rest, "(") && !strings.ContainsAny(name, " $("):
			out.WriteString("${" + name + "}")
		default:
			out.WriteByte('$')
			after = rest
		}
		text = after
	}
}

// unescaped is a text of XML as it is meant.
func unescaped(text string) string {
	if !strings.Contains(text, "&") {
		return text
	}
	return strings.NewReplacer("&quot;", `"`, "&apos;", "'", "&lt;", "<", "&gt;", ">", "&#10;", "\n", "&#xA;", "\n", "&#39;", "'",
		"&#34;", `"`, "&amp;", "&").Replace(text)
}

// Document is the code of a file in a language: all of it, or that between the lines of a
// document that is made by running it: ```{r}, ```{python}, ```{bash}.
func Document(file, language, text string) (out []Step) {
	if ext := strings.ToLower(path.Ext(file)); ext != ".rmd" && ext != ".qmd" {
		return []Step{{language, text}}
	}
	for {
		_, rest, ok := strings.Cut(text, "```{")
		if !ok {
			return out
		}
		head, body, _ := strings.Cut(rest, "\n")
		body, text, _ = strings.Cut(body, "```")
		language := head
		if end := strings.IndexAny(head, " ,}"); end >= 0 {
			language = head[:end]
		}
		switch language {
		case "bash", "sh", "zsh":
			language = "shell"
		case "js":
			language = "node"
		}
		out = append(out, Step{language, body})
	}
}
