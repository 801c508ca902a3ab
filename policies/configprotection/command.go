package configprotection

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/programs"
)

// bendsByCommand reports whether a command changes the rules in a file that also
// has other content. The new content is known if the file is copied from another
// one or written from text on the command line. Otherwise the command counts if
// it names a rule.
func (j *judgement) bendsByCommand(t *effects.Touch) bool {
	file := t.Path.Abs
	if t.Op != effects.Write || t.Run < 0 || t.Run >= len(j.set.Runs) {
		return false
	}
	before, ok := j.holding(file)
	old, known := rulesIn(path.Base(file), before)
	if !ok || !known {
		return false
	}
	if after, ok := j.written(t); ok {
		return weakened(path.Base(file), old, after)
	}
	return !adds(&j.set.Runs[t.Run]) && namesRule(j.ev.Tool.Action.Command, old)
}

// adds reports whether a run adds packages or other versions of them, which are named
// as sections are: npm install -D lint-staged. It changes nothing else in the project's file.
func adds(run *effects.Run) bool {
	switch run.Program {
	case "npm", "pnpm", "yarn", "bun":
		w := programs.Parse(run)
		return slices.Contains([]string{"install", "i", "add", "update", "up", "upgrade"}, w.Word(0))
	}
	return false
}

// written returns the new text of a file, if the command line determines it.
func (j *judgement) written(t *effects.Touch) (string, bool) {
	run := &j.set.Runs[t.Run]
	for i := range j.set.Files {
		f := &j.set.Files[i]
		if f.Run == t.Run && f.Op == effects.Write && f.Append && f.Path.Abs == t.Path.Abs {
			return "", false
		}
	}
	switch run.Program {
	case "cat", "tee":
		if run.Input != nil && !slices.ContainsFunc(run.Args, func(w effects.Word) bool { return w.Text == "-a" || w.Text == "--append" }) {
			return *run.Input, true
		}
	case "cp", "mv", "install", "ln":
		for i := range j.set.Files {
			f := &j.set.Files[i]
			from := f.Op == effects.Read || f.Op == effects.Move || f.Op == effects.Link
			if f.Run == t.Run && from && f.Path.Known() && f.Path.Abs != t.Path.Abs {
				return j.readFile(f.Path.Abs)
			}
		}
	}
	return "", false
}

// namesRule reports whether a command names a setting in force, or a section or
// member that contains such settings.
func namesRule(command string, old []string) bool {
	for _, line := range old {
		if key := settingOf(line); len(key) > 3 && mentions(command, key) {
			return true
		}
	}
	for _, key := range [...]string{"eslintConfig", "eslintIgnore", "lint-staged", "simple-git-hooks", "tool.ruff", "tool.black",
		"tool.mypy", "tool.isort", "tool.pylint", "tool.flake8", "tool.pyright", "noImplicitAny", "strictNullChecks", "skipLibCheck"} {
		if mentions(command, key) {
			return true
		}
	}
	return false
}

// settingOf returns the name that a line of rules sets: select in
// `select = ["E"]`, strict in strict:true.
func settingOf(line string) string {
	line = strings.TrimLeft(line, `[" `)
	end := strings.IndexAny(line, `:="] `)
	if end < 0 {
		return line
	}
	return line[:end]
}

// mentions reports whether a text contains a word as a whole word.
func mentions(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(word)
		if (from == 0 || !inName(text[from-1])) && (to == len(text) || !inName(text[to])) {
			return true
		}
		at = from + 1
	}
}

func inName(c byte) bool {
	return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
