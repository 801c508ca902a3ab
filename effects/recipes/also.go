package recipes

import (
	"cmp"
	"path"
	"strings"
)

// Also returns further files that a project file says to run: the build script of a
// Cargo.toml, the hooks of a mkdocs.yml, what a configuration loads before tests.
func Also(file, text string) []string {
	switch name := strings.ToLower(path.Base(file)); {
	case name == "cargo.toml":
		if build := setting(text, "build"); build != "" {
			return []string{build}
		}
	case name == "alembic.ini":
		return []string{setting(text, "script_location") + "/env.py"}
	case name == "pyproject.toml":
		var out []string
		if backend := setting(text, "build-backend"); backend != "" && strings.Contains(text, "backend-path") {
			backend, _, _ = strings.Cut(backend, ":")
			file := strings.ReplaceAll(backend, ".", "/") + ".py"
			for dir := range literals(setting(text, "backend-path")) {
				out = append(out, path.Join(dir, file))
			}
		}
		if strings.Contains(text, "build.hooks.custom]") {
			out = append(out, cmp.Or(setting(text, "path"), "hatch_build.py"))
		}
		return out
	case name == "phpunit.xml", name == "phpunit.xml.dist":
		if _, rest, ok := strings.Cut(text, "bootstrap="); ok {
			return []string{literal(rest)}
		}
	case name == ".rspec":
		var out []string
		words := strings.Fields(text)
		for i, word := range words[:max(len(words)-1, 0)] {
			if word == "--require" || word == "-r" {
				out = append(out, strings.TrimSuffix(words[i+1], ".rb")+".rb", "spec/"+words[i+1]+".rb")
			}
		}
		return out
	case name == "mkdocs.yml", name == "mkdocs.yaml", name == "bunfig.toml", name == ".yarnrc.yml", strings.HasPrefix(name, ".mocharc."),
		strings.HasPrefix(name, "jest.config."), strings.HasPrefix(name, "vitest.config."), strings.HasPrefix(name, "playwright.config."):
		return sources(text)
	}
	return nil
}

// setting is the value of a name in TOML or INI, without quotes.
func setting(text, name string) string {
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(line, "="); ok && strings.TrimSpace(key) == name {
			return unquoted(strings.TrimSpace(value))
		}
	}
	return ""
}

// literals are the texts in quotes in a text.
func literals(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for {
			at := strings.IndexAny(text, `"'`)
			if at < 0 {
				return
			}
			body, n := Quoted(text[at+1:], text[at])
			if n < 0 || !yield(body) {
				return
			}
			text = text[at+1+n:]
		}
	}
}

// sources are the words of a configuration that name files of code, with <rootDir>
// for the project.
func sources(text string) (out []string) {
	for word := range strings.FieldsFuncSeq(strings.ReplaceAll(text, "<rootDir>/", ""),
		func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`,[](){};", r) }) {
		if ext := path.Ext(word); len(word) > len(ext) && !strings.ContainsAny(word, "*$:") &&
			(Language(word) == "node" || Language(word) == "python") {
			out = append(out, word)
		}
	}
	return out
}
