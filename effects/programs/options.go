package programs

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs/gitline"
	"github.com/trammel-dev/trammel/effects/programs/options"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// Args and Given are what the one parser makes of arguments.
type (
	Args  = options.Args
	Given = options.Given
)

// Parse sorts arguments the way the program does.
func (r *Row) Parse(args []Word) Args {
	p := options.Parser{Spec: r.opt, Style: r.style}
	if p.Style.Fold && p.Style.Dash {
		p.Spec += commonParameters
	}
	a := p.Read(args)
	r.chosen(&a)
	return a
}

// chosen drops a first word that says which version of the program is meant: cargo
// +nightly build.
func (r *Row) chosen(a *Args) {
	if len(a.Operands) > 1 && strings.HasPrefix(a.Operands[0].Text, "+") && r.skips("+") {
		a.Operands = a.Operands[1:]
		a.Separator = max(a.Separator-1, min(a.Separator, 0))
	}
}

// commonParameters are those that every command of PowerShell takes.
const commonParameters = " ea,erroraction= wa,warningaction= infa,informationaction= ev,errorvariable= ov,outvariable= ob,outbuffer=" +
	" pv,pipelinevariable= progressaction= verbose debug confirm whatif:-"

// Aliases are the other names of an option of a run: --force for -f, -R and --recursive
// for -r.
func Aliases(r *model.Run, option string) (out []string) {
	row, _ := Lookup(r.Program)
	name := strings.TrimLeft(option, "-")
	if name == "" || !row.style.Sub && !strings.Contains(row.opt, name) {
		return nil // most questions are about options that the program does not have
	}
	sub, _ := row.inner(r.Args)
	if g, ok := ReadGit(r); ok {
		sub, _ = lookup("git " + g.Sub)
	}
	for _, spec := range [...]string{sub.opt, row.opt} {
		if out, ok := options.Others(spec, name); ok {
			return out
		}
	}
	return nil
}

// Variables lists the variables that act as options of the program, each with its
// option: AWS_PROFILE=--profile. One with a * holds further arguments.
func (r *Row) Variables() string { return r.field("env") }

// Told returns a run with options from variables added to its arguments. An option
// that is given overrides the variable.
func Told(r *model.Run) *model.Run {
	if len(r.Env) == 0 {
		return r
	}
	row, _ := Lookup(r.Program)
	given := row.Parse(r.Args)
	var told []Word
	for rest := row.Variables(); rest != ""; {
		var one string
		one, rest = options.CutToken(rest)
		name, option, _ := strings.Cut(one, "=")
		at := slices.IndexFunc(r.Env, func(a model.Assign) bool { return a.Name == name })
		if at < 0 || given.Has(strings.TrimLeft(option, "-")) {
			continue
		}
		value := r.Env[at].Value
		if option != "*" {
			told = append(told, Word{Text: option + "=" + value.Text, Known: value.Known})
			continue
		}
		words := strings.Fields(value.Text)
		if strings.IndexByte(value.Text, '\\') >= 0 { // exec=sh\ x.sh is one word
			words = recipes.SplitAlias(value.Text)
		}
		for _, text := range words {
			told = append(told, Word{Text: text, Known: value.Known})
		}
	}
	if told == nil {
		return r
	}
	out := *r
	out.Args = append(told, r.Args...)
	return &out
}

// Git is one call of git. Setting is one of its settings.
type (
	Git     struct{ gitline.Call }
	Setting = gitline.Setting
)

// ReadGit reads a run of git; ok is false for other programs.
func ReadGit(run *model.Run) (c Git, ok bool) {
	c.Call, ok = gitline.Read(run)
	return c, ok
}

// Options are the arguments of the sub-command, sorted.
func (c *Git) Options() Args {
	row, _ := lookup("git " + c.Sub)
	return row.Parse(c.Args)
}
