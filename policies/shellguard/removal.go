package shellguard

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs"
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
	worst, named, forced, trial, wish, count := words.Nothing, false, false, false, false, 0
	for _, says := range words.Program(textsOf(r.Args, !known)) {
		j.add(code(says), j.line(i))
	}
	if !known && !strings.Contains(r.Path, "/") {
		worst, named = words.Cmdlet(r.Program)
	}
	for n, w := range r.Args[:min(len(r.Args), 24)] {
		option := strings.HasPrefix(w.Text, "-")
		switch name, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(w.Text, "-")), "="); {
		case !option:
			count++
		case name == "help", name == "dry-run", name == "dryrun", name == "whatif", name == "version",
			name == "h" && n == len(r.Args)-1:
			return
		case name == "y", name == "all", slices.ContainsFunc(words.Of(name), words.Sure):
			forced = true
		}
		if !w.Known || len(w.Text) > 60 || strings.ContainsAny(w.Text, " /\n=") || count > 4 {
			continue
		}
		does, of := words.Nothing, false
		for _, word := range words.Of(w.Text) {
			does, of = max(does, words.Verb(word)), of || words.Thing(word)
			trial = trial || word == "test" || word == "scenario" || word == "preview" || word == "sandbox"
		}
		switch {
		case option && !known && does >= words.Removes && !of && len(words.Of(w.Text)) == 1: // --delete --all
			wish = true
		case option && (known || does < words.Removes || !of): // --delete-after says how, --delete-cluster what
		case does == words.Works && worst == words.Nothing && !option: // what follows are names
			return
		default:
			worst, named = max(worst, does), named || of
		}
		forced = forced || !option && words.Sure(strings.ToLower(w.Text))
	}
	switch {
	case worst >= words.Removes && (named || forced), wish && forced, worst == words.Takes && named && forced:
		j.add("tool_destroys", j.line(i))
	case known || worst < words.Takes || worst == words.Takes && !named:
	case trial, strings.Contains(r.Path, "/") && paths.Within(path.Join(r.Dir.Abs, r.Path),
		j.ground.Project): // it is made again; it is read
		j.add("unknown_verb", j.line(i))
	default:
		j.add("unknown_removal", j.line(i))
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
