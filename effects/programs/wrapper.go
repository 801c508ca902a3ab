package programs

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs/fit"
	"github.com/trammel-dev/trammel/effects/programs/options"
	"github.com/trammel-dev/trammel/effects/programs/parts"
)

// Wrapped has the arguments of a program that runs another one (sudo, env, timeout).
type Wrapped struct {
	Row     *Row   // of the wrapper, or of its sub-command
	Args           // its own options
	Assigns []Word // NAME=value for the other one
	Own     []Word // its own operands
	Words   []Word // the other one, with its arguments
	// Script is a command line that is only split and stands before Words.
	Script *Word
}

// Wraps finds the program that a wrapper starts, in the words after its own
// arguments; ok is false for programs that are not wrappers.
func (r *Row) Wraps(args []Word) (w Wrapped, ok bool) {
	row, args := r.inner(args)
	pattern := row.ops
	if !strings.HasSuffix(pattern, "C") || row.special != "" {
		return Wrapped{Row: &noRow}, false
	}
	before := -1 // the operands in front of --
	w = Wrapped{Row: row}
	as := row.field("as")
	if as != "" && pattern == "C" && row.opt == "" { // all options are those of the other one
		if len(args) > 0 && args[0].Text == "--" {
			args = args[1:]
		}
		w.Words = append([]Word{word(as)}, args...)
		return w, true
	}
	for {
		a := row.Parse(args)
		w.Given = append(w.Given, a.Given...)
		for i := range a.Given {
			if g := &a.Given[i]; g.Role == "S" && strings.HasPrefix(pattern, "V") {
				w.Script, w.Words = &g.Value, args[g.End+1:]
				return w, true
			}
		}
		w.Words, before = a.Operands, a.Separator
		if len(w.Words) > 0 && (row.skips(w.Words[0].Text) || row.maySkip(w.Words)) {
			args = w.Words[1:]
			continue
		}
		if pattern[0] != 'V' || len(w.Words) == 0 || !parts.Assigns(w.Words[0]) && w.Words[0].Text != "-" {
			break
		}
		if parts.Assigns(w.Words[0]) {
			w.Assigns = append(w.Assigns, w.Words[0])
		}
		args = w.Words[1:]
	}
	for range strings.Trim(pattern, "VC") {
		if len(w.Words) > 0 && (before < 0 || len(w.Own) < before) {
			w.Own, w.Words = append(w.Own, w.Words[0]), w.Words[1:]
		}
	}
	if g := w.Last([]string{"entrypoint", "exec", "command"}); g != nil && g.Role == "" && g.Has {
		w.Words = append([]Word{g.Value}, w.Words...)
	}
	// setarch x86_64 -R ls; behind an image they are options of its program
	if len(w.Own) > 0 && len(w.Words) > 0 && strings.HasPrefix(w.Words[0].Text, "-") && pattern[0] != 'O' {
		a := row.Parse(w.Words)
		w.Given, w.Words = append(w.Given, a.Given...), a.Operands
	}
	if len(w.Own) > 0 && len(w.Words) > 0 && w.Words[0].Text == "--" { // aws-vault exec prod -- terraform
		w.Words = w.Words[1:]
	}
	if as != "" {
		w.Words = append([]Word{word(as)}, w.Words...)
	} else if r.field("net") != "" && len(w.Words) > 0 && w.Words[0].Known { // npx npm@10 publish
		if name, _, ok := strings.Cut(w.Words[0].Text[1:], "@"); ok {
			w.Words = append([]Word{word(w.Words[0].Text[:len(name)+1])}, w.Words[1:]...)
		}
	}
	return w, true
}

// Bin finds the program that a manager of packages starts by its name alone:
// yarn eslint, pnpm run eslint. Its own commands come first.
func (r *Row) Bin(args []Word) []Word {
	if !r.has("bins") {
		return nil
	}
	a := r.Parse(args)
	at := fit.Starter(&a)
	if at >= len(a.Operands) || at == 0 && (r.says("fetch", args) || r.class(&a) != "") {
		return nil
	}
	switch a.Operands[at].Text {
	case "test", "start", "stop", "link", "unlink", "install", "build", "config", "env", "help", "set", "init", "run-script", "node", "info",
		"version", "why", "dev", "lint", "format", "clean", "watch", "serve", "check":
		return nil // more likely a script of the project
	case "rm", "un", "r", "ln", "find", "diff", "edit", "view", "get", "prune", "cache", "s", "t", "c", "v", "up":
		if at == 0 {
			return nil // npm rm x
		}
	}
	if row, ok := Lookup(a.Operands[at].Text); !ok || row.area() == r.area() {
		return nil
	}
	return args[parts.Index(args, a.Operands[at].Text):]
}

// Flag reports whether a row has a field that stands for itself: root (it gives
// more rights), opens (without a command it opens a shell), elsewhere (other
// files under the same names).
func (r *Row) Flag(name string) bool { return r.has(name) }

// Runs names the way in which a program runs others that only the interpreter
// can follow: shell, xargs, parallel, find, ssh, su, container, …; "" for
// all others.
func (r *Row) Runs() string { return r.runs }

// Output describes a program's output according to its row: none, net, names, in,
// same, order, part, some; "" if it is unknown. It may be a sub-command's.
func (r *Row) Output(args []Word) string {
	if !r.style.Sub || r.out != "" {
		return r.out
	}
	row := r
	a := r.Parse(args)
	for i := range a.Operands {
		sub, ok := row.Sub(a.Word(i))
		if !ok {
			break
		}
		row = sub
	}
	return row.out
}

// PassesOn reports whether a program writes its files, or some of their lines.
func (r *Row) PassesOn(args []Word) bool {
	switch r.Name {
	case "cat", "sed", "awk", "grep", "rg":
		return true
	}
	switch r.Output(args) {
	case "same", "order", "some":
		return true
	}
	return false
}

// Selects reports whether a run writes its input, or parts of it: head, grep, tee.
func Selects(r *model.Run) bool {
	row, _ := Lookup(r.Program)
	switch row.Output(r.Args) {
	case "in", "same", "order", "some", "part":
		return true
	}
	return row.Name == "grep"
}

// Clusters reports whether single-letter options can be combined after one dash.
func (r *Row) Clusters() bool { return !r.style.Dash }

// Folds reports whether the program does not tell upper from lower case.
func (r *Row) Folds() bool { return r.style.Fold }

// Addressed reports whether the program is given a host or an address anyway: curl, ssh.
func (r *Row) Addressed() bool { return strings.ContainsAny(r.ops, "UH") }

// Homed reports whether it has a host of its own, which an argument may replace.
func (r *Row) Homed() bool { return !r.Addressed() && (r.talksBy() || strings.Contains(r.opt, "=H")) }

// AboutFiles reports whether its operands are files.
func (r *Row) AboutFiles() bool { return r.special == "tar" || strings.ContainsAny(r.ops, "RWE") }

// Tasks reports whether each operand is something that the program runs.
func (r *Row) Tasks() bool { return r.has("tasks") }

// Commands are the names of the sub-command that the operands begin with, none for a program
// without any. One that runs a task of the project is also called by that: npm run test is npm test.
func (r *Row) Commands(operands []Word) (names []string) {
	if !r.style.Sub || len(operands) == 0 {
		return nil
	}
	if sub, ok := r.Sub(operands[0].Text); ok && sub.special == "packageScript" && len(operands) > 1 {
		names = []string{operands[1].Text}
	}
	return append(names, operands[0].Text)
}

// Executes reports whether the program's operands are files or folders of code that it runs.
func (r *Row) Executes() bool {
	return strings.Contains(r.ops, "X") || strings.Contains(r.field("loads"), "@")
}

// Lists reports whether the program takes kinds of things in a cluster as its operands: pods,secrets.
func (r *Row) Lists() bool { return r.field("is") == "cluster" && r.runs == "container" }

// Renames reports whether sub-commands of the program have several names.
func (r *Row) Renames() bool { return r.has("same") }

// Means reports whether a word is another name of a sub-command of the program, or
// short for it: npm i, npm publ, artisan mig:fresh.
func (r *Row) Means(word, verb string) bool {
	if word == verb || fit.Same(r.field("same"), word, verb) {
		return true
	}
	if !r.style.Short || len(word) < 3 || len(word) >= len(verb) {
		return false
	}
	words, verbs := strings.Split(word, ":"), strings.Split(verb, ":")
	for i := range words {
		if len(words) != len(verbs) || words[i] == "" || !strings.HasPrefix(verbs[i], words[i]) {
			return false
		}
	}
	return true
}

// Data reports whether a program only prints or searches its arguments.
func (r *Row) Data() bool { return r.data }

// Reads are the operands that the program reads.
func (r *Row) Reads(args []Word) []Word {
	var out []Word
	a := r.Parse(args)
	roles := rolesOf(r, &a)
	parts.Each(roles.pattern, a.Operands, func(p parts.Part, w Word) {
		if p.Role == 'R' && w.Text != "-" {
			out = append(out, w)
		}
	})
	return out
}

// Waits reports whether a command reads lines in a language of its own.
func Waits(words []string) bool {
	r := model.Run{Program: append(words, "")[0], From: -1}
	for _, text := range words[min(1, len(words)):] {
		r.Args = append(r.Args, word(text))
	}
	row, ok := Lookup(r.Program)
	return ok && row.runs == "" && Interactive(&r)
}

// Interactive reports whether a run opens something that then takes commands of
// its own: a bare shell, an interpreter, a client, an editor. What is typed into
// it later may never be asked about again.
func Interactive(r *model.Run) bool {
	row, _ := Lookup(r.Program)
	row, args := row.inner(r.Args)
	if !row.has("tty") || path.Ext(r.Program) == ".sh" && path.Ext(row.Name) != ".sh" || r.Input != nil || r.From >= 0 || r.Stdin != nil {
		return false
	}
	a := row.Parse(args)
	unless := row.field("tty")
	opens := !a.Help()
	for rest := unless; rest != ""; {
		var one string
		switch one, rest = options.CutToken(rest); {
		case one == "":
		case one == "no":
			opens = false
		case one[0] == '+':
			opens = opens || fit.Given(one[1:], &a) && (row.special != "interpret" || a.Has(one[2:])) // not one for the script
		case one[0] == '@':
			opens = opens && len(a.Operands) < int(one[1]-'0')
		case one[0] != '-':
			opens = opens && !(len(a.Operands) > 0 && fit.Word(one, &a.Operands[0]))
		default:
			opens = opens && !fit.Given(one, &a)
		}
	}
	return opens
}
