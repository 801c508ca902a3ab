package importers

import (
	"fmt"
	"maps"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/lazy"
)

// tests are a call that a rule is about, one that it is not quite about, and the
// examples of its own file.
func (im *importer) tests(r *placed, hook string, masked bool) {
	match, miss := r.Calls.Example, r.Calls.Miss
	if match == nil {
		match, miss = r.Calls.examples()
	}
	add := func(name string, call *Call, d trammel.Decision) {
		if call == nil || slices.ContainsFunc(im.result.Tests, func(t Test) bool {
			return t.Call.Tool == call.Tool && maps.Equal(t.Call.Input, call.Input)
		}) {
			return
		}
		im.result.Tests = append(im.result.Tests, Test{Name: name, Call: *call, Decision: d, Masked: masked, hook: hook})
	}
	add(hook+" holds", match, r.Decision)
	add(hook+" does not hold", miss, trammel.None)
	for i, line := range r.Matches {
		add(fmt.Sprintf("%s, example %d of a match", hook, i+1), Shell(line), r.Decision)
	}
	for i, line := range r.Misses {
		add(fmt.Sprintf("%s, example %d of no match", hook, i+1), Shell(line), trammel.None)
	}
}

// Shell is a call of a shell.
func Shell(command string) *Call {
	return &Call{Tool: "Bash", Input: map[string]string{"command": command}}
}

// examples are a call that is meant, and one that is not.
func (c *Calls) examples() (match, miss *Call) {
	switch {
	case c.Command != nil:
		match, miss := c.Command.examples()
		if miss == "" {
			return Shell(match), &Call{Tool: "Read", Input: map[string]string{"file_path": "notes.txt"}}
		}
		return Shell(match), Shell(miss)
	case len(c.To) > 0:
		host := strings.TrimPrefix(strings.ReplaceAll(c.To[0], "*", "a"), ".")
		fetch := func(host string) *Call {
			return &Call{Tool: "WebFetch", Input: map[string]string{"url": "https://" + host + "/", "prompt": "x"}}
		}
		return fetch(host), fetch(host + ".example")
	case len(c.Paths) > 0 && len(c.Actions) > 0:
		tool := "Read"
		if !slices.Contains(c.Actions, "read") {
			tool = "Write"
		}
		touch := func(path string) *Call {
			call := &Call{Tool: tool, Input: map[string]string{"file_path": path}}
			if tool == "Write" {
				call.Input["content"] = "x"
			}
			return call
		}
		return touch(named(c.Paths[0], "")), touch(named(c.Paths[0], "q"))
	case len(c.Tools) > 0 && c.When == "":
		if strings.HasPrefix(c.Tools[0], "/") {
			return nil, nil
		}
		name := c.Tools[0]
		if rest := strings.TrimPrefix(name, "mcp__"); rest != name && !strings.Contains(rest, "__") {
			name += "__tool"
		}
		name = strings.ReplaceAll(strings.ReplaceAll(name, "*", "a"), "?", "a")
		near := name + "q"
		if parts := strings.SplitN(name, "__", 3); len(parts) == 3 {
			near = parts[0] + "__" + parts[1] + "q__" + parts[2]
		}
		return &Call{Tool: name}, &Call{Tool: near}
	}
	return nil, nil
}

// named is a file that a glob matches, or with change one that it does not quite.
func named(glob, change string) string {
	glob = strings.TrimPrefix(glob, "**/")
	begin, end := lastLiteral(glob, "*/?")
	if begin == end {
		return "notes.txt"
	}
	glob = glob[:end] + change + glob[end:]
	glob = class().ReplaceAllString(glob, "$1")
	return strings.NewReplacer("**", "x", "*", "x", "?", "x", `\{`, "{", `\}`, "}").Replace(glob)
}

// class is a class of characters in a glob, of which the first one is taken.
var class = lazy.Regexp(`\[([^]!^])[^]]*\]`)

// lastLiteral is where the last character begins and ends that is none of others.
func lastLiteral(text, others string) (begin, end int) {
	for i, r := range text {
		if !strings.ContainsRune(others, r) {
			begin, end = i, i+max(utf8.RuneLen(r), 1)
		}
	}
	return begin, end
}

// examples are a command that is meant and one that is not, "" if all are.
func (c *Command) examples() (match, miss string) {
	switch {
	case len(c.Words) > 0:
		words := each(c.Words, shellWord)
		match = Join(c.Words)
		last := len(words) - 1
		switch {
		case c.Exact:
			return match, match + " q"
		case last > 0 && strings.HasPrefix(words[last], "-"):
			return match, strings.Join(words[:last], " ")
		}
		return match, strings.TrimSpace(strings.Join(words[:last], " ") + " " + shellWord(c.Words[last]+"q"))
	case c.Glob != "":
		begin, end := lastLiteral(c.Glob, "* ")
		return strings.ReplaceAll(c.Glob, "*", "x"), strings.ReplaceAll(c.Glob[:begin]+c.Glob[end:], "*", "x")
	case c.Regexp != "":
		if re, err := syntax.Parse(c.Regexp, syntax.Perl); err == nil {
			return example(re.Simplify()), "true"
		}
	}
	return "true", ""
}

func shellWord(word string) string {
	if !strings.ContainsAny(word, " \t\n'\"\\$`!*?[]{}()<>|&;#~") && word != "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// example is a text that a regular expression matches.
func example(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			for _, r := range "xa1 " {
				if re.Rune[i] <= r && r <= re.Rune[i+1] {
					return string(r)
				}
			}
		}
		if len(re.Rune) > 0 {
			return string(re.Rune[0])
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "x"
	case syntax.OpPlus, syntax.OpCapture, syntax.OpAlternate, syntax.OpStar, syntax.OpQuest, syntax.OpRepeat:
		if re.Op == syntax.OpStar || re.Op == syntax.OpQuest {
			return ""
		}
		return example(re.Sub[0])
	case syntax.OpConcat:
		return strings.Join(each(re.Sub, example), "")
	}
	return ""
}

func inputs(input map[string]string) (out []string) {
	for _, key := range slices.Sorted(maps.Keys(input)) {
		out = append(out, key+": "+quoted(input[key]))
	}
	return out
}
