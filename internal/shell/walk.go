package shell

import (
	"strings"

	effects "github.com/trammel-dev/trammel/effects/shell"
	"mvdan.cc/sh/v3/syntax"
)

// walker collects the commands of one script. Scripts within it (sh -c, eval)
// have walkers of their own that share its state.
type walker struct {
	*state
	source  string   // the script
	origin  []string // all source in which an argument may hide: the script and those around it
	depth   int
	unalias bool // an alias is not looked up again in its own text
}

type state struct {
	commands []Command
	aliases  map[string]string
	inner    int // bytes of scripts within scripts that were read
	lookups  int // searches for where a variable is set
}

func (w *walker) walk(file *syntax.File) {
	syntax.Walk(file, func(n syntax.Node) bool {
		if len(w.commands) > maxCommands {
			return false
		}
		switch n := n.(type) {
		case *syntax.Stmt:
			if call, ok := n.Cmd.(*syntax.CallExpr); ok {
				w.call(call, n.Redirs)
			}
		case *syntax.DeclClause:
			w.declaration(n)
		case *syntax.LetClause:
			w.add(Command{Program: "let", Path: "let"})
		case *syntax.TimeClause:
			w.add(Command{Program: "time", Path: "time"})
		}
		return true
	})
}

func (w *walker) add(c Command) { w.commands = append(w.commands, c) }

// addUnknown lists a command of which nothing is known but where it may come from.
func (w *walker) addUnknown() { w.add(Command{Dynamic: true, hidden: w.origin}) }

func (w *walker) call(call *syntax.CallExpr, redirs []*syntax.Redirect) {
	if len(call.Args) == 0 {
		return // it only sets variables
	}
	r := reader{walker: w}
	words := make([]Word, len(call.Args))
	for i, arg := range call.Args {
		words[i] = r.word(arg)
	}
	s := simple{words: words, hidden: r.hidden, depth: w.depth}
	for _, a := range call.Assigns {
		s.assign = append(s.assign, a.Name.Value)
	}
	for _, redir := range redirs {
		switch redir.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			if redir.Hdoc != nil {
				s.stdin, s.hasStdin = r.document(redir.Hdoc, redir.Word), true
			}
		case syntax.WordHdoc:
			s.stdin, s.hasStdin = r.word(redir.Word).value, true
		}
	}
	w.run(s)
}

// declaration lists export, declare and the like, which the parser keeps apart.
func (w *walker) declaration(d *syntax.DeclClause) {
	c := Command{Program: d.Variant.Value, Path: d.Variant.Value}
	r := reader{walker: w}
	for _, a := range d.Args {
		word := Word{Text: slice(w.source, a)}
		switch {
		case a.Array != nil || a.Index != nil:
		case a.Name == nil:
			word = r.word(a.Value)
		case a.Value == nil:
			word.Static = true
		default:
			word.Static = r.word(a.Value).Static
		}
		if word.value == "" {
			word.value = word.Text
		}
		c.Args = append(c.Args, word)
	}
	w.add(c)
}

// simple is a simple command on its way: as written, or as a wrapper runs it.
type simple struct {
	words    []Word // the program and its arguments
	assign   []string
	hidden   []string
	stdin    string // the document that is its standard input
	hasStdin bool
	depth    int
}

// run lists the command and whatever it runs in turn.
func (w *walker) run(s simple) {
	if len(s.words) == 0 || len(w.commands) > maxCommands {
		return
	}
	program := &s.words[0]
	c := Command{Path: program.value, Args: s.words[1:], Assign: s.assign, hidden: s.hidden}
	if program.base && (!program.pattern || program.value == "[") {
		c.Program = program.value[strings.LastIndexByte(program.value, '/')+1:]
	} else {
		c.Dynamic = true
		c.hidden = w.origin
	}
	w.add(c)
	if c.Dynamic {
		return
	}
	if s.depth >= maxDepth {
		if w.runsOthers(c.Program) {
			w.addUnknown()
		}
		return
	}
	s.depth++
	w.unwrap(c.Program, s)
}

// script lists the commands of a script within the script.
func (w *walker) script(text string, depth int) {
	if w.inner += len(text); w.inner > 4*maxSource || depth > maxDepth {
		w.addUnknown()
		return
	}
	parsed := effects.Parse(text)
	if parsed.File == nil {
		w.addUnknown()
		return
	}
	inner := walker{state: w.state, source: text, depth: depth, unalias: w.unalias}
	inner.origin = append(w.origin[:len(w.origin):len(w.origin)], text)
	inner.walk(parsed.File)
}

// alias lists what a name stands for that the line itself has made an alias.
func (w *walker) alias(text string, s simple) {
	was := w.unalias
	w.unalias = true
	w.script(text+" "+quote(s.words[1:]), s.depth)
	w.unalias = was
}

// quote writes words so that a shell reads the same words again.
func quote(words []Word) string {
	var b strings.Builder
	for i := range words {
		word := &words[i]
		b.WriteByte(' ')
		if !word.Static || word.pattern {
			b.WriteString(word.Text)
			continue
		}
		b.WriteByte('\'')
		b.WriteString(strings.ReplaceAll(word.value, "'", `'\''`))
		b.WriteByte('\'')
	}
	return b.String()
}
