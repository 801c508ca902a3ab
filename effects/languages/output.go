package languages

import "strings"

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
func loops(tokens []token) (forks, writes bool) {
	fork, endless, reads, wrote := false, false, false, -99
	for i := range tokens {
		t := &tokens[i]
		if t.kind != nameToken {
			last := append([]part{{text: t.text}}, t.parts...)[len(t.parts)].text
			fork = fork || t.kind == textToken && strings.HasSuffix(strings.TrimRight(last, " "), "&") // os.execute("x &")
			writes = writes || endless && t.is("<<")
			continue
		}
		switch t.text {
		case "fork", "pcntl_fork", "spawn", "Popen", "Process", "posix_spawn":
			fork = true
		case "exit", "_exit", "break", "last", "wait", "waitpid", "exec", "die", "return", "sleep", "raise", "await", "join", "communicate",
			"accept", "recv", "get", "input", "readline", "gets", "poll", "select", "usleep", "on":
			if endless && !(i > 1 && tokens[i-2].named("path")) { // what comes before the loop does not leave it, nor does os.path.join
				return false, false
			}
		case "write", "writeFileSync", "appendFileSync", "writeSync", "writeTextFileSync", "fputs", "fwrite", "file_put_contents", "print",
			"printf", "puts", "say":
			writes, wrote = writes || endless, i
		case "read", "readlines", "next":
			reads = true
		case "loop":
			endless = endless || tokens[i+1].named("do") || tokens[i+1].is("{")
		case "while", "until":
			endless = endless || always(tokens[i+1:])
			writes = writes || endless && i-wrote < 9 && tokens[i-1].kind != lineToken && !tokens[i-1].is(";") && !tokens[i-1].is("}") // x() while 1
		case "setInterval":
			endless = endless || quickly(tokens[i+1:])
		case "count":
			endless = endless || i > 1 && tokens[i-2].named("itertools")
		case "for":
			endless = endless || i+3 < len(tokens) && tokens[i+1].is("(") && tokens[i+2].is(";") && tokens[i+3].is(";")
		}
	}
	return fork && endless, writes && !reads
}

// quickly reports whether the arguments of a call end with a number of milliseconds
// that is too short to wait for anything.
func quickly(args []token) bool {
	depth := 0
	for i := range args {
		switch t := &args[i]; {
		case t.is("(") || t.is("{") || t.is("["):
			depth++
		case t.is(")") || t.is("}") || t.is("]"):
			if depth--; depth == 0 {
				return args[i-1].is(",") || args[i-1].is("}") || args[i-1].kind == numberToken && len(args[i-1].text) < 3
			}
		}
	}
	return false
}

// always reports whether a condition holds whatever happens.
func always(condition []token) bool {
	for i := range condition {
		switch t := &condition[i]; {
		case t.is("("):
		case t.kind == numberToken:
			return t.text != "0"
		default:
			return t.named("True") || t.named("true") || t.named("fork")
		}
	}
	return false
}
