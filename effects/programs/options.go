package programs

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs/optnames"
)

// Given is one option that is given.
type Given struct {
	Letter byte   // its short name, 0 if it has none or is not known
	Name   string // its long name, "" if it has none
	Value  Word
	Has    bool // it has a value
	Off    bool // --no-name
	Apart  bool // its value is an argument of its own
	End    int  // the last argument that belongs to it

	role, action string
	unlisted     bool // the row does not say whether it takes a value
}

// Args are the arguments of a program, sorted into options and operands.
type Args struct {
	Given    []Given
	Operands []Word // must not be changed
	// Separator is how many operands stand before "--", -1 if there is none.
	Separator int
	// Refused is true where the program would only complain: an abbreviation
	// could be several options.
	Refused bool
}

// MaxArgs are the arguments of a run that are looked at. Who reads a call leaves a
// doubt where there are more.
const MaxArgs = 10_000

// Parse sorts arguments the way the program does.
func (r *Row) Parse(args []Word) Args {
	p := parser{spec: r.opt, style: r.style}
	if p.style.fold && p.style.dash {
		p.spec += commonParameters
	}
	return p.read(args)
}

// commonParameters are those that every command of PowerShell takes.
const commonParameters = " ea,erroraction= wa,warningaction= infa,informationaction= ev,errorvariable= ov,outvariable= ob,outbuffer=" +
	" pv,pipelinevariable= progressaction= verbose debug confirm whatif:-"

// style is how a program takes its options, and whether it has sub-commands.
type style struct{ posix, dash, old, kv, win, mode, attr, fold, negates, sub bool }

func styleOf(words string) style {
	words = " " + words + " "
	is := func(word string) bool { return strings.Contains(words, word) }
	return style{posix: is(" posix "), dash: is(" dash "), old: is(" old "), kv: is(" kv "), win: is(" win "), mode: is(" mode "),
		attr: is(" attr "), fold: is(" fold "), negates: is(" negates "), sub: is(" sub ")}
}

// parser is the one reader of options.
type parser struct {
	spec  string
	style style
}

func (p *parser) read(args []Word) Args {
	args = args[:min(len(args), MaxArgs)]
	out := Args{Separator: -1}
	for i := 0; i < len(args); i++ {
		w := args[i]
		t := w.Text
		switch {
		case out.Separator >= 0 || !w.Known && !strings.HasPrefix(t, "-") || p.style.posix && len(out.Operands) > 0:
			out.operand(args, i)
		case t == "--" && !p.style.dash:
			out.Separator = len(out.Operands)
		case p.style.win && p.slash(t):
			i = p.long(strings.ToLower(t[1:]), args, i, &out)
		case w.Known && (p.style.mode && isMode(t, "rwxXstugoa,=+") || p.style.attr && isMode(t, "aAcCdDeFijmPsStTuxX")):
			out.operand(args, i)
		case len(t) > 2 && t[:2] == "--", p.style.dash && len(t) > 1 && t[0] == '-':
			i = p.long(strings.TrimLeft(t, "-"), args, i, &out)
		case len(t) > 1 && t[0] == '-':
			i = p.letters(t[1:], args, i, &out)
		case p.style.old && i == 0 && t != "" && w.Known && !strings.Contains(t, "/"):
			i = p.letters(t, args, i, &out)
		case p.style.kv && p.pair(w, i, &out):
		default:
			out.operand(args, i)
		}
	}
	return out
}

// isMode keeps chmod -x f and chattr -i f from being read as options.
func isMode(t, letters string) bool {
	return len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.Trim(t[1:], letters) == ""
}

// slash reports whether a word is an option of cmd.exe: /s, /create.
func (p *parser) slash(t string) bool {
	if len(t) < 2 || t[0] != '/' {
		return false
	}
	name, _, _ := strings.Cut(strings.ToLower(t[1:]), ":")
	_, known := p.named(name)
	return known || len(t) == 2
}

// pair reads name=value.
func (p *parser) pair(w Word, i int, out *Args) bool {
	name, value, ok := strings.Cut(w.Text, "=")
	if !ok {
		return false
	}
	e, ok := p.named(name)
	if ok {
		out.add(e, Word{Text: value, Known: w.Known, Glob: w.Glob}, true, i, i)
	}
	return ok
}

// operand notes one. As long as they stand together they are the arguments
// themselves, with no room behind them, so that who appends gets a copy.
func (out *Args) operand(args []Word, i int) {
	n := len(out.Operands)
	if n > 0 && (i < n || &args[i-n] != &out.Operands[0]) {
		out.Operands = append(out.Operands, args[i])
		return
	}
	out.Operands = args[i-n : i+1 : i+1]
}

// add notes an option that begins with one argument and ends with another one.
func (out *Args) add(e entry, value Word, has bool, from, to int) {
	if out.Given == nil {
		out.Given = make([]Given, 0, 3)
	}
	out.Given = append(out.Given, Given{Letter: e.letter, Name: e.name, Value: value, Has: has, Apart: to > from, End: to, role: e.role,
		action: e.action, unlisted: e.unlisted})
}

// long reads an option by its name, which may be shortened.
func (p *parser) long(text string, args []Word, i int, out *Args) int {
	w := args[i]
	name, value, has := strings.Cut(text, "=")
	if (p.style.win || p.style.fold) && !has {
		name, value, has = strings.Cut(text, ":")
	}
	if p.style.fold {
		name = strings.ToLower(name)
	}
	e, off, ok := p.find(name)
	if !ok {
		out.Refused = out.Refused || !p.style.negates
		return i
	}
	if p.style.fold && e.values == 0 && strings.EqualFold(value, "$false") { // -Recurse:$false
		return i
	}
	from := i
	v := Word{Text: value, Known: w.Known, Glob: w.Glob}
	for n := e.values; n > 0 && !has && !off && i+1 < len(args); n-- {
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
func (p *parser) letters(cluster string, args []Word, i int, out *Args) int {
	w := args[i]
	for n := 0; n < len(cluster); n++ {
		e := p.letter(cluster[n])
		switch {
		case e.values == 0 && !e.optional:
			out.add(e, Word{}, false, i, i)
		case n+1 < len(cluster) && w.Text[0] == '-':
			out.add(e, Word{Text: cluster[n+1:], Known: w.Known, Glob: w.Glob}, true, i, i)
			return i
		case !e.optional && i+1 < len(args):
			from := i
			i += min(e.values, len(args)-1-i)
			out.add(e, args[i], true, from, i)
		default:
			out.add(e, Word{}, false, i, i)
		}
	}
	return i
}

// Alias is the other name of an option of a run: --force for -f, and the other way.
// It is "" if there is none.
func Alias(r *model.Run, option string) string {
	row, _ := Lookup(r.Program)
	sub, _ := row.inner(r.Args)
	if g, ok := ReadGit(r); ok {
		sub, _ = lookup("git " + g.Sub)
	}
	name := strings.TrimLeft(option, "-")
	for spec := sub.opt + " " + row.opt; spec != "" && name != ""; {
		var token string
		if token, spec = cutToken(spec); !goesBy(token, name) {
			continue
		}
		if e := decode(token); len(name) == 1 && e.name != "" {
			return "--" + e.name
		} else if len(name) > 1 && e.letter != 0 {
			return "-" + string(rune(e.letter))
		}
	}
	return ""
}

// entry is one option of a row.
type entry struct {
	letter       byte
	name         string
	values       int
	optional     bool // its value must be attached
	role, action string
	unlisted     bool
}

// cutToken takes the first option off a list.
func cutToken(spec string) (token, rest string) {
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

// cutName takes the first name off an option; more is false behind the last.
func cutName(token string) (name, rest string, more bool) {
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

// goesBy reports whether an option goes by a name.
func goesBy(token, name string) bool {
	for more := true; more; {
		var one string
		if one, token, more = cutName(token); one == name {
			return true
		}
	}
	return false
}

// decode reads one option of a row: x,name= or name? or x, followed by the role
// of its value and, behind a colon, by what it changes.
func decode(token string) (e entry) {
	for more := true; more; {
		var one string
		one, token, more = cutName(token)
		if len(one) > 1 {
			e.name = one
		} else if e.letter == 0 && one != "" {
			e.letter = one[0]
		}
	}
	if i := strings.IndexByte(token, ':'); i >= 0 {
		token, e.action = token[:i], token[i+1:]
	}
	if token == "" {
		return e
	}
	if e.role = token[1:]; token[0] == '?' {
		e.optional = true
		return e
	}
	e.values = 1
	if strings.HasPrefix(e.role, "2") {
		e.values, e.role = 2, e.role[1:]
	}
	return e
}

// letter finds a one-letter option.
func (p *parser) letter(ch byte) entry {
	e, _ := p.spelled(string(rune(ch)))
	e.letter = ch
	return e
}

// named finds a long option by its full name, or by a letter.
func (p *parser) named(name string) (entry, bool) {
	e, known := p.spelled(name)
	e.name, e.unlisted = name, !known
	return e, known
}

func (p *parser) spelled(name string) (entry, bool) {
	for rest := p.spec; rest != ""; {
		var token string
		if token, rest = cutToken(rest); goesBy(token, name) {
			return decode(token), true
		}
	}
	return entry{}, false
}

// find finds a long option by its name or an abbreviation of it; --no-name
// turns it off where a program has that for all. It fails if it could be several.
func (p *parser) find(name string) (found entry, off, ok bool) {
	if e, ok := p.named(name); ok || p.style.dash && !p.style.fold || name == "" {
		return e, false, true
	}
	matches := 0
	for rest := p.spec; rest != ""; {
		var token string
		token, rest = cutToken(rest)
		e := decode(token)
		if e.name == "" {
			continue
		}
		opposite := "no-" + e.name
		if plain, is := strings.CutPrefix(e.name, "no-"); is {
			opposite = plain
		}
		switch {
		case p.style.negates && opposite == name:
			return e, true, true
		case strings.HasPrefix(e.name, name):
			if matches == 0 || !p.style.fold { // a cmdlet has more than are listed: the first is the likely one
				found, off = e, false
			}
			matches++
		case p.style.negates && len(name) > 3 && strings.HasPrefix(opposite, name):
			found, off = e, true
			matches++
		}
	}
	switch matches {
	case 0:
		return entry{name: name, unlisted: true}, false, true
	case 1:
		return found, off, true
	}
	return found, off, p.style.fold
}

// output is an option whose value is written, by its name, and the value. One that
// the row does not list may take the argument that follows.
func (g *Given) output(args []Word) (option string, w Word) {
	if g.role != "" || g.action != "" || g.Name == "" && g.Letter != 'o' || g.Name != "" && !optnames.Outputs("-"+g.Name) {
		return "", w
	}
	option = "-" + g.Name
	switch {
	case g.Has:
		return option, g.Value
	case g.unlisted && g.End+1 < len(args) && !strings.HasPrefix(args[g.End+1].Text, "-"):
		return option, args[g.End+1]
	}
	return "", w
}

// is reports whether an option goes by a name: a letter or a long name.
func (g *Given) is(name string) bool {
	return g.Name == name || len(name) == 1 && g.Letter == name[0]
}

// last finds the last of an option that counts.
func (a *Args) last(names []string) *Given {
	for i := len(a.Given) - 1; i >= 0; i-- {
		for _, name := range names {
			if a.Given[i].is(name) {
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
		if g := a.last([]string{name}); g != nil && !g.Off {
			return true
		}
	}
	return false
}

// Off reports whether an option was switched off by name.
func (a *Args) Off(name string) bool {
	g := a.last([]string{name})
	return g != nil && g.Off
}

// Value returns the last value of these options, and whether one of them is on.
func (a *Args) Value(names ...string) (Word, bool) {
	if g := a.last(names); g != nil {
		return g.Value, !g.Off
	}
	return Word{}, false
}

// Values calls f for each value that is given for one of these options.
func (a *Args) Values(f func(Word), names ...string) {
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
func (a *Args) All(name string) []Word {
	var out []Word
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
	return slices.ContainsFunc(a.Operands, func(w Word) bool { return slices.Contains(words, w.Text) })
}

// Help reports whether the program only explains itself, or complains.
func (a *Args) Help() bool { return a.Refused || a.explains("help", "version") }

// explains reports whether one of these options is given, as a flag.
func (a *Args) explains(names ...string) bool {
	g := a.last(names)
	return g != nil && !g.Apart && g.Value.Text != "false" && g.Value.Text != "none" && !g.Off
}
