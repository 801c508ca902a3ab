// Package detect says which language a text is in where nobody says it: what is
// typed into a program that is open, and code for a tool that runs any.
package detect

import (
	"slices"
	"strings"
)

// Unknown is code in a language that is not recognized.
const Unknown = "code"

// signs are texts that only one of the languages has. The first that fits counts.
var signs = [...]struct {
	language string
	texts    []string
}{
	{"php", []string{"<?php", "$_GET", "$_SERVER", "shell_exec(", "file_get_contents(", "passthru("}},
	{"python", []string{"__import__", "os.system(", "os.remove(", "os.environ", "subprocess.", "shutil.", "pathlib.", "Path(",
		".read()", "print(", "urllib.", "requests.", "exec(", "getattr(", "importlib"}},
	{"node", []string{"require(", "process.", "child_process", "fs.", "=>", "Deno.", "Bun.", "fetch(", "console.", "globalThis"}},
	{"elixir", []string{"System.cmd(", "File.rm_rf", "File.rm!", "File.read!", ":os.cmd("}},
	{"ruby", []string{"FileUtils", "File.", "Dir.", "IO.", "Kernel.", "Open3.", "Net::HTTP", "%x(", "puts("}},
	{"lua", []string{"os.execute(", "io.popen(", "io.open("}},
	{"r", []string{"recursive=TRUE", "recursive = TRUE", "system2(", "file.remove("}},
	{"perl", []string{"use strict", "use File::", "LWP::"}},
}

// Of returns the programming language of a text, "" if it may be a command line or
// a statement for a database.
func Of(text string) string {
	text = withoutDocuments(text)
	switch {
	case imports(text):
		return "python"
	case !calls(text):
		return ""
	}
	for _, s := range signs {
		for _, sign := range s.texts {
			if strings.Contains(text, sign) {
				return s.language
			}
		}
	}
	return Unknown
}

// withoutDocuments leaves out the here-documents of a command line: what they hold is
// written or read by a program, and not typed.
func withoutDocuments(text string) string {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		_, word, ok := strings.Cut(lines[i], "<<")
		word = strings.Trim(strings.TrimLeft(word, "-~ "), `"'\`)
		if end := strings.IndexAny(word, "\"' \t;|&>)"); end >= 0 {
			word = word[:end]
		}
		if end := slices.IndexFunc(lines[i+1:], func(l string) bool { return strings.TrimLeft(l, "\t") == word }); ok && word != "" && end >= 0 {
			lines = slices.Delete(lines, i+1, i+1+end+1)
		}
	}
	return strings.Join(lines, "\n")
}

// imports reports whether a line is an import of Python. A shell has a program of
// this name, which is given a file; one without a dot is unusual.
func imports(text string) bool {
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		words := strings.Fields(line)
		switch {
		case len(words) < 2:
		case words[0] == "from" && len(words) > 3 && words[2] == "import":
			return true
		case words[0] == "import" && (len(words) == 2 || strings.HasSuffix(words[1], ",") || words[2] == "as"):
			return true
		}
	}
	return false
}

// calls reports whether a text calls a function: f(x). No command line has a name
// in front of a bracket outside of quotes, unless it defines a function: f().
func calls(text string) bool {
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case c == '(' && isName(strings.TrimRight(text[:i], "!?")) && !strings.HasPrefix(strings.TrimLeft(text[i+1:], " "), ")"):
			return true
		}
	}
	return false
}

// isName reports whether a text ends with a name, or with a value that can be called.
func isName(text string) bool {
	if text == "" {
		return false
	}
	c := text[len(text)-1]
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c == ']' || c == ')'
}
