// Package options reads the options of programs: one parser for all of them.
package options

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs/optnames"
)

// Given is an option in the arguments.
type Given struct {
	Letter byte   // its short name, 0 if it has none or is not known
	Name   string // its long name, "" if it has none
	Value  model.Word
	Has    bool // it has a value
	Off    bool // --no-name
	Apart  bool // its value is an argument of its own
	End    int  // the last argument that belongs to it

	Role, Action string
	Unlisted     bool // the row does not say whether it takes a value
}

// Args are the arguments of a program, sorted into options and operands.
type Args struct {
	Given    []Given
	Operands []model.Word // must not be changed
	// Separator is the number of operands before "--", -1 if there is none.
	Separator int
	// Refused is true where the program would only complain: an abbreviation
	// could be several options.
	Refused bool
}

// MaxArgs limits the arguments of a run that are read. If there are more, the
// caller leaves a doubt.
const MaxArgs = 10_000

// Style is how a program takes its options, and whether it has sub-commands.
type Style struct{ Posix, Dash, Old, KV, Win, Mode, Attr, Fold, Negates, Sub, Short bool }

// StyleOf reads the first field of a row.
func StyleOf(words string) Style {
	words = " " + words + " "
	is := func(word string) bool { return strings.Contains(words, word) }
	return Style{Posix: is(" posix "), Dash: is(" dash "), Old: is(" old "), KV: is(" kv "), Win: is(" win "), Mode: is(" mode "),
		Attr: is(" attr "), Fold: is(" fold "), Negates: is(" negates "), Sub: is(" sub "),
		Short: is(" short ")}
}

// Place is a path as the program reads it: commands of Windows and PowerShell take a
// backslash for a slash on every system.
func (s Style) Place(w model.Word) model.Word {
	if (s.Fold || s.Win) && strings.IndexByte(w.Text, '\\') >= 0 && !strings.HasPrefix(w.Text, `\\`) { // that is another machine
		w.Text = strings.ReplaceAll(w.Text, `\`, "/")
	}
	return w
}

// Parser is the one reader of options.
type Parser struct {
	Spec  string
	Style Style
}

// Read sorts arguments the way the program does.
func (p *Parser) Read(args []model.Word) Args {
	args = args[:min(len(args), MaxArgs)]
	out := Args{Separator: -1}
	for i := 0; i < len(args); i++ {
		w := args[i]
		t := w.Text
		switch {
		case out.Separator >= 0 || !w.Known && !strings.HasPrefix(t, "-") || p.Style.Posix && len(out.Operands) > 0 || out.ended():
			out.operand(args, i)
		case t == "--" && !p.Style.Dash:
			out.Separator = len(out.Operands)
		case p.Style.Win && p.slash(t):
			i = p.long(strings.ToLower(strings.TrimLeft(t, "/")), args, i, &out)
		case w.Known && (p.Style.Mode && isMode(t, "rwxXstugoa,=+") || p.Style.Attr && isMode(t, "aAcCdDeFijmPsStTuxX")):
			out.operand(args, i)
		case len(t) > 2 && t[:2] == "--", p.Style.Dash && len(t) > 1 && t[0] == '-':
			i = p.long(strings.TrimLeft(t, "-"), args, i, &out)
		case len(t) > 1 && t[0] == '-':
			i = p.letters(t[1:], args, i, &out)
		case p.Style.Old && i == 0 && t != "" && w.Known && !strings.Contains(t, "/"):
			i = p.letters(t, args, i, &out)
		case p.Style.KV && p.pair(w, i, &out):
		default:
			out.operand(args, i)
		}
	}
	return out
}

// ended reports whether the last option was one that ends them: what follows -m
// MODULE is for the module.
func (out *Args) ended() bool {
	n := len(out.Given)
	return n > 0 && out.Given[n-1].Action == "."
}

// isMode prevents chmod -x f and chattr -i f from being read as options.
func isMode(t, letters string) bool {
	return len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.Trim(t[1:], letters) == ""
}

// slash reports whether a word is an option of cmd.exe: /s, /create.
func (p *Parser) slash(t string) bool {
	if len(t) < 2 || t[0] != '/' {
		return false
	}
	name, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(t, "/")), ":") // cscript //nologo
	_, known := p.Named(name)
	return known || len(t) == 2
}

// pair reads name=value.
func (p *Parser) pair(w model.Word, i int, out *Args) bool {
	name, value, ok := strings.Cut(w.Text, "=")
	if !ok {
		return false
	}
	e, ok := p.Named(name)
	if ok {
		out.add(e, model.Word{Text: value, Known: w.Known, Glob: w.Glob}, true, i, i)
	}
	return ok
}

// operand adds an operand. As long as operands are adjacent they share the memory of
// the arguments, without spare capacity, so that appending makes a copy.
func (out *Args) operand(args []model.Word, i int) {
	n := len(out.Operands)
	if n > 0 && (i < n || &args[i-n] != &out.Operands[0]) {
		out.Operands = append(out.Operands, args[i])
		return
	}
	out.Operands = args[i-n : i+1 : i+1]
}

// add notes an option that begins with one argument and ends with another one.
func (out *Args) add(e Entry, value model.Word, has bool, from, to int) {
	if out.Given == nil {
		out.Given = make([]Given, 0, 3)
	}
	out.Given = append(out.Given, Given{Letter: e.Letter, Name: e.Name, Value: value, Has: has, Apart: to > from, End: to, Role: e.Role,
		Action: e.Action, Unlisted: e.Unlisted})
}

// long reads an option by its name, which may be shortened.
func (p *Parser) long(text string, args []model.Word, i int, out *Args) int {
	w := args[i]
	name, value, has := strings.Cut(text, "=")
	if (p.Style.Win || p.Style.Fold) && strings.Contains(name, ":") {
		name, value, has = strings.Cut(text, ":")
	}
	if p.Style.Fold {
		name = strings.ToLower(name)
	}
	e, off, ok := p.find(name)
	if e.Unlisted && p.Style.Dash && len(text) > 1 && strings.IndexByte("/~.", text[1]) >= 0 && p.Letter(text[0]).Values == 1 {
		return p.letters(text, args, i, out) // gcc -o/tmp/a
	}
	if !ok {
		out.Refused = out.Refused || !p.Style.Negates
		return i
	}
	if p.Style.Fold && e.Values == 0 && strings.EqualFold(value, "$false") { // -Recurse:$false
		return i
	}
	from := i
	v := model.Word{Text: value, Known: w.Known, Glob: w.Glob}
	for n := e.Values; n > 0 && !has && !off && i+1 < len(args); n-- {
		i++
		if v = args[i]; n == 1 {
			has = true
		}
	}
	out.add(e, v, has, from, i)
	out.Given[len(out.Given)-1].Off = off
	return i
}

// letters reads a cluster of one-letter options and returns the index of the
// last word that belongs to it.
func (p *Parser) letters(cluster string, args []model.Word, i int, out *Args) int {
	w := args[i]
	for n := 0; n < len(cluster); n++ {
		e := p.Letter(cluster[n])
		switch {
		case e.Values == 0 && !e.Optional:
			out.add(e, model.Word{}, false, i, i)
		case n+1 < len(cluster) && w.Text[0] == '-':
			out.add(e, model.Word{Text: cluster[n+1:], Known: w.Known, Glob: w.Glob}, true, i, i)
			return i
		case !e.Optional && i+1 < len(args):
			from := i
			i += min(e.Values, len(args)-1-i)
			out.add(e, args[i], true, from, i)
		default:
			out.add(e, model.Word{}, false, i, i)
		}
	}
	return i
}

// Entry is one option of a row.
type Entry struct {
	Letter       byte
	Name         string
	Values       int
	Optional     bool // its value must be attached
	Role, Action string
	Unlisted     bool
}

// CutToken takes the first option off a list.
func CutToken(spec string) (token, rest string) {
	from := 0
	for from < len(spec) && spec[from] <= ' ' {
		from++
	}
	to := from
	for to < len(spec) && spec[to] > ' ' {
		to++
	}
	return spec[from:to], spec[to:]
}

// CutName takes the first name off an option; more is false behind the last.
func CutName(token string) (name, rest string, more bool) {
	for i := range len(token) {
		switch token[i] {
		case ',':
			return token[:i], token[i+1:], true
		case '=', '?', ':':
			if i > 0 {
				return token[:i], token[i:], false
			}
		}
	}
	return token, "", false
}

// GoesBy reports whether an option has a name.
func GoesBy(token, name string) bool {
	for more := true; more; {
		var one string
		if one, token, more = CutName(token); one == name {
			return true
		}
	}
	return false
}

// Others are the other names of an option in a list, if it is there.
func Others(spec, name string) (out []string, ok bool) {
	for strings.Contains(spec, name) {
		var token string
		if token, spec = CutToken(spec); !GoesBy(token, name) {
			continue
		}
		for more := true; more; {
			var one string
			switch one, token, more = CutName(token); {
			case one == name || one == "":
			case len(one) == 1:
				out = append(out, "-"+one)
			default:
				out = append(out, "--"+one)
			}
		}
		return out, true
	}
	return nil, false
}

// Decode reads one option of a row: x,name= or name? or x, followed by the role
// of its value and, behind a colon, by what it changes.
func Decode(token string) (e Entry) {
	for more := true; more; {
		var one string
		one, token, more = CutName(token)
		if len(one) > 1 {
			e.Name = one
		} else if e.Letter == 0 && one != "" {
			e.Letter = one[0]
		}
	}
	if i := strings.IndexByte(token, ':'); i >= 0 {
		token, e.Action = token[:i], token[i+1:]
	}
	if token == "" {
		return e
	}
	if e.Role = token[1:]; token[0] == '?' {
		e.Optional = true
		return e
	}
	e.Values = 1
	if strings.HasPrefix(e.Role, "2") {
		e.Values, e.Role = 2, e.Role[1:]
	}
	return e
}

// Letter finds a one-letter option.
func (p *Parser) Letter(ch byte) Entry {
	e, _ := p.spelled(string(rune(ch)))
	e.Letter = ch
	return e
}

// Named finds a long option by its full name, or by a letter.
func (p *Parser) Named(name string) (Entry, bool) {
	e, known := p.spelled(name)
	e.Name, e.Unlisted = name, !known
	return e, known
}

// Lists reports whether the row lists an option, by its name or its letter.
func (p *Parser) Lists(name string) bool {
	_, listed := p.spelled(name)
	return listed
}

func (p *Parser) spelled(name string) (Entry, bool) {
	for from := 0; name != ""; {
		at := strings.Index(p.Spec[from:], name)
		if at < 0 {
			break
		}
		at += from
		if from = at + len(name); (at == 0 || separates(p.Spec[at-1])) && (from == len(p.Spec) || separates(p.Spec[from])) {
			begin := at
			for begin > 0 && p.Spec[begin-1] > ' ' {
				begin--
			}
			if token, _ := CutToken(p.Spec[begin:]); GoesBy(token, name) {
				return Decode(token), true
			}
		}
	}
	return Entry{}, false
}

// separates reports whether a byte stands between the names of a list of options, or behind one.
func separates(c byte) bool { return c <= ' ' || c == ',' || c == '=' || c == '?' || c == ':' }

// find finds a long option by its name or an abbreviation of it; --no-name
// turns it off where a program has that for all. It fails if it could be several.
func (p *Parser) find(name string) (found Entry, off, ok bool) {
	if e, ok := p.Named(name); ok || p.Style.Dash && !p.Style.Fold || name == "" {
		return e, false, true
	}
	matches := 0
	for rest := p.Spec; rest != ""; {
		var token string
		token, rest = CutToken(rest)
		e := Decode(token)
		if e.Name == "" {
			continue
		}
		opposite := "no-" + e.Name
		if plain, is := strings.CutPrefix(e.Name, "no-"); is {
			opposite = plain
		}
		switch {
		case p.Style.Negates && opposite == name:
			return e, true, true
		case strings.HasPrefix(e.Name, name):
			if matches == 0 || !p.Style.Fold { // a cmdlet has more than are listed: the first is the likely one
				found, off = e, false
			}
			matches++
		case p.Style.Negates && len(name) > 3 && strings.HasPrefix(opposite, name):
			found, off = e, true
			matches++
		}
	}
	switch matches {
	case 0:
		return Entry{Name: name, Unlisted: true}, false, true
	case 1:
		return found, off, true
	}
	return found, off, p.Style.Fold
}

// Output is an option whose value is written, by its name, and the value. One that
// the row does not list may take the argument that follows.
func (g *Given) Output(args []model.Word) (option string, w model.Word) {
	if g.Role != "" || g.Action != "" || g.Name == "" && g.Letter != 'o' || g.Name != "" && !optnames.Outputs("-"+g.Name) {
		return "", w
	}
	if w, ok := g.Following(args); ok {
		return "-" + g.Name, w
	}
	return "", w
}

// Spelled is the option as it is written.
func (g *Given) Spelled() string {
	if g.Name == "" {
		return "-" + string(rune(g.Letter))
	}
	return "--" + g.Name
}

// Following is the value of an option. One that the row does not list may take the
// argument that follows.
func (g *Given) Following(args []model.Word) (w model.Word, ok bool) {
	switch {
	case g.Has:
		return g.Value, true
	case g.Unlisted && g.End+1 < len(args) && !strings.HasPrefix(args[g.End+1].Text, "-"):
		return args[g.End+1], true
	}
	return w, false
}

// is reports whether an option has a name: a letter or a long name.
func (g *Given) is(name string) bool {
	return g.Name == name || len(name) == 1 && g.Letter == name[0]
}

// Last finds the last of an option that counts.
func (a *Args) Last(names []string) *Given {
	for i := len(a.Given) - 1; i >= 0; i-- {
		for _, name := range names {
			switch {
			case !a.Given[i].is(name):
			case a.takenBack(i):
				return &Given{Off: true}
			default:
				return &a.Given[i]
			}
		}
	}
	return nil
}

// Has reports whether one of these options is on, by letter or by name: the
// last of --name and --no-name counts.
func (a *Args) Has(names ...string) bool {
	for _, name := range names {
		if g := a.Last([]string{name}); g != nil && !g.Off {
			return true
		}
	}
	return false
}

// Off reports whether an option was switched off by name.
func (a *Args) Off(name string) bool {
	g := a.Last([]string{name})
	return g != nil && g.Off
}

// Value returns the last value of these options, and whether one of them is on.
func (a *Args) Value(names ...string) (model.Word, bool) {
	if g := a.Last(names); g != nil {
		return g.Value, !g.Off
	}
	return model.Word{}, false
}

// Values calls f for each value that is given for one of these options.
func (a *Args) Values(f func(model.Word), names ...string) {
	for i := range a.Given {
		for _, name := range names {
			if a.Given[i].is(name) && a.Given[i].Has {
				f(a.Given[i].Value)
				break
			}
		}
	}
}

// All are all values of an option.
func (a *Args) All(name string) []model.Word {
	var out []model.Word
	for i := range a.Given {
		if a.Given[i].is(name) && !a.Given[i].Off {
			out = append(out, a.Given[i].Value)
		}
	}
	return out
}

// Word is the text of the n-th operand, "" if there are not so many.
func (a *Args) Word(n int) string {
	if n < len(a.Operands) {
		return a.Operands[n].Text
	}
	return ""
}

// Says reports whether one of the operands is one of these words.
func (a *Args) Says(words ...string) bool {
	return slices.ContainsFunc(a.Operands, func(w model.Word) bool { return slices.Contains(words, w.Text) })
}

// Help reports whether the program only explains itself, or complains.
func (a *Args) Help() bool { return a.Refused || a.Explains("help", "version") }

// Follows reports whether an option is among the operands, because the program
// passes it on: python manage.py flush --no-input.
func (a *Args) Follows(option string) bool {
	for i := range a.Operands {
		if i == a.Separator {
			break
		}
		if a.Operands[i].Text == option {
			return true
		}
	}
	return false
}

// Code returns the value of the options that are run as shell code.
func (a *Args) Code() (model.Word, bool) {
	for i := range a.Given {
		if g := &a.Given[i]; g.Role == "S" && g.Has {
			return g.Value, true
		}
	}
	return model.Word{}, false
}

// Writes reports whether an option of a spec can make a program change or run something.
func Writes(spec string) bool {
	for rest := spec; rest != ""; {
		var token string
		token, rest = CutToken(rest)
		if e := Decode(token); token != "" && strings.ContainsAny(e.Role+e.Action, "WAEDIGMSCXZ") {
			return true
		}
	}
	return false
}
