package programs

import (
	"sort"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs/options"
)

// Places are the arguments of a run as its program reads them: what stands before a
// sub-command by the row of the program, what follows by that of the sub-command.
type Places struct {
	head, tail place
	begin      int // where the tail begins
}

type place struct {
	row  *Row
	args []Word
	read Args
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
	p.tail = place{sub, rest, sub.Parse(rest)}
	if p.begin > 0 {
		head := r.Args[:p.begin]
		p.head = place{row, head, row.Parse(head)}
	}
	return p
}

// at is the place of an argument, and which one it is there.
func (p *Places) at(i int) (*place, int) {
	if i < p.begin {
		return &p.head, i
	}
	return &p.tail, i - p.begin
}

// Misplaced reports whether an argument cannot be the option that it looks like: it is
// the value of the option before it (git commit -m -n), stands behind a letter that
// takes the rest (-mn), belongs to the command that the program starts, or
// switches the option off (--privileged=false). Of options that are not known,
// nothing is.
func (p *Places) Misplaced(i int, option string) bool {
	at, i := p.at(i)
	if at.row == nil {
		return false
	}
	reader := options.Parser{Spec: at.row.opt, Style: at.row.style}
	own, listed := reader.Named(strings.TrimLeft(option, "-"))
	text := at.args[i].Text
	if _, value, ok := strings.Cut(text, "="); ok && listed && own.Values == 0 && !own.Optional {
		if on, err := strconv.ParseBool(value); err == nil && !on {
			return true
		}
	}
	if listed && at.row.style.Posix && strings.Contains(at.row.ops, "C") && i >= len(at.args)-len(at.read.Operands) {
		return true
	}
	letters := len(option) == 2 && len(text) > 2 && text[0] == '-' && text[1] != '-' && !at.row.style.Dash
	for g := range at.given(i) {
		switch {
		case g.Apart && g.End == i && !g.Unlisted:
			return true
		case g.Letter == option[1]:
			letters = false
		}
	}
	return letters
}

// Clustered is the value of a letter in a cluster of letters: prod of -qAth prod.
func (p *Places) Clustered(i int, letter byte) (w Word, ok bool) {
	at, i := p.at(i)
	for g := range at.given(i) {
		if g.Letter == letter && g.Has && !g.Unlisted && (!g.Apart || g.End > i) {
			return g.Value, true
		}
	}
	return w, false
}

// given lists the options to which an argument belongs: those that are in it, and
// the one whose value it is.
func (p *place) given(i int) func(func(*Given) bool) {
	return func(yield func(*Given) bool) {
		all := p.read.Given
		for j := sort.Search(len(all), func(j int) bool { return all[j].End >= i }); j < len(all); j++ {
			if g := &all[j]; g.End > i && (!g.Apart || g.End > i+1) || !yield(g) {
				return
			}
		}
	}
}
