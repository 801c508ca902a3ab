package languages

// maxCalls of one function are looked at for what it is given.
const maxCalls = 8

// calledWith is what a function of the program itself is given, as far as it is
// plain text: its body is read where it stands, with what the calls of it say.
// Where calls differ a parameter may be any of these.
func (w *walker) calledWith(name string) []thing {
	if w.calls == nil {
		w.calls = calls(w.tokens)
	}
	var out []thing
	for n, i := range w.calls[name] {
		at, k := 0, i+2
		for ; k < len(w.tokens) && k < i+40 && n < maxCalls; k++ {
			arg := &w.tokens[k]
			if arg.is(",") {
				at++
				continue
			}
			if arg.kind != textToken || arg.parts != nil {
				break
			}
			out = mayBe(out, at, known(arg.text))
		}
		if k < len(w.tokens) && !w.tokens[k].is(")") {
			out = mayBe(out, at, thing{src: name + "(…)"})
		}
	}
	return out
}

// mayBe adds a value that the parameter at may have.
func mayBe(list []thing, at int, t thing) []thing {
	for len(list) < at {
		list = append(list, thing{})
	}
	if len(list) == at {
		return append(list, t)
	}
	list[at] = either(list[at], t)
	return list
}

// calls are the places where functions are called.
func calls(tokens []token) map[string][]int {
	out := map[string][]int{}
	for i := 0; i+2 < len(tokens); i++ {
		t := &tokens[i]
		if t.kind != nameToken || !tokens[i+1].is("(") || len(out[t.text]) > maxCalls {
			continue
		}
		if i == 0 || tokens[i-1].kind != nameToken || !defines(tokens[i-1].text) {
			out[t.text] = append(out[t.text], i)
		}
	}
	return out
}

func defines(word string) bool { return word == "def" || word == "function" || word == "sub" }
