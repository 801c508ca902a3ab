package languages

import (
	"path"
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/guess"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/recipes"
)

var awk = Language{name: "awk", comments: "#", rawQuotes: true, backtick: commandToken, regexes: true, read: awkProgram}

// awkProgram lists what an awk program does outside: system(), pipes, and
// files that print and getline name.
func awkProgram(h Host, l *Language, text string) {
	k := awkReader{Host: h, tokens: tokenize(l, text), vars: map[string]string{}}
	_, k.fills = loops(k.tokens)
	if cutOff(k.tokens, text) {
		h.Doubt("size", "awk")
	}
	if strings.Contains(text, "/inet") {
		k.connect()
	}
	for k.i = 0; k.i < len(k.tokens)-1; k.i++ {
		k.token()
	}
}

type awkReader struct {
	Host
	tokens []token
	i      int
	vars   map[string]string // what variables were given last, with holes
	prints bool              // in a print statement
	depth  int               // brackets since it began
	last   int               // where the expression in front of a pipe begins
	remote bool              // it talks to a host
	fills  bool              // it writes in a loop without end
}

func (k *awkReader) token() {
	t := &k.tokens[k.i]
	next := &k.tokens[k.i+1]
	switch {
	case t.kind == lineToken || t.is(";") || t.is("{") || t.is("}"):
		k.prints, k.depth, k.last = false, 0, k.i+1
	case t.named("print") || t.named("printf"):
		k.prints, k.depth, k.last = true, 0, k.i+1
		text := ""
		for w, at := k.operand(k.last); w.Known; w, at = k.operand(at + 1) {
			if text += w.Text + " "; !k.tokens[at].is(",") {
				break
			}
		}
		if text != "" {
			k.Printed(text[:len(text)-1] + "\n")
		}
	case t.is("("):
		k.depth++
		k.last = k.i + 1
	case t.is(")"):
		k.depth--
	case t.is(",") || t.is("&&") || t.is("||"):
		k.last = k.i + 1
	case t.kind == nameToken && next.is("=") && k.i+2 < len(k.tokens):
		w, _ := k.operand(k.i + 2)
		if !w.Known && !strings.Contains(w.Text, Hole) {
			w.Text = Hole
		}
		k.vars[t.text] = w.Text
		k.i++
		k.last = k.i + 1
	case t.named("system") && next.is("("):
		w, end := k.operand(k.i + 2)
		k.shell(w, k.tokens[end].is(")"), nil)
	case t.is("@") && next.kind == nameToken: // a function by its name, an extension
		opaque(k, "awk", "@"+next.text)
	case t.is("|"):
		k.pipe()
	case (t.is(">") || t.is(">>")) && k.prints && k.depth == 0:
		w, _ := k.operand(k.i + 1)
		add(k, model.File{Op: model.Write, Append: t.is(">>"), Endless: k.fills, Code: true}, shown(w))
	case t.named("getline"):
		at := k.i + 1
		if k.tokens[at].kind == nameToken {
			at++
		}
		if at+1 < len(k.tokens) && k.tokens[at].is("<") {
			w, _ := k.operand(at + 1)
			add(k, model.File{Op: model.Read, Code: true}, shown(w))
		}
	}
}

// shown makes holes readable.
func shown(w model.Word) model.Word {
	if !w.Known {
		w.Text = strings.ReplaceAll(w.Text, Hole, "…")
	}
	return w
}

// pipe is print | "command" or "command" | getline.
func (k *awkReader) pipe() {
	at := k.i + 1
	if k.tokens[at].is("&") {
		at++
	}
	if at < len(k.tokens) && k.tokens[at].named("getline") {
		w, end := k.operand(k.last)
		k.shell(w, end == k.i, nil)
		k.remote = k.remote || recipes.Fetches(w.Text)
		return
	}
	if !k.prints {
		return
	}
	w, _ := k.operand(at)
	if _, _, ok := guess.Inet(w.Text); ok {
		return // operand has listed it
	}
	in := &Content{}
	if said, end := k.operand(k.last); end == k.i && said.Known {
		in.Text, in.Known = said.Text+"\n", true
	} else if k.remote && has(" sh bash zsh dash ksh ", path.Base(w.Text)) { // print line | "sh"
		served(k)
	}
	k.shell(w, true, in)
}

// connect lists the connections that are named in the program. What is read
// from one and then run is code from the network.
func (k *awkReader) connect() {
	for i := range k.tokens {
		if host, port, ok := guess.Inet(k.tokens[i].text); ok && k.tokens[i].kind == textToken {
			k.Net(model.Net{Host: host, Port: port, Sends: true})
			k.remote = true
		}
	}
}

// shell runs a command that is known completely, or at least at its beginning.
func (k *awkReader) shell(w model.Word, whole bool, in *Content) {
	switch _, _, socket := guess.Inet(w.Text); {
	case socket:
		return
	case whole && w.Known:
		k.Shell(w.Text, in)
		return
	case k.remote && (w.Text == Hole || !whole):
		served(k)
		return
	}
	opaque(k, "awk", shown(model.Word{Text: w.Text}).Text)
	if begin, _, ok := strings.Cut(w.Text, Hole); ok && strings.TrimSpace(begin) != "" {
		k.Shell(begin+unknownVariable, in)
	}
}

// operand reads adjacent strings and variables, and returns where they end.
func (k *awkReader) operand(i int) (model.Word, int) {
	var text strings.Builder
	known := true
	start, depth := i, 0
	for ; i < len(k.tokens)-1; i++ {
		t := &k.tokens[i]
		switch {
		case t.is("("):
			depth++
			continue
		case t.is(")") && depth > 0:
			depth--
			continue
		case t.kind == textToken && t.parts == nil || t.kind == numberToken:
			text.WriteString(t.text)
			continue
		case t.named("ENVIRON") && i+3 < len(k.tokens) && k.tokens[i+2].text == "HOME" && k.Home() != "":
			text.WriteString(k.Home())
			i += 3 // ["HOME"]
			continue
		case t.kind == nameToken:
			value, ok := k.vars[t.text]
			if !ok {
				value = Hole
			}
			text.WriteString(value)
			known = known && !strings.Contains(value, Hole)
			if text.Len() > maxString {
				break
			}
			continue
		case t.is("$") || t.is("[") || t.is("]") || t.is("+") || t.is("-") || t.is("."):
			known = false
			text.WriteString(Hole)
			continue
		}
		break
	}
	if text.Len() > maxString || i == start {
		return model.Word{Text: "an awk expression"}, i
	}
	return model.Word{Text: text.String(), Known: known}, i
}
