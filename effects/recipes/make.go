package recipes

import (
	"path"
	"slices"
	"strings"
)

// makeRules is a makefile, as far as it matters for what a target runs.
type makeRules struct {
	first     string
	needs     map[string][]string
	recipes   map[string][]string
	variables map[string]string
	shown     bool     // lines are printed and not run, except some
	atOnce    []string // commands that run as soon as the file is read: x := $(shell …)
}

// Shown among the words of make says that it only prints what it would run. No argument is
// this word.
const Shown = "\x00shown"

// maxTargets limits the targets that are followed for one call. The rest is a doubt:
// beyond is a command that is unknown.
const (
	maxTargets = 200
	beyond     = `eval "$MAKECMDGOALS"`
)

// readMake takes a makefile or a justfile apart.
func readMake(text string) makeRules {
	m := makeRules{needs: map[string][]string{}, recipes: map[string][]string{}, variables: map[string]string{}}
	var targets []string
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '\t' || line[0] == ' ':
			for _, t := range targets {
				m.recipes[t] = append(m.recipes[t], line)
			}
		default:
			m.reads(line)
			targets = m.head(line)
		}
	}
	return m
}

// reads notes the commands that a line outside of recipes runs while it is read. A variable that is
// set with = runs nothing until it is used.
func (m *makeRules) reads(line string) {
	if name, value, ok := strings.Cut(line, "="); ok && strings.HasSuffix(name, "!") {
		m.atOnce = append(m.atOnce, value)
		return
	} else if ok && !strings.HasSuffix(name, ":") && !strings.HasSuffix(name, "+") && !strings.Contains(name, "(") &&
		!strings.HasPrefix(line, "export ") { // which every recipe gets
		return
	}
	line = strings.ReplaceAll(strings.ReplaceAll(line, "${shell", "$(shell"), "$(shell\t", "$(shell ")
	for {
		at := strings.Index(line, "$(shell ")
		if at < 0 {
			return
		}
		end := closing(line[at+1:])
		if end < 0 {
			return
		}
		m.atOnce = append(m.atOnce, line[at+len("$(shell "):at+1+end])
		line = line[at+1+end:]
	}
}

// Included are the files that a makefile includes, which are a part of it.
func Included(file, text string) (out []string) {
	if name := strings.ToLower(path.Base(file)); name != "makefile" && name != "gnumakefile" && path.Ext(name) != ".mk" {
		return nil
	}
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) > 1 && strings.HasSuffix(strings.TrimPrefix(words[0], "s"), "include") {
			out = append(out, words[1:]...)
		}
	}
	return out
}

// closing is where the bracket ends with which a text begins, -1 if it does not.
func closing(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(', '{':
			depth++
		case ')', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// head reads a line that is no recipe: a variable, or the targets of a rule.
func (m *makeRules) head(line string) []string {
	line = strings.TrimPrefix(strings.TrimPrefix(line, "override "), "export ")
	if name, value, ok := strings.Cut(line, "="); ok {
		name = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(name), ":?+!"))
		if !strings.ContainsAny(name, ": ") {
			m.variables[name] = strings.TrimSpace(value)
			return nil
		}
	}
	switch word, _, _ := strings.Cut(line, " "); {
	case strings.HasPrefix(word, "$(") && !strings.Contains(word, ")"): // a function
		return nil
	case word == "ifeq", word == "ifneq", word == "ifdef", word == "ifndef":
		return nil
	}
	names, rest, ok := strings.Cut(line, ":")
	if !ok {
		return nil
	}
	needs, command, _ := strings.Cut(strings.TrimLeft(rest, ":"), ";")
	targets := strings.Fields(names)
	for _, t := range targets {
		if m.first == "" && !strings.HasPrefix(t, ".") {
			m.first = t
		}
		m.needs[t] = append(m.needs[t], strings.Fields(needs)...)
		if command = strings.TrimSpace(command); command != "" {
			m.recipes[t] = append(m.recipes[t], command)
		}
	}
	return targets
}

// script is what making some targets runs.
func (m *makeRules) script(targets []string) string {
	if len(targets) == 0 {
		targets = []string{m.first}
	}
	var out []string
	for _, line := range m.atOnce {
		out = append(out, m.expand(line, 0))
	}
	var seen []string
	var visit func(target string)
	visit = func(target string) {
		if slices.Contains(seen, target) {
			return
		}
		if len(seen) > maxTargets {
			if len(seen) == maxTargets+1 {
				seen, out = append(seen, ""), append(out, beyond)
			}
			return
		}
		seen = append(seen, target)
		for _, need := range m.needs[target] {
			visit(need)
		}
		for _, line := range m.recipes[target] {
			const marks = "@-+ \t" // also from variables: $(Q)rm x
			bare := strings.TrimLeft(line, marks)
			whole := m.expand(bare, 0)
			command := strings.TrimLeft(whole, marks)
			signs := line[:len(line)-len(bare)] + whole[:len(whole)-len(command)]
			// what is left of make's variables may be make itself, or a function
			if !m.shown || strings.Contains(signs, "+") || strings.Contains(command, "$") {
				out = append(out, command)
			}
		}
	}
	for _, t := range targets {
		visit(t)
	}
	return strings.Join(out, "\n")
}

// expand puts the values of make's variables into a recipe; those that are not
// known stay variables of the shell.
func (m *makeRules) expand(line string, depth int) string {
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		if line[i] != '$' || i+1 == len(line) {
			b.WriteByte(line[i])
			continue
		}
		i++
		open := line[i]
		if open == '$' {
			b.WriteByte('$')
			continue
		}
		end := closing(line[i:])
		if open != '(' && open != '{' || end < 0 {
			b.WriteString("${MAKE_" + line[i:i+1] + "}")
			continue
		}
		name := line[i+1 : i+end]
		value, ok := m.variables[name]
		switch {
		case ok && depth < 8:
			b.WriteString(m.expand(value, depth+1))
		case strings.HasPrefix(name, "shell "):
			b.WriteString("$(" + m.expand(name[6:], depth+1) + ")")
		case strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789") == "" && name != "":
			b.WriteString("${" + name + "}")
		default:
			b.WriteString("${MAKE_VALUE}")
		}
		i += end
	}
	return b.String()
}

// makeScript is what the targets among the words do, by a makefile.
func makeScript(text string, words []string) string {
	m := readMake(justHome.Replace(text))
	var targets []string
	for _, w := range words {
		if w == Shown {
			m.shown = true
		} else if name, value, ok := strings.Cut(w, "="); ok {
			m.variables[name] = value
		} else {
			targets = append(targets, w)
		}
	}
	return m.script(targets)
}

// justHome writes the functions of a justfile that name places as a shell does.
var justHome = strings.NewReplacer("{{home_directory()}}", "$${HOME}", "{{ home_directory() }}", "$${HOME}",
	"{{justfile_directory()}}", ".", "{{ justfile_directory() }}", ".", "{{invocation_directory()}}", ".",
	`{{env("HOME")}}`, "$${HOME}", "{{env('HOME')}}", "$${HOME}", "{{env_var('HOME')}}", "$${HOME}", `{{env_var("HOME")}}`, "$${HOME}")

// Lines are the commands of all targets of a makefile, or of a justfile, whose
// recipes may be indented by blanks.
func Lines(text string, just bool) (out []string) {
	m := readMake(text)
	for line := range strings.Lines(text) {
		command, ok := strings.CutPrefix(line, "\t")
		if !ok && just {
			command, ok = strings.CutPrefix(line, " ")
		}
		if !ok {
			if _, command, ok = strings.Cut(line, ";"); !ok {
				continue
			}
		}
		if just {
			command = strings.ReplaceAll(command, "$$", "$")
		} else {
			command = m.expand(command, 0)
		}
		out = append(out, strings.TrimLeft(command, "@-+ \t"))
	}
	return out
}

// Jobs are the commands of a crontab: behind five fields, or @when.
func Jobs(text string) (out []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		fields := 5
		if strings.HasPrefix(line, "@") {
			fields = 1
		}
		if line == "" || line[0] == '#' || !strings.ContainsAny(line[:1], "@*0123456789") {
			continue
		}
		for range fields {
			_, line, _ = strings.Cut(strings.TrimLeft(line, " \t"), " ")
		}
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}
