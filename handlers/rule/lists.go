package rule

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/hostname"
	"github.com/trammel-dev/trammel/effects/match"
)

// lists is what the call does: runs are *ran, files *touched, nets *net.
type lists struct {
	runs, files, nets []any
	unknown           []string
}

// effects provides the lists.
func (s *scope) effects() *lists {
	if s.lists != nil {
		return s.lists
	}
	set := new(effects.Set)
	if s.ev.Tool != nil {
		set = effects.Of(s.ev)
	}
	program := func(run int) string {
		if run < 0 || run >= len(set.Runs) {
			return ""
		}
		return s.program(set.Runs[run].Program)
	}
	out := &lists{runs: make([]any, len(set.Runs))}
	for i := range set.Runs {
		out.runs[i] = &ran{program(i), match.RunWords(&set.Runs[i], s.loose)}
	}
	for i := range set.Files {
		f := &set.Files[i]
		name := f.Path.Abs
		name = cmp.Or(name, f.Path.Text)
		out.files = append(out.files, &touched{f.Op.String(), name, f.Tree, program(f.Run)})
	}
	for _, n := range effects.Hosts(set) {
		sends := match.Sending(set, &n) || s.loose && match.MaySend(set, &n)
		port := cmp.Or(n.Port, match.UsualPort(&n, program(n.Run)))
		out.nets = append(out.nets, &net{hostname.Plain(n.Host), port, n.URL, sends, program(n.Run)})
	}
	for what := range match.Unread(set) {
		out.unknown = append(out.unknown, what)
	}
	s.lists = out
	return out
}

// ran is a program that runs.
type ran struct {
	program string
	words   match.Words
}

func (r *ran) Field(name string) (any, bool) {
	switch name {
	case "program":
		return r.program, true
	case "args":
		return arguments{r.words}, true
	}
	return nil, false
}

func (r *ran) Ask(string, []string) (any, bool) { return nil, false }

// arguments are those of one program.
type arguments struct{ words match.Words }

func (a arguments) Field(name string) (any, bool) {
	switch name {
	case "list":
		return a.words.List(), true
	case "text":
		return a.words.Text(), true
	case "unknown":
		return a.words.Unknown(), true
	}
	return nil, false
}

// Ask answers questions about arguments. Those with # consider only what is certain.
func (a arguments) Ask(name string, words []string) (any, bool) {
	w := a.words
	if certain, ok := strings.CutPrefix(name, "#"); ok {
		if name, w = certain, (match.Words{Run: w.Run}); name == "has" {
			return w.Certainly(words...), true
		}
	}
	switch name {
	case "has":
		return w.Has(words...), true
	case "starts":
		return w.Starts(words...), true
	case "begins":
		return w.Begins(words...), true
	case "value":
		return w.Value(words...), true
	}
	return nil, false
}

type textField struct {
	name string
	text *string
}

func textOf(name string, fields ...textField) (any, bool) {
	for _, f := range fields {
		if f.name == name {
			return *f.text, true
		}
	}
	return nil, false
}

func (t *touched) Field(name string) (any, bool) {
	if name == "tree" {
		return t.Tree, true
	}
	return textOf(name, textField{"op", &t.Op}, textField{"path", &t.Path}, textField{"program", &t.Program})
}

func (t *touched) Ask(string, []string) (any, bool) { return nil, false }

func (n *net) Field(name string) (any, bool) {
	if name == "sends" {
		return n.Sends, true
	}
	return textOf(name, textField{"host", &n.Host}, textField{"port", &n.Port}, textField{"url", &n.URL}, textField{"program", &n.Program})
}

func (n *net) Ask(string, []string) (any, bool) { return nil, false }

// Ask answers questions about effects. Those with # consider only what is
// certain.
func (s *scope) Ask(name string, words []string) (any, bool) {
	if of, ok := strings.CutPrefix(name, "args."); ok {
		return arguments{s.words}.Ask(of, words)
	}
	_, holds, known := s.find(name, words)
	return holds, known
}

// Found implements expression.Witness: the effect for which a question is true.
func (s *scope) Found(name string, words []string) any {
	if h, holds, _ := s.find(name, words); holds {
		return h
	}
	return nil // it is about the bound effect
}

// find looks for an effect for which a question is true.
func (s *scope) find(name string, words []string) (h match.Hit, holds, known bool) {
	name, certain := strings.CutPrefix(name, "#")
	spec := match.Spec{Paths: words, Doubt: s.loose && !certain}
	switch name {
	case "session.wrote", "session.fetched", "session.#wrote", "session.#fetched":
		h, holds = s.earlier(name, words)
		return h, holds, true
	case "runs":
		h, holds = runs(s.ev, words, spec.Doubt)
		return h, holds, true
	case "sends":
		h, holds = match.Sends(s.ev, words, spec.Doubt)
		return h, holds, true
	case "reads":
		spec.Actions = []trammel.ActionKind{trammel.ReadAction}
	case "writes":
		spec.Actions = []trammel.ActionKind{trammel.WriteAction, trammel.EditAction}
	case "deletes":
		spec.Actions = []trammel.ActionKind{trammel.DeleteAction}
	case "talks_to":
		spec = match.Spec{To: words, Actions: []trammel.ActionKind{trammel.FetchAction}, Doubt: spec.Doubt}
	default:
		return h, false, false
	}
	h, holds = spec.Find(s.ev)
	return h, holds, true
}

// runs finds a program that is run with certain arguments.
func runs(ev *trammel.Event, words []string, loose bool) (match.Hit, bool) {
	for h := range allRuns(ev, words, loose) {
		return h, true
	}
	return match.Hit{}, false
}

// allRuns are all programs that are run with certain arguments.
func allRuns(ev *trammel.Event, words []string, loose bool) iter.Seq[match.Hit] {
	return func(yield func(match.Hit) bool) {
		if len(words) == 0 {
			return
		}
		spec := match.Spec{Programs: words[:1], Doubt: loose}
		for h := range spec.Hits(ev) {
			w := match.WordsOf(ev, h, loose)
			if !slices.ContainsFunc(words[1:], func(word string) bool { return !w.Has(word) }) && !yield(h) {
				return
			}
		}
	}
}

// traps are the deceptive parts of a call, each with its kind.
func traps(ev *trammel.Event) []string {
	out := []string{}
	if ev.Tool == nil {
		return out
	}
	for _, t := range effects.Of(ev).Traps {
		out = append(out, t.Code+" "+t.What)
	}
	return out
}
