package languages

import (
	"path"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/effects/languages/guess"
	"github.com/trammel-dev/trammel/effects/languages/lex"
	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/recipes"
)

var awk = Language{name: "awk", Syntax: &lex.Awk, read: awkProgram}

// awkProgram lists what an awk program does outside: system(), pipes, and
// files that print and getline name.
func awkProgram(h Host, l *Language, text string) {
	k := awkReader{Host: h, text: text, tokens: lex.Tokenize(l.Syntax, text), vars: map[string]string{}, lines: map[string]string{"0": "-"}}
	_, k.fills = loops(k.tokens)
	if lex.CutOff(k.tokens, text) {
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
	text   string
	tokens []lex.Token
	i      int
	vars   map[string]string // what variables were given last, with holes
	lines  map[string]string // the variables that hold a line, and of which file: "" is none, - the input
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
	case t.Kind == lex.Line || t.Is(";") || t.Is("{") || t.Is("}"):
		k.prints, k.depth, k.last = false, 0, k.i+1
	case t.Named("print") || t.Named("printf"):
		k.prints, k.depth, k.last = true, 0, k.i+1
		text := ""
		for w, at := k.operand(k.last); w.Known; w, at = k.operand(at + 1) {
			if text += w.Text + " "; !k.tokens[at].Is(",") {
				break
			}
		}
		if text != "" {
			k.Printed(text[:len(text)-1] + "\n")
		}
	case t.Is("("):
		k.depth++
		k.last = k.i + 1
	case t.Is(")"):
		k.depth--
	case t.Is(",") || t.Is("&&") || t.Is("||"):
		k.last = k.i + 1
	case t.Kind == lex.Name && next.Is("=") && k.i+2 < len(k.tokens):
		w, _ := k.operand(k.i + 2)
		if !w.Known && !strings.Contains(w.Text, Hole) {
			w.Text = Hole
		}
		k.vars[t.Text], k.lines[t.Text] = w.Text, k.isLine(k.i+2)
		k.i++
		k.last = k.i + 1
	case t.Named("system") && next.Is("("):
		k.runLines(k.isLine(k.i + 2))
		w, end := k.operand(k.i + 2)
		k.shell(w, k.tokens[end].Is(")"), nil)
	case t.Is("@") && next.Kind == lex.Name: // a function by its name, an extension
		opaque(k, "awk", "@"+next.Text)
	case t.Is("|"):
		k.pipe()
	case (t.Is(">") || t.Is(">>")) && k.prints && k.depth == 0:
		w, _ := k.operand(k.i + 1)
		add(k, model.File{Op: model.Write, Append: t.Is(">>"), Endless: k.fills, Code: true}, shown(w))
	case t.Named("getline"):
		at, name := k.i+1, "0"
		if k.tokens[at].Kind == lex.Name {
			name = k.tokens[at].Text
			at++
		}
		if k.lines[name] = "-"; at+1 < len(k.tokens) && k.tokens[at].Is("<") {
			w, _ := k.operand(at + 1)
			add(k, model.File{Op: model.Read, Code: true}, shown(w))
			if k.lines[name] = ""; w.Known {
				k.lines[name] = w.Text
			}
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
	if k.tokens[at].Is("&") {
		at++
	}
	if at < len(k.tokens) && k.tokens[at].Named("getline") {
		k.runLines(k.isLine(k.last))
		w, end := k.operand(k.last)
		k.shell(w, end == k.i, nil)
		k.remote = k.remote || recipes.Fetches(w.Text)
		file, _ := strings.CutPrefix(w.Text, "cat ")
		if !w.Known || file == w.Text || strings.ContainsAny(file, " |;&<>$`") {
			file = ""
		}
		name := &k.tokens[min(at+1, len(k.tokens)-1)]
		if name.Kind == lex.Name {
			k.lines[name.Text] = file
		} else {
			k.lines["0"] = file
		}
		k.i = at // which reads no input
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
	} else if shell := has(" sh bash zsh dash ksh ", path.Base(w.Text)); shell && k.remote { // print line | "sh"
		served(k)
	} else if shell && k.last == k.i {
		k.runLines(k.lines["0"])
	} else if shell {
		k.runLines(k.isLine(k.last))
	}
	k.shell(w, true, in)
}

// isLine is the file whose lines $0, or a variable that holds one, has at a token where it
// stands alone.
func (k *awkReader) isLine(at int) string {
	if at+2 >= len(k.tokens) {
		return ""
	}
	end, name := at+1, k.tokens[at].Text
	if k.tokens[at].Is("$") && k.tokens[end].Text == "0" {
		end, name = end+1, "0"
	}
	if t := &k.tokens[end]; t.Kind == lex.Line || t.Is(")") || t.Is("|") || t.Is(";") || t.Is("}") {
		return k.lines[name]
	}
	return ""
}

// runLines runs the lines of a file or of the input, which are commands.
func (k *awkReader) runLines(file string) {
	if file != "-" {
		if file != "" {
			k.RunFile("shell", word(file))
		}
		return
	}
	args, _ := k.Args()
	files, behind := []model.Word{}, false
	for i, arg := range args {
		if behind && arg.Known && !strings.Contains(arg.Text, "=") {
			files = append(files, arg)
		}
		behind = behind || arg.Text == k.text || i > 0 && args[i-1].Text == "-f"
	}
	if len(files) == 0 {
		files = append(files, word("/dev/stdin"))
	}
	for _, file := range files {
		k.RunFile("shell", file)
	}
}

// connect lists the connections that are named in the program. What is read
// from one and then run is code from the network.
func (k *awkReader) connect() {
	for i := range k.tokens {
		if host, port, ok := guess.Inet(k.tokens[i].Text); ok && k.tokens[i].Kind == lex.Text {
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

// formatted is what sprintf makes of the texts and numbers that follow, and where they end.
func (k *awkReader) formatted(i int) (string, int) {
	if i >= len(k.tokens) {
		return Hole, len(k.tokens) - 1
	}
	format, at := k.operand(i)
	text, known := format.Text, format.Known
	if !known && !strings.Contains(text, Hole) { // no text at all
		text = Hole
	}
	for k.tokens[at].Is(",") {
		var next model.Word
		next, at = k.operand(at + 1)
		verb := strings.IndexByte(text, '%')
		if !known || verb < 0 || verb+1 >= len(text) || !next.Known {
			known = false
			continue
		}
		if n, err := strconv.Atoi(next.Text); text[verb+1] == 'c' && err == nil {
			next.Text = string(rune(n))
		} else if !strings.ContainsRune("csdi", rune(text[verb+1])) {
			known = false
			continue
		}
		text = text[:verb] + strings.ReplaceAll(next.Text, "%", Hole) + text[verb+2:]
	}
	if !known || strings.Contains(text, "%") || !k.tokens[at].Is(")") {
		begin, _, _ := strings.Cut(text, "%")
		return begin + Hole, at
	}
	return text, at
}

// operand reads adjacent strings and variables, and returns where they end.
func (k *awkReader) operand(i int) (model.Word, int) {
	var text strings.Builder
	known := true
	start, depth := i, 0
	for ; i < len(k.tokens)-1; i++ {
		t := &k.tokens[i]
		switch {
		case t.Is("("):
			depth++
			continue
		case t.Is(")") && depth > 0:
			depth--
			continue
		case t.Kind == lex.Text && t.Parts == nil || t.Kind == lex.Number:
			text.WriteString(t.Text)
			continue
		case t.Named("ENVIRON") && i+3 < len(k.tokens) && k.tokens[i+2].Text == "HOME" && k.Home() != "":
			text.WriteString(k.Home())
			i += 3 // ["HOME"]
			continue
		case t.Named("sprintf") && k.tokens[i+1].Is("("):
			said, end := k.formatted(i + 2)
			text.WriteString(said)
			known = known && !strings.Contains(said, Hole)
			i = min(end, len(k.tokens)-2)
			continue
		case t.Kind == lex.Name:
			value, ok := k.vars[t.Text]
			if !ok {
				value = Hole
			}
			text.WriteString(value)
			known = known && !strings.Contains(value, Hole)
			if text.Len() > maxString {
				break
			}
			continue
		case t.Is("$") || t.Is("[") || t.Is("]") || t.Is("+") || t.Is("-") || t.Is("."):
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
