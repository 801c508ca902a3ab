package recipes

import (
	"path"
	"strings"
)

// executed are the commands that a build in XML runs: the executable of Maven's exec
// with its arguments, the Exec tasks and build events of MSBuild. Those of ant are
// texts in quotes, which a reader of any language finds.
func executed(text string) string {
	var out []string
	program := false // the last line is a program that may get arguments
	for {
		_, rest, ok := strings.Cut(text, "<")
		if !ok {
			return strings.Join(out, "\n")
		}
		tag, behind, _ := strings.Cut(rest, ">")
		text = behind
		name, attributes, _ := strings.Cut(tag, " ")
		body, _, _ := strings.Cut(behind, "</")
		body = strings.TrimSpace(unescaped(strings.TrimSuffix(strings.TrimPrefix(body, "<![CDATA["), "]]>")))
		switch name = strings.ToLower(name); {
		case name == "executable" && body != "":
			out, program = append(out, quoteWord(body)), true
		case (name == "argument" || name == "arg") && body != "" && program:
			out[len(out)-1] += " " + quoteWord(body)
		case (name == "commandlineargs" || name == "args") && body != "" && program:
			out[len(out)-1] += " " + body
		case name == "/configuration" || name == "/plugin":
			program = false
		case name == "prebuildevent" || name == "postbuildevent" || name == "prelinkevent":
			out, program = append(out, body), false
		case name == "exec":
			if _, value, ok := strings.Cut(attributes, "Command="); ok && value != "" {
				if end := strings.IndexByte(value[1:], value[0]); end >= 0 {
					out, program = append(out, unescaped(value[1:1+end])), false
				}
			}
		}
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
