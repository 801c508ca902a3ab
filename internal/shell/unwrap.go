package shell

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
)

// unwrap lists what the program runs, if it is one that runs others.
func (w *walker) unwrap(program string, s simple) {
	args := s.words[1:]
	name := strings.TrimSuffix(strings.ToLower(program), ".exe")
	switch name {
	case "find":
		w.find(args, s)
		return
	case "eval":
		w.script(join(args), s.depth)
		return
	case "trap":
		if len(args) > 0 && !strings.HasPrefix(args[0].value, "-") {
			w.script(args[0].value, s.depth)
		}
		return
	case "alias":
		w.define(args)
		return
	case "command":
		if len(args) > 0 && (args[0].value == "-v" || args[0].value == "-V") {
			return // it only says what would run
		}
	}
	if programs.IsShell(name) {
		w.shell(args, s)
		return
	}
	if text, ok := w.aliases[program]; ok && !w.unalias {
		w.alias(text, s)
		return
	}
	run := model.Run{Program: name, Args: make([]model.Word, len(args))}
	for i := range args {
		run.Args[i] = model.Word{Text: args[i].value, Known: true}
	}
	inner, ok := programs.Wraps(&run)
	if !ok {
		return
	}
	rest := args[len(args)-len(inner.Words):]
	if inner.Script != nil {
		w.script(inner.Script.Text+" "+quote(rest), s.depth)
		return
	}
	s.words, s.assign = rest, nil
	for _, a := range inner.Assigns {
		variable, _, _ := strings.Cut(a.Text, "=")
		s.assign = append(s.assign, variable)
	}
	if name == "flock" && len(s.words) > 1 && s.words[0].value == "-c" {
		w.script(s.words[1].value, s.depth)
		return
	}
	if name == "xargs" { // what it reads becomes arguments
		s.hidden = w.origin
	}
	w.run(s)
}

// runsOthers reports whether unwrap would look further.
func (w *walker) runsOthers(program string) bool {
	name := strings.TrimSuffix(strings.ToLower(program), ".exe")
	_, wraps := programs.Lookup(name)
	_, alias := w.aliases[program]
	return wraps || alias || programs.IsShell(name) || name == "find" || name == "eval" || name == "trap"
}

func (w *walker) define(args []Word) {
	for i := range args {
		if name, text, ok := strings.Cut(args[i].value, "="); ok {
			if w.aliases == nil {
				w.aliases = map[string]string{}
			}
			w.aliases[name] = text
		}
	}
}

// find lists what -exec and its kin run for each file.
func (w *walker) find(args []Word, s simple) {
	for i := 0; i < len(args); i++ {
		switch args[i].value {
		case "-exec", "-execdir", "-ok", "-okdir":
		default:
			continue
		}
		from := i + 1
		for i = from; i < len(args) && args[i].value != ";" && args[i].value != "+"; i++ {
		}
		words := append([]Word(nil), args[from:i]...)
		for k := range words {
			if strings.Contains(words[k].value, "{}") {
				words[k].Static, words[k].pattern = false, false
			}
		}
		w.run(simple{words: words, hidden: s.hidden, depth: s.depth})
	}
}

// shell lists what a shell is told to run: by -c, or on its standard input. A
// script file is not looked into.
func (w *walker) shell(args []Word, s simple) {
	command, stdin := false, true
	i := 0
options:
	for ; i < len(args); i++ {
		t := args[i].value
		switch {
		case t == "--" || t == "-":
			i++
			break options
		case t == "--rcfile" || t == "--init-file":
			i++
		case t == "--version" || t == "--help":
			stdin = false
		case strings.HasPrefix(t, "--"):
		case len(t) > 1 && (t[0] == '-' || t[0] == '+'):
			command = command || t[0] == '-' && strings.IndexByte(t, 'c') > 0
			if strings.ContainsAny(t[len(t)-1:], "oO") {
				i++ // the option's name follows
			}
			if strings.IndexByte(t, 's') > 0 && !command {
				args = args[:i+1] // what follows are the script's arguments
			}
		default:
			break options
		}
	}
	switch {
	case command && i < len(args):
		w.script(args[i].value, s.depth)
	case command || i < len(args):
	case s.hasStdin:
		w.script(s.stdin, s.depth)
	case stdin:
		w.addUnknown()
	}
}

func join(words []Word) string { return strings.Join(values(words), " ") }

func values(words []Word) []string {
	texts := make([]string, len(words))
	for i := range words {
		texts[i] = words[i].value
	}
	return texts
}
