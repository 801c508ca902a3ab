package shellguard

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/programs/optnames"
	"github.com/trammel-dev/trammel/policies/shellguard/words"
)

// removal judges a program that is told to remove something, by its first words:
// acmectl cluster destroy. For a known program this counts only if it acts on
// another system, and its row does not cover the words.
func (j *judge) removal(i int, area string) {
	r := &j.set.Runs[i]
	_, known := programs.Lookup(r.Program)
	if known && !slices.Contains([]string{"cloud", "cluster", "storage", "infrastructure"}, area) {
		return
	}
	for _, says := range words.Program(r.Program, textsOf(r.Args, !known)) {
		j.add(code(says), j.line(i))
	}
	program := r.Program
	if strings.Contains(r.Path, "/") {
		program = "" // somebody's own
	}
	if !known {
		j.mutations(i)
		for n, w := range r.Args {
			option, value := optnames.Split(r.Args, n)
			if strings.HasPrefix(w.Text, "{") {
				value = w.Text
			} else if !optnames.Executes(option) && !optnames.Statement(option) {
				continue
			}
			for _, says := range words.Statements(value) {
				j.add(code(says), j.line(i))
			}
		}
	}
	found := code(words.Removal(program, known, r.Args))
	if found == "unknown_removal" && program == "" && paths.Within(path.Join(r.Dir.Abs, r.Path), j.ground.Project) {
		found = "unknown_verb" // it is made again; it is read
	}
	if found != "" {
		j.add(found, j.line(i))
	}
}

// textsOf are the first arguments of a run that is to be judged by them.
func textsOf(args []effects.Word, judged bool) (out []string) {
	for _, w := range args[:min(len(args), 24)] {
		if judged && w.Known {
			out = append(out, w.Text)
		}
	}
	return out
}

// mutations judges the arguments of a client that are GraphQL.
func (j *judge) mutations(i int) {
	for _, a := range j.set.Runs[i].Args {
		if gone, what := words.Mutation(a.Text); gone && what {
			j.add("cloud_destroy", j.line(i))
		} else if gone {
			j.add("cloud_change", j.line(i))
		}
	}
}
