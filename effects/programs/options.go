package programs

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs/options"
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
	return p.Read(args)
}

// commonParameters are those that every command of PowerShell takes.
const commonParameters = " ea,erroraction= wa,warningaction= infa,informationaction= ev,errorvariable= ov,outvariable= ob,outbuffer=" +
	" pv,pipelinevariable= progressaction= verbose debug confirm whatif:-"

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
		if token, spec = options.CutToken(spec); !options.GoesBy(token, name) {
			continue
		}
		if e := options.Decode(token); len(name) == 1 && e.Name != "" {
			return "--" + e.Name
		} else if len(name) > 1 && e.Letter != 0 {
			return "-" + string(rune(e.Letter))
		}
	}
	return ""
}
