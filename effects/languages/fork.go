package languages

// forks reports whether a program starts copies of itself without end: a fork
// in a loop that nothing in the program ever leaves or waits in.
func forks(tokens []token) bool {
	fork, endless := false, false
	for i := range tokens {
		t := &tokens[i]
		if t.kind != nameToken {
			continue
		}
		switch t.text {
		case "fork":
			fork = true
		case "exit", "_exit", "break", "last", "wait", "waitpid", "exec", "die", "return", "sleep", "raise":
			return false
		case "loop":
			endless = true
		case "while", "until":
			endless = endless || always(tokens[i+1:])
		case "for":
			endless = endless || i+3 < len(tokens) && tokens[i+1].is("(") && tokens[i+2].is(";") && tokens[i+3].is(";")
		}
	}
	return fork && endless
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
