// Package programs knows what programs do with their arguments. What it knows is
// data: one row for each program in table.txt, whose head explains the format.
// One parser reads options by the row, and the roles in it say what happens to
// operands and values. Functions remain for the few programs that are languages
// of their own (find, git, tar, ssh, sed, editors), and a row names them.
//
// Whoever follows a command line implements Host and calls Row.Do for each program;
// policies ask ClassOf, Fetches and the like what a run means.
package programs

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs/options"
)

// Do lists what a run does with its arguments: files, hosts, code and what it
// starts. Name is what the program is called by. One that is not known gets a
// second look.
func (r *Row) Do(name string, host Host) {
	run := host.Run()
	c := call{host: host, row: r, name: r.Name, called: name, args: run.Args, dir: run.Dir}
	if strings.Contains(r.Variables(), "*") { // TAR_OPTIONS
		c.args = Told(run).Args
	}
	c.disguised()
	if r.Name == "" {
		if c.secondLook(); name != "" && strings.ContainsAny(run.Path, " \t") {
			c.host.Script(run.Path) // one word for a whole line
		}
		c.typed()
		return
	}
	c.attentive()
	c.commands()
	c.unlisted(r)
	c.letters()
	c.loads(r)
	if r.area() == "container" {
		r.daemon(&c)
	}
	if r.has("sets") {
		c.variables(model.Sets(r.Parse(c.args).Operands)...)
	}
	c.variables(run.Env...)
	if run.Input != nil && (r.special != "interpret" && r.special != "database" && r.runs == "" && r.has("tty") ||
		r.special == "" && r.field("lang") == "" && !r.data && r.out == "" && !r.has("look") && r.ops != "C") {
		c.typed()
	}
}

// Unknown lists what a run seems to do of which only the arguments are known.
func Unknown(host Host) { noRow.Do("", host) }

// disguised finds options among the files that a pattern matches: a file called
// --checkpoint-action=exec=x is an option for tar c *.
func (c *call) disguised() {
	if s := c.row.special; s != "tar" && s != "zip" && s != "remoteCopy" && s != "sevenZip" && !strings.Contains(c.row.opt, "=S") {
		return // none of its options runs anything
	}
	for i, w := range c.args {
		if w.Text == "--" {
			return
		}
		if !w.Glob || w.Text[0] != '*' || strings.IndexByte(w.Text, '/') >= 0 {
			continue
		}
		var names []Word
		for _, name := range c.host.Names(c.dir) {
			if ok, _ := path.Match(w.Text, name); ok && name[0] == '-' {
				names = append(names, word(name))
			}
		}
		if len(names) > 0 {
			c.args = slices.Insert(slices.Clone(c.args), i, names...)
			return
		}
	}
}

// call is one run, as the programs look at it.
type call struct {
	host   Host
	row    *Row
	name   string // the row's
	called string // as the program was called
	args   []Word
	dir    Path
}

// run does what the row says.
func (c *call) run() {
	if c.row.act != nil {
		c.row.act(c)
		return
	}
	for range maxSub {
		row, rest, ok := c.row.enter(c.args)
		if !ok {
			break
		}
		own := c.row.Parse(c.args[:len(c.args)-len(rest)-1]) // docker -H host run
		c.listed(&own)
		if dir, ok := own.Value("chdir"); ok { // terraform
			c.enter(c.place(dir))
		}
		if c.row, c.name, c.args = row, row.Name, rest; row.special != "" {
			c.run()
			return
		}
	}
	c.generic()
}

// maxSub are the words of a sub-command: docker compose run.
const maxSub = 3

// inner is the row of the innermost sub-command, with its arguments.
func (r *Row) inner(args []Word) (*Row, []Word) {
	for range maxSub {
		sub, rest, ok := r.enter(args)
		if !ok {
			break
		}
		r, args = sub, rest
	}
	return r, args
}

// enter finds the row of the sub-command that arguments name, and what follows
// it.
func (r *Row) enter(args []Word) (sub *Row, rest []Word, ok bool) {
	if !r.style.Sub {
		return &noRow, nil, false
	}
	p := options.Parser{Spec: r.opt, Style: r.style}
	p.Style.Posix = true
	a := p.Read(args)
	r.chosen(&a)
	if len(a.Operands) == 0 || !a.Operands[0].Known || rolesOf(r, &a).nothing {
		return &noRow, nil, false
	}
	sub, ok = r.Sub(a.Operands[0].Text)
	return sub, a.Operands[1:], ok
}

// special finds the function that knows a program which is more than a row.
func special(name string) func(*call) {
	if name == "" {
		return nil
	}
	for _, s := range [...]struct {
		name string
		act  func(*call)
	}{
		{"applyPatch", applyPatch}, {"awk", awk}, {"clone", clone}, {"cloudCopy", cloudCopy}, {"compress", compress},
		{"containerCopy", containerCopy}, {"cpio", cpio}, {"curl", curl}, {"database", database}, {"dd", dd},
		{"debugger", debugger}, {"diskpart", diskpart}, {"diskutil", diskutil}, {"download", download}, {"editor", editor},
		{"environmentRun", environmentRun}, {"fd", fd}, {"find", find}, {"format", format}, {"git", git}, {"httpie", httpie}, {"jj", jj},
		{"interpret", interpret}, {"launch", launch}, {"link", link},
		{"losetup", losetup}, {"makefile", makefile}, {"mavenExec", mavenExec}, {"modules", modules},
		{"mount", mount}, {"netcat", netcat}, {"packageScript", packageScript}, {"pager", pager}, {"parted", parted},
		{"patch", patch}, {"position", position}, {"pythonFile", pythonFile}, {"remoteCopy", remoteCopy},
		{"remoteShell", remoteShell}, {"rename", rename}, {"schedule", schedule}, {"sed", sed}, {"sevenZip", sevenZip},
		{"socat", socat}, {"split", split}, {"subcommand", subcommand}, {"tar", tar}, {"transfer", transfer},
		{"truncate", truncate}, {"unzip", unzip}, {"webRequest", webRequest}, {"keygen", keygen}, {"wget", wget}, {"zip", zip},
	} {
		if s.name == name {
			return s.act
		}
	}
	return nil
}

// options reads the arguments. It reports false if the program would only
// print its help or version, or complain.
func (c *call) options() (Args, bool) {
	a := c.row.Parse(c.args)
	if c.host.Run().More && !c.row.style.Dash && !slices.ContainsFunc(a.Operands, func(w Word) bool { return !w.Known }) {
		a.Operands = append(a.Operands, Word{Text: model.Rest}) // whatever else it is given
	}
	return a, !a.Help()
}

// enter makes another directory the one that the program works in.
func (c *call) enter(dir Path) {
	c.dir = dir
	c.host.Enter(dir)
}

func (c *call) place(w Word) Path { return c.host.Resolve(c.row.style.Place(w), c.dir) }

// add lists what happens to the file that a word names.
func (c *call) add(f File, w Word) Path {
	if w.Known && w.Text == "" {
		return Path{}
	}
	f.Path = c.place(w)
	c.host.AddFile(f)
	return f.Path
}

// read, write and remove list the most common things. A single - is standard
// input or output.
func (c *call) read(words ...Word) {
	for _, w := range words {
		if w.Text != "-" {
			c.add(File{Op: Read}, c.asFile(w))
		}
	}
}

func (c *call) write(words ...Word) {
	for _, w := range words {
		if w.Text != "-" {
			c.host.Wrote(c.add(File{Op: Write}, w), Own)
		}
	}
}

func (c *call) remove(tree bool, words ...Word) {
	for _, w := range words {
		c.add(File{Op: Delete, Tree: tree}, w)
	}
}

func word(text string) Word { return Word{Text: text, Known: true} }

// pattern is a word with a pattern in it.
func pattern(text string) Word { return Word{Text: text, Known: true, Glob: true} }
