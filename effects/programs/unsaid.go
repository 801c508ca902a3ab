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
	p := c.place(w)
	made := slices.ContainsFunc(c.host.Holds(p), func(s Stream) bool { return s.Known })
	switch ground := (paths.Ground{}); {
	case optnames.Program(option) && strings.IndexByte(w.Text, '/') >= 0 && !paths.IsManaged(p.Abs):
		c.host.Start([]Word{w}, Start{})
	case made && c.row.act == nil && c.row.runs == "" && (len(option) == 2 || optnames.RunsFile(option)) && !optnames.Data(w.Text):
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

// letters guesses what follows options with a letter that no row lists, of a program
// whose row says nothing about its operands.
func (c *call) letters() {
	row, args := c.row.inner(c.args)
	if row.ops != "" || row.special != "" || row.data || row.has("look") {
		return
	}
	p := options.Parser{Spec: row.opt}
	for i := range args {
		if t := args[i].Text; len(t) == 2 && t[0] == '-' && !p.Lists(t[1:]) {
			c.unsaidOf(i + len(c.args) - len(args))
		}
	}
}
