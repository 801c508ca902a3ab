package options

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// Place is the arguments that follow the name of a program or of a sub-command, as it
// reads them.
type Place struct {
	Parser
	Starts int // the argument with which the command begins that it starts, or their number
	Args   []model.Word
	Read   Args
}

// Misplaced reports whether an argument cannot be the option that it looks like: it is
// the value of the option before it (git commit -m -n), stands behind a letter that
// takes the rest (-mn), belongs to the command or the script that the program starts, or
// switches the option off (--privileged=false). Of options that are not known,
// nothing is.
func (at *Place) Misplaced(i int, option string) bool {
	own, listed := at.Named(strings.TrimLeft(option, "-"))
	text := at.Args[i].Text
	if _, value, ok := strings.Cut(text, "="); ok && listed && own.Values == 0 && !own.Optional {
		if on, err := strconv.ParseBool(value); err == nil && !on {
			return true
		}
	}
	if listed && at.Style.Posix && i >= at.Starts {
		return true
	}
	letters := len(option) == 2 && len(text) > 2 && text[0] == '-' && text[1] != '-' && !at.Style.Dash
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
func (at *Place) Clustered(i int, letter byte) (w model.Word, ok bool) {
	for g := range at.given(i) {
		if g.Letter == letter && g.Has && !g.Unlisted && (!g.Apart || g.End > i) {
			return g.Value, true
		}
	}
	return w, false
}

// given lists the options to which an argument belongs: those that are in it, and
// the one whose value it is.
func (at *Place) given(i int) func(func(*Given) bool) {
	return func(yield func(*Given) bool) {
		all := at.Read.Given
		for j := sort.Search(len(all), func(j int) bool { return all[j].End >= i }); j < len(all); j++ {
			if g := &all[j]; g.End > i && (!g.Apart || g.End > i+1) || !yield(g) {
				return
			}
		}
	}
}

// maxShifted is how far in front the value of an option may stand that takes the place of
// a sub-command.
const maxShifted = 8

// Shifted are arguments without the first operand, if it may be the value of the option
// before it, which no row lists: tool --profile prod delete.
func (a *Args) Shifted(args []model.Word) ([]model.Word, bool) {
	if len(a.Operands) < 2 {
		return args, false
	}
	for i := range a.Given {
		if g := &a.Given[i]; !g.Has && (g.Unlisted || g.Name == "") && g.End+1 < min(len(args), maxShifted) && args[g.End+1] == a.Operands[0] {
			return slices.Delete(slices.Clone(args), g.End+1, g.End+2), true
		}
	}
	return args, false
}
