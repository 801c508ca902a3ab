package programs

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs/options"
)

// Places are the arguments of a run as its program reads them: those before a
// sub-command by the program's row, the others by the sub-command's row.
type Places struct {
	head, tail options.Place
	begin      int // where the tail begins
	code       []Word
}

// PlacesOf reads the arguments of a run. Of a program that is not known, nothing is
// known of its arguments.
func PlacesOf(r *model.Run) (p Places) {
	row, ok := Lookup(r.Program)
	if !ok {
		return p
	}
	sub, rest := row.inner(r.Args)
	if git, ok := ReadGit(r); ok {
		last := len(r.Args) - 1
		if sub, ok = lookup("git " + git.Sub); !ok || len(git.Args) == 0 || len(git.Args) > last || &git.Args[len(git.Args)-1] != &r.Args[last] {
			return p // an alias
		}
		rest = git.Args
	}
	p.begin = len(r.Args) - len(rest)
	if p.tail = sub.place(rest); sub.Executes() {
		p.code = p.tail.Read.Operands
	}
	if p.begin > 0 {
		head := r.Args[:p.begin]
		p.head = row.place(head)
	}
	return p
}

// at is the place of an argument, and which one it is there.
func (p *Places) at(i int) (*options.Place, int) {
	if i < p.begin {
		return &p.head, i
	}
	return &p.tail, i - p.begin
}

// place is the arguments that follow the name of a program or sub-command.
func (r *Row) place(args []Word) options.Place {
	reader := options.Parser{Spec: r.opt, Style: r.style}
	place := options.Place{Parser: reader, Starts: len(args), Args: args, Read: r.Parse(args)}
	switch operands := len(place.Read.Operands); {
	case r.runs == "ssh" && operands > 1: // options may follow the host
		behind := args[len(args)-operands+1:]
		place.Starts -= len(r.Parse(behind).Operands)
	case strings.Contains(r.ops, "C") || r.special == "interpret":
		place.Starts -= operands
	}
	return place
}

// Options are the options that are given, those before a sub-command first.
func (p *Places) Options() []Given { return slices.Concat(p.head.Read.Given, p.tail.Read.Given) }

// Code are the operands that are files or folders of code that is run: mix test a_test.exs.
func (p *Places) Code() []Word { return p.code }

// Misplaced reports whether an argument cannot be the option that it looks like.
func (p *Places) Misplaced(i int, option string) bool {
	at, i := p.at(i)
	return at.Args != nil && at.Misplaced(i, option)
}

// Clustered is the value of a letter in a cluster of letters: prod of -qAth prod.
func (p *Places) Clustered(i int, letter byte) (w Word, ok bool) {
	at, i := p.at(i)
	return at.Clustered(i, letter)
}
