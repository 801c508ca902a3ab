package importers

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
)

// Options are how rules are imported.
type Options struct {
	// Grants makes hooks of rules that allow. They spare the person a question,
	// so they are for the user's own configuration.
	Grants bool
	// Host is the host whose calls grants are for, Project the directory, "" for
	// every project.
	Host, Project string
	// Check says what is wrong with a text as a trammel.yaml. Rules of which only
	// something wrong would come are refused.
	Check func(text []byte) error
}

// Import reads files of a system. An error names the file and the line.
func Import(src *Source, files []File, o Options) (*Result, error) {
	im := importer{source: src, options: o, ids: map[string]int{}}
	for _, f := range files {
		f.Grants = o.Grants
		rules, err := src.Read(f)
		if err != nil {
			return nil, fmt.Errorf("%s:%w", f.Path, err)
		}
		for i := range rules {
			if rules[i].Own {
				continue
			}
			im.rules = append(im.rules, placed{rules[i], f.Path, len(im.rules)})
		}
	}
	if src.Ranked {
		slices.Reverse(im.rules) // the last of equals first
		slices.SortStableFunc(im.rules, func(a, b placed) int { return cmp.Compare(b.Rank, a.Rank) })
	}
	for i := range im.rules {
		im.add(i)
	}
	slices.SortStableFunc(im.result.Report, func(a, b Entry) int { return a.order - b.order })
	return &im.result, nil
}

// placed is a rule, its file, and its place among all rules.
type placed struct {
	Rule
	file  string
	order int
}

type importer struct {
	source  *Source
	options Options
	rules   []placed
	ids     map[string]int
	result  Result
}

// add makes a hook of a rule, and a line of the report.
func (im *importer) add(i int) {
	r := &im.rules[i]
	e := Entry{order: r.order, File: r.file, Line: r.Line, Rule: r.Text, Outcome: r.Outcome, Why: r.Why}
	switch {
	case r.Outcome == Refused || r.Outcome == Ignored:
	case r.Program != nil:
		e.Outcome = cmp.Or(r.Outcome, Imported)
		e.Hook = im.hook(r, "hook", r.Program.lines())
	case r.Decision == trammel.Allow && !im.options.Grants:
		e.Outcome, e.Why = Noted, cmp.Or(r.Why, "it allows calls; --grants makes a hook of it, in your own layer")
	case r.Decision == trammel.Allow && r.Calls.Command != nil && r.Calls.Command.Line:
		e.Outcome, e.Why = Refused, "only a command of plain words is allowed by a hook; the agent asks as usual"
	case r.Decision == trammel.Allow:
		lines, narrower := im.grant(&r.Calls)
		e.Hook = im.hook(r, r.Decision.String(), lines)
		if e.Outcome = cmp.Or(r.Outcome, Imported); narrower != "" && r.Outcome != Narrower {
			e.Outcome, e.Why = Narrower, strings.TrimPrefix(r.Why+"; "+narrower, "; ")
		}
	case r.Decision == trammel.None:
		e.Outcome = cmp.Or(r.Outcome, Ignored)
	case im.shadowed(i):
		e.Outcome, e.Why = Ignored, "a rule that comes before it decides about all its calls"
	default:
		lines := im.restriction(r, im.weaker(i))
		e.Hook = im.hook(r, r.Decision.String(), lines)
		if wider := r.Calls.wider(); r.Outcome == "" && wider != "" {
			e.Outcome, e.Why = Wider, strings.TrimPrefix(r.Why+"; "+wider, "; ")
		}
		e.Outcome = cmp.Or(e.Outcome, Imported)
		im.tests(r, e.Hook, len(im.weaker(i)) > 0)
	}
	if why := im.check(e.Hook); why != "" {
		im.result.Hooks = im.result.Hooks[:len(im.result.Hooks)-1]
		im.result.Tests = slices.DeleteFunc(im.result.Tests, func(t Test) bool { return t.hook == e.Hook })
		e.Outcome, e.Why, e.Hook = Refused, why, ""
	}
	same := func(o Entry) bool {
		return o.File == e.File && o.Line == e.Line && o.Rule == e.Rule && o.Outcome == e.Outcome
	}
	if !slices.ContainsFunc(im.result.Report, same) { // a rule may have become several hooks
		im.result.Report = append(im.result.Report, e)
	}
}

// check says what is wrong with the hook that was added last, if it has this id.
func (im *importer) check(id string) (why string) {
	hooks := im.result.Hooks
	if id == "" || im.options.Check == nil || hooks[len(hooks)-1].ID != id {
		return ""
	}
	if err := im.options.Check([]byte((&Result{Hooks: hooks[len(hooks)-1:]}).YAML())); err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return "it cannot be written as a hook: " + oneLine(first)
	}
	return ""
}

// Refuse takes a hook away again: it lets a call pass that its rule is about.
func (r *Result) Refuse(t *Test) {
	id := t.hook
	why := fmt.Sprintf("as a hook it would let this pass: %s %v", t.Call.Tool, t.Call.Input)
	r.Hooks = slices.DeleteFunc(r.Hooks, func(h Hook) bool { return h.ID == id })
	r.Tests = slices.DeleteFunc(r.Tests, func(t Test) bool { return t.hook == id })
	for i := range r.Report {
		if e := &r.Report[i]; e.Hook == id {
			e.Outcome, e.Why, e.Hook = Refused, oneLine(why), ""
		}
	}
}

// hook adds a hook, unless there is the same already, and returns its id.
func (im *importer) hook(r *placed, kind string, lines []string) string {
	for i := range im.result.Hooks {
		if h := &im.result.Hooks[i]; slices.Equal(h.lines, lines) {
			return h.ID
		}
	}
	id := im.source.Name + "." + kind + "." + Slug(r.Text)
	if r.Program != nil && r.Program.ID != "" {
		id = r.Program.ID
	}
	allow := r.Program == nil && r.Decision == trammel.Allow
	if allow && im.options.Project != "" { // grants of all projects are in one file
		id += "." + Slug(filepath.Base(im.options.Project)) + fmt.Sprintf("-%x", sha256.Sum256([]byte(im.options.Project)))[:7]
	}
	if im.ids[id]++; im.ids[id] > 1 {
		id = fmt.Sprintf("%s-%d", id, im.ids[id])
	}
	im.result.Hooks = append(im.result.Hooks, Hook{ID: id, From: fmt.Sprintf("%s:%d %s", oneLine(r.file), r.Line, oneLine(r.Text)),
		Runs: r.Program != nil, Allow: allow, lines: lines})
	return id
}

// weaker are the rules before one that decide less strictly about some of its
// calls, where only the first counts.
func (im *importer) weaker(i int) (out []*Rule) {
	if !im.source.Ranked {
		return nil
	}
	for j := range im.rules[:i] {
		if r := &im.rules[j].Rule; r.Decision != trammel.None && r.Decision < im.rules[i].Decision {
			out = append(out, r)
		}
	}
	return out
}

// shadowed reports whether weaker rules before it leave nothing to a rule.
func (im *importer) shadowed(i int) bool {
	c := &im.rules[i].Calls
	return slices.ContainsFunc(im.weaker(i), func(w *Rule) bool {
		o := &w.Calls
		switch {
		case o.When != "" || len(o.Agents) > 0 || len(o.Paths)+len(o.To)+len(o.Actions) > 0:
			return false
		case c.Command != nil && o.Command != nil:
			return o.Command.covers(c.Command)
		}
		return c.Command == nil && o.Command == nil && len(c.Tools) > 0 && !slices.ContainsFunc(c.Tools, func(tool string) bool {
			return trammel.IsPattern(tool) && !slices.Contains(o.Tools, tool) || o.noTool(tool)
		})
	})
}

// Slug is a text as a part of an id.
func Slug(text string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(text) {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 40 {
			break
		}
	}
	return cmp.Or(strings.Trim(b.String(), "-"), "all")
}
