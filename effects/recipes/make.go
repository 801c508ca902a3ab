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
	patterns  []string // the targets of rules like %.o
	variables map[string]string
	automatic map[string]string   // $@ and the others, for the target at hand
	takes     map[string][]string // the parameters of a justfile's recipe
	shown     bool                // lines are printed and not run, except some
	atOnce    []string            // commands that run as soon as the file is read: x := $(shell …)
	expanded  int                 // bytes that variables have become so far
}

// Shown among the words of make says that it only prints what it would run. No argument is
// this word.
const Shown = "\x00shown"

// maxTargets limits the targets that are followed for one call, and maxExpanded the bytes
// that their variables become. The rest is a doubt: beyond is a command that is unknown.
const (
	maxTargets  = 200
	maxExpanded = 1 << 20
	beyond      = `eval "$MAKECMDGOALS"`
)

// readMake takes a makefile or a justfile apart.
func readMake(text string) makeRules {
	m := makeRules{needs: map[string][]string{}, recipes: map[string][]string{}, variables: map[string]string{}, takes: map[string][]string{}}
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
	for t := range m.recipes {
		if strings.Contains(t, "%") {
			m.patterns = append(m.patterns, t)
		}
	}
	slices.Sort(m.patterns)
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
	targets := strings.Fields(m.expand(names, 0))
	if needs = m.expand(needs, 0); len(targets) > 1 {
		m.takes[targets[0]] = targets[1:]
	}
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
		needs, lines, stem := m.rule(target)
		for _, need := range needs {
			visit(need)
		}
		all := strings.Join(needs, " ")
		first, _, _ := strings.Cut(all, " ")
		m.automatic = map[string]string{"@": target, "<": first, "^": all, "+": all, "?": all, "*": stem}
		for _, line := range lines {
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
	if m.expanded > maxExpanded {
		out = append(out, beyond)
	}
	return strings.Join(out, "\n")
}

// rule is what a target needs and runs. One without a recipe of its own has that of a pattern
// which it fits: %.sql, with what stands for the mark.
func (m *makeRules) rule(target string) (needs, lines []string, stem string) {
	needs, lines = m.needs[target], m.recipes[target]
	if len(lines) > 0 {
		return needs, lines, ""
	}
	for _, pattern := range m.patterns {
		before, after, ok := strings.Cut(pattern, "%")
		if ok && len(target) > len(before)+len(after) && strings.HasPrefix(target, before) && strings.HasSuffix(target, after) {
			stem = target[len(before) : len(target)-len(after)]
			for _, need := range m.needs[pattern] {
				needs = append(slices.Clip(needs), strings.Replace(need, "%", stem, 1))
			}
			return needs, m.recipes[pattern], stem
		}
	}
	return needs, nil, ""
}

// expand puts the values of make's variables into a recipe; those that are not
// known stay variables of the shell.
func (m *makeRules) expand(line string, depth int) string {
	var b strings.Builder
	if m.expanded += len(line); m.expanded > maxExpanded {
		return beyond
	}
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
			if value, ok := m.automatic[line[i:i+1]]; ok {
				b.WriteString(value)
			} else {
				b.WriteString("${MAKE_" + line[i:i+1] + "}")
			}
			continue
		}
		name := line[i+1 : i+end]
		value, ok := m.variables[name]
		if auto, is := m.automatic[name[:min(1, len(name))]]; is && len(name) == 2 { // $(@D)
			value, ok = map[byte]string{'D': path.Dir(auto), 'F': path.Base(auto)}[name[1]], true
		}
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
	m := readMake(text)
	return m.script(m.told(words))
}

// told takes what make is told: variables, and the targets that are left.
func (m *makeRules) told(words []string) (targets []string) {
	for _, w := range words {
		if w == Shown {
			m.shown = true
		} else if name, value, ok := strings.Cut(w, "="); ok {
			m.variables[name] = value
		} else {
			targets = append(targets, w)
		}
	}
	return targets
}

// justScript is what the recipes among the words do, by a justfile. The words behind a recipe
// are its parameters.
func justScript(text string, words []string) string {
	_, m := readJust(text)
	var recipes []string
	for words = m.told(words); len(words) > 0; {
		name := words[0]
		recipes, words = append(recipes, name), words[1:]
		for _, param := range m.takes[name] {
			param, value, _ := strings.Cut(strings.TrimLeft(param, "*+$"), "=")
			if value = unquoted(value); len(words) > 0 {
				value, words = words[0], words[1:]
			}
			if value != "" {
				m.variables[param] = value
			}
		}
	}
	return m.script(recipes)
}

// readJust takes a justfile apart, written as a makefile: {{x}} is a variable, and $x one of
// the shell.
func readJust(text string) (string, makeRules) {
	text = justHome.Replace(strings.ReplaceAll(text, "$", "$$"))
	for {
		before, rest, ok := strings.Cut(text, "{{")
		name, after, closed := strings.Cut(rest, "}}")
		if !ok || !closed {
			m := readMake(text)
			for name, value := range m.variables {
				m.variables[name] = unquoted(value)
			}
			return text, m
		}
		text = before + "$(" + strings.TrimSpace(name) + ")" + after
	}
}

// justHome writes the functions of a justfile that name places as a shell does.
var justHome = strings.NewReplacer("{{home_directory()}}", "$${HOME}", "{{ home_directory() }}", "$${HOME}",
	"{{justfile_directory()}}", ".", "{{ justfile_directory() }}", ".", "{{invocation_directory()}}", ".",
	`{{env("HOME")}}`, "$${HOME}", "{{env('HOME')}}", "$${HOME}", "{{env_var('HOME')}}", "$${HOME}", `{{env_var("HOME")}}`, "$${HOME}")

// Lines are the commands of all targets of a makefile, or of a justfile, whose
// recipes may be indented by blanks.
func Lines(text string, just bool) (out []string) {
	m := readMake(text)
	if just {
		text, m = readJust(text)
	}
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
		out = append(out, strings.TrimLeft(m.expand(command, 0), "@-+ \t"))
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

// MakeFunctions are the functions of make that run, read or write something while it reads a
// text: $(shell …), $(file …).
func MakeFunctions(text string) (scripts, reads, writes []string) {
	for {
		_, rest, ok := strings.Cut(text, "$(")
		if !ok {
			return scripts, reads, writes
		}
		text = rest
		name, body, _ := strings.Cut(rest, " ")
		if end := strings.LastIndexByte(body, ')'); end >= 0 {
			body = body[:end]
		}
		switch name {
		case "shell":
			scripts = append(scripts, strings.ReplaceAll(body, "$$", "$"))
		case "file":
			place, _, _ := strings.Cut(strings.TrimLeft(body, "<> "), ",")
			if place = strings.TrimRight(place, ") "); strings.HasPrefix(body, "<") {
				reads = append(reads, place)
			} else {
				writes = append(writes, place)
			}
		}
	}
}
