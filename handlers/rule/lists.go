package rule

import (
	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/match"
)

// effectLists is what the call does, as lists.
type effectLists struct {
	Runs    []command `expr:"runs"`
	Files   []touched `expr:"files"`
	Nets    []net     `expr:"nets"`
	Unknown []string  `expr:"unknown"`
}

type command struct {
	Program string `expr:"program"`
	Args    args   `expr:"args"`
}

type touched struct {
	Op      string `expr:"op"`
	Path    string `expr:"path"`
	Tree    bool   `expr:"tree"`
	Program string `expr:"program"`
}

type net struct {
	Host    string `expr:"host"`
	Port    string `expr:"port"`
	URL     string `expr:"url"`
	Sends   bool   `expr:"sends"`
	Program string `expr:"program"`
}

// fill provides the lists of effects and the questions about them. With loose,
// what may be counts.
func (env *environment) fill(ev *trammel.Event, loose bool) {
	set := new(effects.Set)
	if ev.Tool != nil {
		set = effects.Of(ev)
	}
	program := func(run int) string {
		if run < 0 || run >= len(set.Runs) {
			return ""
		}
		return set.Runs[run].Program
	}
	out := effectLists{Runs: make([]command, len(set.Runs))}
	for i := range set.Runs {
		out.Runs[i] = command{set.Runs[i].Program, argsOf(match.Words{Run: &set.Runs[i], Loose: loose})}
	}
	for i := range set.Files {
		f := &set.Files[i]
		name := f.Path.Abs
		if name == "" {
			name = f.Path.Text
		}
		out.Files = append(out.Files, touched{f.Op.String(), name, f.Tree, program(f.Run)})
	}
	for i := range set.Nets {
		n := &set.Nets[i]
		out.Nets = append(out.Nets, net{n.Host, n.Port, n.URL, n.Sends, program(n.Run)})
	}
	for what := range match.Unread(set) {
		out.Unknown = append(out.Unknown, what)
	}
	env.Commands, env.Effects = out.Runs, out
	env.Runs, env.Reads, env.Writes, env.Deletes, env.TalksTo, env.Sends = questions(ev, loose)
	env.SureRuns, env.SureReads, env.SureWrites, env.SureDeletes, env.SureTalksTo, env.SureSends = questions(ev, false)
}

// questions are what expressions can ask about effects.
func questions(ev *trammel.Event, loose bool) (run, reads, writes, deletes, talksTo, sends func(...string) bool) {
	does := func(kinds ...trammel.ActionKind) func(...string) bool {
		return func(globs ...string) bool {
			spec := match.Spec{Actions: kinds, Paths: globs, Doubt: loose}
			return spec.Holds(ev)
		}
	}
	return func(words ...string) bool { return len(words) > 0 && runs(ev, words, loose) },
		does(trammel.ReadAction), does(trammel.WriteAction, trammel.EditAction), does(trammel.DeleteAction),
		func(hosts ...string) bool {
			spec := match.Spec{To: hosts, Actions: []trammel.ActionKind{trammel.FetchAction}, Doubt: loose}
			return spec.Holds(ev)
		},
		func(globs ...string) bool { return match.Sends(ev, globs, loose) }
}

func runs(ev *trammel.Event, words []string, loose bool) bool {
	spec := match.Spec{Programs: words[:1], Doubt: loose}
next:
	for h := range spec.Hits(ev) {
		w := match.WordsOf(ev, h, loose)
		for _, word := range words[1:] {
			if !w.Has(word) {
				continue next
			}
		}
		return true
	}
	return false
}
