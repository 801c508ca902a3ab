package effect

import "github.com/trammel-dev/trammel"

// Derive works out what an action does in the given world. It takes any input,
// never runs anything, and always returns soon.
func Derive(a *trammel.Action, w *World) *Set {
	d := &deriver{set: &Set{}, world: w}
	return d.set
}

// deriver works out one action.
//
// The work is divided in two. The interpreter (script*.go) follows the shell:
// it expands words as far as they are known, keeps track of variables,
// functions, aliases and the working directory, looks through wrappers, and
// lists a Run for each program. For each of these it calls d.program. The
// programs (program*.go) know what a program does with its arguments: they
// list Files, Nets and Codes, and hand scripts that they find back to
// d.script. inline*.go reads the inline code of other languages.
type deriver struct {
	set   *Set
	world *World
}
