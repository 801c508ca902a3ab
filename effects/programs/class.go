package programs

import (
	"cmp"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs/fit"
	"github.com/trammel-dev/trammel/effects/programs/optnames"
	"github.com/trammel-dev/trammel/effects/programs/parts"
)

// Class is what kind of thing a run does beyond the effects that are listed.
type Class string

// The classes.
const (
	Look    Class = "look"    // it changes nothing but what its effects say
	Change  Class = "change"  // it changes or removes something that can be made again
	Reset   Class = "reset"   // it drops something and makes it again
	Destroy Class = "destroy" // it removes something for good
	Publish Class = "publish" // it gives something to the world
	Secret  Class = "secret"  // it prints a secret; a run may be that and something else
)

// ClassOf says in which area (cluster, cloud, database, …) a run acts, and of
// which class it is; "" if nothing is known about it.
func ClassOf(r *model.Run) (area string, class Class) {
	row, ok := Lookup(r.Program)
	if !ok {
		return publishes(r, row)
	}
	args := r.Args
	if strings.Contains(row.Variables(), "*") { // TF_CLI_ARGS_apply
		args = Told(r).Args
	}
	for shifted := false; row.classed; {
		a := row.Parse(args)
		if class := row.class(&a); class != "" && !(shifted && class == Look) {
			if explains(args, &a) && class != Look {
				return row.area(), ""
			}
			return row.area(), class
		}
		if at := fit.Starter(&a); row.has("bins") && at < len(a.Operands) {
			if inner, ok := Lookup(a.Operands[at].Text); ok && inner.area() != row.area() {
				i := parts.Index(args, a.Operands[at].Text)
				row, args = inner, args[i+1:]
				continue
			}
		}
		if args, shifted = a.Shifted(args); !shifted {
			break
		}
	}
	return publishes(r, row)
}

// publishes is ClassOf for a run of which no row says the class: its words may.
func publishes(r *model.Run, row *Row) (string, Class) {
	area := row.area()
	if all, _ := lookup("(any)"); !row.has(string(Publish)) && (area == "registry" ||
		area == "" && (row.Name == "" || row.style.Sub && !row.has("tasks") && !row.has("runs"))) {
		if a := row.Parse(r.Args); fit.Starter(&a) == 0 && all.fits(string(Publish), &a) && !explains(r.Args, &a) {
			return "registry", Publish
		}
	}
	return area, ""
}

// Area is where a program acts: cluster, cloud, container, infrastructure,
// database, registry, storage, git; "" if it does not matter.
func (r *Row) area() string { return r.field("is") }

// class finds the first class with a pattern that fits.
func (r *Row) class(a *Args) Class {
	for i := range r.fields {
		switch f := &r.fields[i]; Class(f.name) {
		case Look, Change, Reset, Destroy, Publish:
			if f.text == "" || f.patterns.Any(f.text, a) {
				return Class(f.name)
			}
		}
	}
	if r.field("verbs") == "group" {
		return Class(fit.Verb(a))
	}
	return ""
}

// explains reports whether the program only explains itself, or only shows what
// it would do.
func explains(args []Word, a *Args) bool {
	return a.Explains("help", "dry-run", "dryrun", "version", "whatif", "WhatIf") || a.Word(0) == "help" ||
		len(args) > 0 && (args[len(args)-1].Text == "-h" || args[0].Text == "-h" && len(args) == 1)
}

// Parse sorts the arguments of a run, by its row if the program is known.
func Parse(r *model.Run) Args {
	row := lookupOptions(r.Program)
	return row.Parse(r.Args)
}

// Fetches returns the default host of a package manager, and whether this run
// contacts it.
func Fetches(r *model.Run) (host string, ok bool) {
	row, _ := Lookup(r.Program)
	return row.field("net"), row.says("fetch", r.Args)
}

// Installs reports whether a program installs packages on this machine, as far as
// anything is known about it.
func Installs(r *model.Run) bool {
	row, known := Lookup(r.Program)
	return !known || row.area() == "registry" || row.area() != "git" && row.area() != "container" && row.area() != "cluster" &&
		(row.has("adopts") || row.has("fetch") || row.has("trusts"))
}

// Home returns the host of the service that a program is for, * if settings determine it.
func Home(program string) string {
	row, _ := Lookup(program)
	return row.field("service")
}

// Reveals reports whether a run prints stored secrets: its row says so, or its
// arguments do, in the words that most services use.
func Reveals(r *model.Run) bool {
	row, known := Lookup(r.Program)
	if row.has(string(Secret)) && row.says(string(Secret), r.Args) {
		a := row.Parse(r.Args)
		return len(r.Args) != 1 || !explains(r.Args, &a)
	}
	if known && !row.has("service") && row.area() != "cloud" && row.area() != "registry" {
		return false
	}
	a := row.Parse(r.Args)
	if strings.Contains(r.Program, "-credential-") { // docker-credential-pass, git-credential-osxkeychain
		return a.Word(0) == "get"
	}
	all, _ := lookup("(any)")
	return !a.Help() && (all.fits(string(Secret), &a) || !known && optnames.KeepsSecrets(r.Program) && fit.Any(
		"** get|show|read|view|export|dump|reveal|decrypt|cat|print|copy|clip|find|open|unlock|unwrap, --plaintext|--raw", &a))
}

// Adopts is how a run takes code from an address among its arguments: it adopts the
// code, trusts a registry from then on, or gets something that may be code; "" if not.
func Adopts(r *model.Run) string {
	row, known := Lookup(r.Program)
	all, _ := lookup("(any)")
	a := row.Parse(r.Args)
	for _, how := range [...]string{"trusts", "adopts", "gets"} {
		if row.fits(how, &a) || (!known || row.area() == "registry") && all.fits(how, &a) {
			return how
		}
	}
	const code = "** *.sh|*.ps1|*.py|*.rb|*.pl|*.lua|*.wasm|*.dll|*.hta|*.sct|*.vbs|*.bat|*.inf"
	if !known && !optnames.Fetches(r.Program, r.Args) && fit.Any(code, &a) {
		return "adopts"
	}
	return ""
}

// Dumps reports whether a run prints settings or what somebody has copied: ordinary to
// look at, but secrets may be among it.
func Dumps(r *model.Run) bool { return does(r, "dumps") && !fit.Names(r.Args) }

// Exports reports whether a run prints or writes what a database, a log or a repository holds.
func Exports(r *model.Run) bool {
	_, known := Lookup(r.Program)
	return does(r, "exports") || !known && (strings.HasSuffix(r.Program, "dump") || strings.HasSuffix(r.Program, "export"))
}

// TokenHosts are the hosts that the token which a run prints is for; none if that is not known.
func TokenHosts(r *model.Run) []string {
	row, _ := Lookup(r.Program)
	patterns, hosts, _ := strings.Cut(row.field("tokens"), ">")
	if a := row.Parse(r.Args); patterns != "" && fit.Any(patterns, &a) {
		return strings.Fields(hosts)
	}
	return nil
}

// Injects reports whether what a run starts has secrets in its environment.
func Injects(r *model.Run) bool {
	row, _ := Lookup(r.Program)
	if row.has("injects") || !row.style.Sub {
		return row.has("injects")
	}
	a := row.Parse(r.Args)
	for n := 0; n < 3 && n < len(a.Operands) && !row.has("injects"); n++ {
		row, _ = row.Sub(a.Operands[n].Text)
	}
	return row.has("injects")
}

// Persists reports whether a run makes something run later by itself, Weakens
// whether it takes a protection of the machine away.
func Persists(r *model.Run) bool { return does(r, "persists") }
func Weakens(r *model.Run) bool  { return does(r, "weakens") }

func does(r *model.Run, field string) bool {
	row, known := Lookup(r.Program)
	if !known {
		row, _ = lookup("(any)")
	}
	return row.says(field, r.Args)
}

// says reports whether arguments fit the patterns of a field.
func (r *Row) says(field string, args []Word) bool {
	if f := r.find(field); f == nil || f.text == "" {
		return f != nil
	}
	a := r.Parse(args)
	if r.fits(field, &a) {
		return true
	}
	rest, shifted := a.Shifted(args)
	return shifted && r.says(field, rest)
}

// fits is says for arguments that are sorted already.
func (r *Row) fits(field string, a *Args) bool {
	f := r.find(field)
	return f != nil && (f.text == "" || f.patterns.Any(f.text, a))
}

// Instead is what to try before a run that destroys or changes something, "" if
// nothing is known.
func Instead(r *model.Run) string {
	row, _ := Lookup(r.Program)
	if safe := row.field("safe"); safe != "" {
		return r.Program + " " + strings.Join(strings.Fields(safe), " ")
	}
	return ""
}

// Statements are the arguments and the input of a run that may be statements of SQL. A
// program without a row takes them behind an option that says so, if its name does, or in
// capital letters.
func Statements(r *model.Run) (out []string) {
	row, known := Lookup(r.Program)
	takes := row.has("sql") || !known && strings.Contains(r.Program, "sql")
	for i, w := range r.Args {
		if option, value := optnames.Split(r.Args, i); takes {
			out = append(out, w.Text)
		} else if !known && (optnames.Statement(option) || option == "" && optnames.Shouts(w.Text)) {
			out = append(out, cmp.Or(value, w.Text))
		}
	}
	if takes && r.Input != nil {
		out = append(out, *r.Input)
	}
	return out
}

// Language is the language of the code that a program is given, "" if it is given none.
func Language(r *model.Run) string {
	row, _ := Lookup(r.Program)
	inner, _ := row.inner(r.Args)
	return cmp.Or(inner.field("lang"), row.field("lang"))
}
