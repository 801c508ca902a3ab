package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/lex"
)

// printers are functions that print their arguments.
const printers = " print printf puts say echo log write info cat "

// printed adds what a call or a statement writes to standard output, as far as it is
// known, and reports whether it is: text that is printed into a shell is code.
func (w *walker) printed(how string, list []value) bool {
	if how == "printf" && len(list) > 0 {
		list = []value{sprintf(list[0], list[1:])}
	}
	text := ""
	for _, v := range list {
		if v.kind == textValue || v.kind == partValue {
			text += " " + strings.ReplaceAll(v.text, Hole, "")
		}
	}
	if text == "" || !has(printers, how) || w.out.Len() > maxOutput {
		return false
	}
	w.out.WriteString(text[1:] + "\n")
	return true
}

// loops reports whether a program starts processes, or writes, without end: in a
// loop that nothing in the program ever leaves or waits in.
func loops(tokens []lex.Token) (forks, writes bool) {
	fork, endless, reads, wrote := false, false, false, -99
	for i := range tokens {
		t := &tokens[i]
		if t.Kind != lex.Name {
			last := append([]lex.Part{{Text: t.Text}}, t.Parts...)[len(t.Parts)].Text
			fork = fork || t.Kind == lex.Text && strings.HasSuffix(strings.TrimRight(last, " "), "&") // os.execute("x &")
			writes = writes || endless && t.Is("<<")
			continue
		}
		switch t.Text {
		case "fork", "pcntl_fork", "spawn", "Popen", "Process", "posix_spawn":
			fork = true
		case "exit", "_exit", "break", "last", "wait", "waitpid", "exec", "die", "return", "sleep", "raise", "await", "join", "communicate",
			"accept", "recv", "get", "input", "readline", "gets", "poll", "select", "usleep", "on":
			if endless && !(i > 1 && tokens[i-2].Named("path")) { // what comes before the loop does not leave it, nor does os.path.join
				return false, false
			}
		case "write", "writeFileSync", "appendFileSync", "writeSync", "writeTextFileSync", "fputs", "fwrite", "file_put_contents", "print",
			"printf", "puts", "say":
			writes, wrote = writes || endless, i
		case "read", "readlines", "next":
			reads = true
		case "loop":
			endless = endless || tokens[i+1].Named("do") || tokens[i+1].Is("{")
		case "while", "until":
			endless = endless || always(tokens[i+1:])
			writes = writes || endless && i-wrote < 9 && tokens[i-1].Kind != lex.Line && !tokens[i-1].Is(";") && !tokens[i-1].Is("}") // x() while 1
		case "setInterval":
			endless = endless || quickly(tokens[i+1:])
		case "count":
			endless = endless || i > 1 && tokens[i-2].Named("itertools")
		case "for":
			endless = endless || i+3 < len(tokens) && tokens[i+1].Is("(") && tokens[i+2].Is(";") && tokens[i+3].Is(";")
		}
	}
	return fork && endless, writes && !reads
}

// quickly reports whether the arguments of a call end with a number of milliseconds
// that is too short to wait for anything.
func quickly(args []lex.Token) bool {
	depth := 0
	for i := range args {
		switch t := &args[i]; {
		case t.Is("(") || t.Is("{") || t.Is("["):
			depth++
		case t.Is(")") || t.Is("}") || t.Is("]"):
			if depth--; depth == 0 {
				return args[i-1].Is(",") || args[i-1].Is("}") || args[i-1].Kind == lex.Number && len(args[i-1].Text) < 3
			}
		}
	}
	return false
}

// always reports whether a condition holds whatever happens.
func always(condition []lex.Token) bool {
	for i := range condition {
		switch t := &condition[i]; {
		case t.Is("("):
		case t.Kind == lex.Number:
			return t.Text != "0"
		default:
			return t.Named("True") || t.Named("true") || t.Named("fork")
		}
	}
	return false
}
