package programs

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs/options"
	"github.com/trammel-dev/trammel/effects/programs/optnames"
)

// unsaid guesses what a program does with the value of an option about which no row
// says anything. It starts a file if the option is one for programs, runs what this line
// has written, and writes a file from which something starts later: none of them is
// likely to be named for anything else.
func (c *call) unsaid(option string, w Word) {
	if !w.Known || w.Text == "" || w.Text[0] == '-' || strings.ContainsAny(w.Text, " \t\n") || strings.Contains(w.Text, "://") {
		return
	}
	for setting := range strings.SplitSeq(w.Text, ",") { // tap,id=n0,script=./up
		if name, file, ok := strings.Cut(setting, "="); ok && optnames.Program(name) && strings.IndexByte(file, '/') >= 0 {
			c.host.Start([]Word{word(strings.Trim(file, `"'`))}, Start{}) // build.rustc-wrapper="/x"
		}
	}
	p := c.place(w)
	made := slices.ContainsFunc(c.host.Holds(p), func(s Stream) bool { return s.Known })
	switch ground := (paths.Ground{}); {
	case optnames.Program(option) && strings.IndexByte(w.Text, '/') >= 0 && !paths.IsManaged(p.Abs):
		c.host.Start([]Word{w}, Start{})
	case made && c.row.Name != "" && c.row.act == nil && c.row.runs == "" && !c.row.data && !optnames.Data(w.Text) &&
		(len(option) == 2 || optnames.RunsFile(option)):
		c.host.RunFile("unknown", w)
	case !optnames.Reads(option) && (ground.Lasts(p) || ground.Starts(p.Abs) || strings.HasPrefix(p.Abs, "/etc/sudoers")):
		c.host.Wrote(c.add(File{Op: Write}, w), Own)
	}
}

// unsaidOf is what unsaid guesses of the option at a place among the arguments.
func (c *call) unsaidOf(i int) {
	option, value, joined := strings.Cut(c.args[i].Text, "=")
	switch {
	case !strings.HasPrefix(option, "-") || option == "--" || !c.args[i].Known:
	case joined:
		c.unsaid(option, Word{Text: value, Known: true})
	case i+1 < len(c.args):
		c.unsaid(option, c.args[i+1])
	}
}

// burns guesses that a program writes to a disk among its arguments: behind a file, or if it
// is told to.
func (c *call) burns(args []Word) {
	told := slices.ContainsFunc(args, func(w Word) bool { return optnames.Burns(w.Text) })
	for i, w := range args {
		if _, value, ok := strings.Cut(w.Text, "="); ok {
			w.Text = value
		}
		written := told || i == len(args)-1 && i > 0 && optnames.Image(args[i-1].Text)
		if written && w.Known && strings.HasPrefix(w.Text, "/dev/") && paths.Device(c.place(w)) {
			c.host.Wrote(c.add(File{Op: Write, Device: true}, w), Own)
		}
	}
}

// unsaidLast guesses that a program makes its last argument, from which something starts
// later, of the file before it: dump x.db ~/.ssh/authorized_keys.
func (c *call) unsaidLast(args []Word) {
	n := len(args)
	if n < 2 || !args[n-1].Known || strings.HasPrefix(args[n-1].Text, "-") || strings.HasPrefix(args[n-2].Text, "-") ||
		!strings.ContainsAny(args[n-2].Text, "./") {
		return
	}
	if ground := (paths.Ground{}); ground.Lasts(c.place(args[n-1])) {
		c.unsaid("", args[n-1])
	}
}

// letters guesses what follows options with a letter that no row lists, of a program
// whose row says nothing about its operands.
func (c *call) letters() {
	row, args := c.row.inner(c.args)
	if at := slices.IndexFunc(args, func(w Word) bool { return w.Text == "--" }) + 1; at > 0 && at+1 < len(args) && row.special == "" &&
		strings.Trim(row.ops, "P*") == "" && !row.data && c.startsAt(args[at].Text, args[at+1:]) { // opam exec -- rm x
		c.host.Start(args[at:], Start{})
	}
	if row.ops != "" || row.special != "" || row.data || row.has("look") {
		return
	}
	c.unsaidLast(args)
	p := options.Parser{Spec: row.opt}
	for i := range args {
		if t := args[i].Text; len(t) == 2 && t[0] == '-' && !p.Lists(t[1:]) {
			c.unsaidOf(i + len(c.args) - len(args))
		}
	}
}
