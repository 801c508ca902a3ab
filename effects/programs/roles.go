package programs

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs/options"
	"github.com/trammel-dev/trammel/effects/programs/optnames"
	"github.com/trammel-dev/trammel/effects/programs/parts"
)

// roles are the roles of a row, as changed by the given options.
type roles struct {
	pattern string // of the operands
	adds    string // what happens to files as well
	tree    bool
	appends bool
	nothing bool // nothing is done at all
}

// rolesOf reads the row's patterns, and what the options change about them.
func rolesOf(row *Row, a *Args) roles {
	r := roles{pattern: row.ops}
	for i := range a.Given {
		switch action := a.Given[i].Action; {
		case action == "", action == ".":
		case action == "-":
			r.nothing = true
		case action == "t":
			r.tree = true
		case action == "a":
			r.appends = true
		case action[0] == '+':
			r.adds += action[1:]
		default:
			r.pattern = action
		}
	}
	return r
}

// generic lists what a program does that is nothing but a row.
func (c *call) generic() {
	a, ok := c.options()
	if !ok {
		return
	}
	r := rolesOf(c.row, &a)
	if r.nothing {
		return
	}
	c.values(&r, &a, true)
	operands := c.skipped(a.Operands)
	if len(operands) > 0 && c.row.maySkip(operands) { // it may be a program as well
		c.host.Doubt("program", operands[0].Text)
	}
	if r.pattern == "" && c.row.talksBy() {
		c.addresses(operands)
	}
	if len(operands) == 0 && c.readsCode(&r, &a) {
		c.host.RunInput(c.language())
	}
	files, input := 0, false
	parts.Each(r.pattern, operands, func(p parts.Part, w Word) {
		input = input || p.Role == 'P'
		if (p.Role == 'P' || p.Role == 'C') && c.row.talksBy() { // npx https://…
			c.addresses([]Word{w})
		}
		if p.Role != 'P' {
			files++
		}
		if p.Role != 'C' {
			c.do(&r, p, w)
		} else if len(operands) == 1 && c.row.style.Win && strings.Contains(w.Text, " ") { // winrs -r:host "net stop x"
			c.host.RunText("commandline", w)
		}
	})
	if files == 0 && (c.row.has("here") || r.tree && input && c.host.Run().From < 0) {
		here := roles{tree: r.tree, pattern: strings.TrimLeft(r.pattern, "P")}
		place := word(".")
		if c.row.field("here") == "~" {
			place = c.host.Tilde("~")
		}
		parts.Each(here.pattern, []Word{place}, func(p parts.Part, w Word) { c.do(&here, p, w) })
	}
	for _, role := range r.adds {
		parts.Each(r.pattern, operands, func(p parts.Part, w Word) {
			if p.Role != 'P' {
				c.do(&r, parts.Part{Role: byte(role), Tree: p.Tree}, w)
			}
		})
	}
	c.values(&r, &a, false)
	if r.pattern == "C" && c.row.ops != "C" { // cmake -E rm
		c.host.Start(operands, Start{})
	}
	if c.row.has("net") {
		sent := slices.ContainsFunc(a.Given, func(g Given) bool { return g.Role == "T" || g.Role == "B" && strings.Contains(g.Value.Text, "@") })
		parts.Each(r.pattern, operands, func(p parts.Part, _ Word) { sent = sent || p.Role == 'T' })
		c.talks(operands, sent)
	}
}

// readsCode reports whether a program that got no operands runs what it reads from standard
// input: bsub < job.sh, gap <<< code.
func (c *call) readsCode(r *roles, a *Args) bool {
	if c.language() == "shell" {
		return c.row.ops == "C" || strings.HasPrefix(r.pattern, "X")
	}
	coded := slices.ContainsFunc(a.Given, func(g Given) bool { return g.Role == "X" || g.Role == "Z" })
	in := c.host.Input()
	return strings.HasPrefix(r.pattern, "X") && c.language() != "" && (in.Known && in.Text != "" || in.Network) && !coded
}

// skipped drops a first word that only names what the program does anyway.
func (c *call) skipped(operands []Word) []Word {
	if len(operands) > 0 && c.row.skips(operands[0].Text) {
		return operands[1:]
	}
	return operands
}

// skips reports whether a first word has no meaning.
func (r *Row) skips(word string) bool {
	for rest := r.field("skip"); rest != ""; {
		var one string
		if one, rest = options.CutToken(rest); one == word || one == "version" && optnames.Version(word) {
			return true
		}
	}
	return false
}

// maySkip reports whether a first word that is not known is most likely one without a
// meaning, as a program follows it: setarch $(uname -m) rm, nvm exec $V npm.
func (r *Row) maySkip(words []Word) bool {
	return r.has("skip") && !words[0].Known && len(words) > 1 && words[1].Known && isProgram(words[1].Text)
}

// listed lists what options do for programs that are more than a row.
func (c *call) listed(a *Args) {
	r := roles{}
	c.values(&r, a, true)
	c.values(&r, a, false)
}

// values lists what the options do with their values: what they read, or the
// rest. What a wrapper runs is the interpreter's.
func (c *call) values(r *roles, a *Args, reads bool) {
	runs := c.row.runs == "option" || c.row.runs == "su" || strings.HasSuffix(r.pattern, "C")
	for i := range a.Given {
		g := &a.Given[i]
		if option := "-" + g.Name; g.Role == "" && reads && !optnames.Message(option) && !optnames.Content(option) &&
			(c.row.act == nil || strings.Contains(g.Value.Text, "=")) {
			if w, ok := g.Following(c.args); ok {
				c.addresses([]Word{w}) // apt-get -o Acquire::http::Proxy=http://…
				c.hostOption(option, w)
			}
		}
		if w, ok := g.Following(c.args); ok && reads && (g.Role == "" || g.Role == "R") && !c.row.data && optnames.RunsFile(g.Name) &&
			slices.ContainsFunc(c.held(w), func(s Stream) bool { return s.Network }) {
			c.load(w, nil) // --config <(curl …)
		} else if ok && reads && g.Role == "" && !c.row.data && w.Known && parts.IsURL(w) && optnames.Scripts(g.Name) {
			c.host.RunFile("unknown", w)
		}
		if option, w := g.Output(c.args); option != "" && !reads && !c.row.data && c.row.act == nil {
			c.output(option, w)
		} else if w, ok := g.Following(c.args); ok && !reads && strings.Trim(g.Role+g.Action, "Q") == "" && (!c.row.data || option != "") {
			c.unsaid(g.Spelled(), w)
		}
		if g.Role == "" || !g.Has || reads != strings.Contains("RKL", g.Role[:1]) || runs && (g.Role == "S" || g.Role == "C") {
			continue
		}
		p, _ := parts.Cut(g.Role)
		p.Tree = p.Tree || p.Deep && r.tree
		c.do(&roles{}, p, g.Value)
	}
}

// hostOption lists the host that an option names by its own name: --host db.example.com.
func (c *call) hostOption(option string, w Word) {
	host, _ := paths.HostOf(w.Text)
	sends := c.row.Name == "" && optnames.Sends(option) && strings.IndexByte(w.Text, '@') > 0 // --dst user@host:x
	if (sends || optnames.Hosts(option)) && w.Known && strings.Contains(host, ".") && strings.Trim(host, hostLetters) == "" &&
		strings.Trim(host, "0123456789.") != "" {
		c.reach(w, sends)
	}
}

// do lists what happens to one word.
func (c *call) do(r *roles, p parts.Part, w Word) {
	if !c.withPrefix(r, p, w) {
		c.plain(r, p, w)
	}
}

// plain lists what happens to a word, whatever it begins with.
func (c *call) plain(r *roles, p parts.Part, w Word) {
	if strings.IndexByte("RKLWAEDIT", p.Role) >= 0 {
		w = c.asFile(w)
	}
	tree := p.Tree || r.tree
	if p.Glob && tree && w.Text == "**/*" {
		w.Text = "." // what git keeps is left out
	}
	w.Glob = w.Glob || p.Glob && w.Known && strings.ContainsAny(w.Text, "*?[{")
	switch p.Role {
	case 'R', 'K', 'L':
		if file, ok := strings.CutPrefix(w.Text, "@"); ok && strings.Contains(file, "/") { // gcc @file: more arguments
			w.Text = file
		}
		w.Text = strings.TrimPrefix(w.Text, "fileb://")
		if at := strings.LastIndexByte(w.Text, '='); at > 0 && strings.IndexByte(w.Text[:at], '/') < 0 && !c.host.IsThere(c.place(w)) {
			w.Text = w.Text[at+1:] // --from-file=name=file
		}
		switch {
		case w.Text == "-":
		case strings.HasPrefix(w.Text, "|") && p.Role == 'R': // sox '|cmd'
			c.host.Command(Word{Text: w.Text[1:], Known: w.Known})
		case w.Known && strings.Contains(w.Text, "://") && !strings.HasPrefix(w.Text, "file:"):
			c.addresses([]Word{w}) // kubectl apply -f https://…
		default:
			c.add(File{Op: Read, Tree: tree, Login: p.Role == 'K'}, w)
		}
		if p.Role == 'L' {
			c.read(c.host.Listed(w)...)
		}
	case 'F':
		c.add(File{Op: Search, Tree: tree}, w)
	case 'W', 'A':
		switch {
		case p.Disk != 0:
			c.raw(Write, w)
		case parts.IsURL(w): // ffmpeg -i in.mp4 https://…
			c.url(w, true)
		case strings.HasPrefix(w.Text, "|"):
			c.host.Command(Word{Text: w.Text[1:], Known: w.Known})
		case w.Text == "-":
		case p.Role == 'A':
			c.add(File{Op: Write, Append: true}, w)
		default:
			c.host.Wrote(c.add(File{Op: Write, Tree: tree && c.host.IsDir(c.place(w))}, w), Own)
		}
	case 'I':
		if w.Text != "-" {
			c.host.Wrote(c.add(File{Op: Write, Append: r.appends}, w), map[bool]Content{false: Stdin, true: Added}[r.appends])
		}
	case 'G':
		if parts.IsURL(w) { // the other way: Start-BitsTransfer -Source x -Destination https://…
			c.url(w, true)
			return
		}
		c.fetched(File{Op: Write}, w)
	case 'E':
		c.add(File{Op: Read, Tree: tree}, w)
		c.add(File{Op: Write, Tree: tree}, w)
	case 'D':
		switch p.Disk {
		case 'd':
			c.raw(Delete, w)
		case 'v':
			c.volume(Delete, w)
		default:
			c.add(File{Op: Delete, Tree: tree}, w)
		}
	case 'M':
		c.add(File{Op: Mode, Tree: tree}, w)
	case 'U':
		c.url(w, false)
	case 'T':
		if _, file, ok := strings.Cut(w.Text, "="); ok {
			w.Text = file // --from-file=name=file
		}
		c.do(r, parts.Part{Role: 'R', Tree: p.Tree || c.host.IsDir(c.place(w))}, w)
	case 'B':
		if _, file, ok := strings.Cut(w.Text, "@"); ok {
			c.do(r, parts.Part{Role: 'R'}, Word{Text: file, Known: w.Known})
		}
	case 'H':
		for name := range strings.SplitSeq(w.Text, ",") { // ssh -J a,b
			n := model.Net{Sends: c.name == "openssl" && c.host.Fed()}
			if w.Known {
				n.Host, n.Port = paths.HostOf(name)
			}
			if c.row.runs == "ssh" {
				c.machine(n)
			} else {
				c.host.AddNet(n)
			}
		}
	case 'O':
		c.image(w)
	case 'S':
		setting, command, ok := strings.Cut(w.Text, "=")
		if ok && c.name == "svn" && (strings.HasPrefix(setting, "config:") || strings.HasPrefix(setting, "servers:")) { // --config-option
			if w.Text = command; !strings.HasPrefix(setting, "config:tunnels:") && !strings.HasSuffix(setting, "-cmd") {
				return
			}
		}
		if ok && strings.HasPrefix(c.name, "apt") {
			if w.Text = command; !optnames.AptRuns(setting) {
				c.addresses([]Word{w})
				return
			}
		}
		w.Text = strings.TrimPrefix(strings.TrimSuffix(strings.TrimPrefix(w.Text, "!"), `\n`), "shell ") // gh alias set x '!ls'
		c.host.Command(w)
	case 'C':
		c.host.Start([]Word{w}, Start{})
	case 'X':
		w.Text = strings.TrimPrefix(w.Text, "lua_script:") // tshark -X
		if w.Text == "-" || w.Text == "/dev/stdin" {
			c.host.RunInput(c.language())
		} else {
			c.host.RunFile(c.language(), w)
		}
	case 'Q':
		for _, name := range [...]string{"as", "ld", "cc1", "cc1plus", "collect2"} { // gcc -B folder
			if tool := (Word{Text: w.Text + "/" + name, Known: w.Known}); c.host.IsThere(c.place(tool)) || len(c.held(tool)) > 0 {
				c.host.Start([]Word{tool}, Start{})
			}
		}
	case 'Y':
		c.do(r, parts.Part{Role: 'R'}, w)
		if c.load(w, nil); strings.Contains(w.Text, "://") && w.Known {
			c.host.RunFile("unknown", w)
		} else if c.host.IsDir(c.place(w)) { // act -W folder
			c.loadFrom(w.Text, "*.*")
		}
	case 'Z':
		c.host.RunText(c.language(), w)
	}
}

// language is that of the code that the program runs.
func (c *call) language() string { return c.row.field("lang") }
