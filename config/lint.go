package config

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/config/condition"
	"github.com/trammel-dev/trammel/handlers/rule"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/packs"
)

// BrokenFinding is the code of a mistake in an untrusted file: compiling only
// notes it, because somebody else's file must not block everything.
const BrokenFinding = "broken"

// Finding is something that compiles, but is probably not what its author meant.
type Finding struct {
	Code    string `json:"code"`
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column,omitempty"`
	Hook    string `json:"hook,omitempty"`
	Message string `json:"message"`
	Fix     string `json:"fix,omitempty"`
	// Note is true if the finding depends on this machine and may not apply to another.
	Note bool `json:"note,omitempty"`
}

func (f *Finding) String() string {
	at := f.File
	if f.Line > 0 { // 0 is the whole file
		at += fmt.Sprintf(":%d", f.Line)
	}
	if f.Column > 0 {
		at += fmt.Sprintf(":%d", f.Column)
	}
	s := fmt.Sprintf("%s: %s: %s", at, f.Code, f.Message)
	if f.Fix != "" {
		s += " (" + f.Fix + ")"
	}
	return s
}

// Lint compiles the set and looks for hooks in force that never answer, always
// do, cannot run or fail open. Errors that keep the set from compiling are
// returned as Errors.
func Lint(set *layers.Set, reg Registry) ([]Finding, error) {
	c, err := compile(set, reg)
	if err != nil {
		return nil, err
	}
	l := &linter{compiler: c}
	for _, d := range c.decls {
		if d.entry.Kept() && d.decl != nil && d.entry.Repository == nil && !d.preset && d.bundle == "" {
			l.hook(d)
		}
	}
	for _, n := range c.out.Notes {
		if code, ok := map[layers.Code]string{CodeTimeout: "timeout-over-host", CodeNoGrant: "no-effect", CodeNoSuchHook: "no-such-hook",
			CodeNotDisabled: "not-disabled", CodeSettingUnused: "setting-unused", CodeExpired: "exception-expired",
			CodeNotExcepted: "not-excepted", CodeLockUnused: "lock-unused", CodeBroken: BrokenFinding}[n.Code]; ok {
			l.found = append(l.found, Finding{Code: code, File: n.Path, Line: n.Line, Message: n.Text})
		}
	}
	for _, path := range set.Misplaced() {
		l.found = append(l.found, Finding{Code: "not-read", File: path,
			Message: "Trammel does not read files of this name in this place, so its rules are not in force"})
	}
	for i := range l.found {
		f := &l.found[i]
		f.Fix = cmp.Or(f.Fix, condition.Fixes[f.Code])
	}
	slices.SortStableFunc(l.found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line, a.Column-b.Column)
	})
	return l.found, nil
}

type linter struct {
	*compiler
	found []Finding
	rules []judged // rules so far that deny or ask
}

func (l *linter) add(d *declared, at mark, code, fix, format string, args ...any) {
	if at.Line == 0 {
		at = d.at(d.decl)
	}
	l.found = append(l.found, Finding{Code: code, File: d.file.Path, Line: at.Line, Column: at.Column, Hook: d.hook.ID,
		Message: fmt.Sprintf("hook %q: ", d.hook.ID) + fmt.Sprintf(format, args...), Fix: fix})
}

func (l *linter) hook(d *declared) {
	h := d.decl
	if d.form.kind == "rule" {
		l.rule(d)
	}
	if d.has(&h.OnError) && d.hook.May >= trammel.Guard && d.hook.OnError != trammel.BlockOnError && d.preventable() {
		l.add(d, d.at(&h.OnError), "fails-open", "on_error: block", "it guards, but when it fails the call still runs: on_error is %s",
			d.hook.OnError)
	}
	l.stale(d)
	if h.Match != nil {
		l.match(d)
	}
	if h.Approve != nil {
		l.people(d)
	}
	if h.Pack != nil {
		l.pack(d)
	} else if d.starts() {
		l.program(d)
	}
}

// match looks for names that do not exist.
func (l *linter) match(d *declared) {
	m := d.decl.Match
	if known, ok := l.reg.(agents); ok {
		tools := known.Tools()
		for _, mistake := range append(condition.Impossible(&d.hook.Match, tools), condition.Nothing(&d.hook.Match)...) {
			l.add(d, d.at(&m.Tool), mistake.Code, mistake.Fix, "%s", mistake.Text)
		}
		names(l, d, m.Tool, func(name string) []condition.Mistake {
			name, _ = toolName(name)
			return condition.MistakenTool(name, tools, len(d.hook.Match.Hosts) > 0)
		})
	}
	if g := l.granter(); g != nil {
		for _, host := range d.hook.Match.Hosts {
			if g.Wirable(host) && !slices.ContainsFunc(d.hook.On, func(k trammel.Kind) bool { _, ok := g.Granted(k)[host]; return ok }) {
				l.add(d, d.at(&m.Host), "unsupported-on-host", "", "%s reports none of the hook's events", host)
			}
		}
	}
	for i := range m.Project {
		if base, ok := condition.MissingProject(string(m.Project[i])); ok {
			l.add(d, d.at(&m.Project[i]), "no-such-project", "", "there is no %s on this machine", base)
			l.found[len(l.found)-1].Note = true
		}
	}
	names(l, d, m.Program, condition.MisspelledProgram)
	names(l, d, m.Path, condition.MistakenPath)
	names(l, d, m.To, condition.MistakenHost)
	names(l, d, m.Project, condition.MistakenProject)
	if d.file.Layer != layers.Project {
		return
	}
	for i := range m.Path {
		glob := string(m.Path[i])
		base, _ := doublestar.SplitPattern(strings.TrimPrefix(glob, "./"))
		if glob[0] == '!' || glob[0] == '~' || base == "." || filepath.IsAbs(base) {
			continue
		}
		if _, err := os.Stat(filepath.Join(d.file.Dir, base)); err != nil {
			l.add(d, d.at(&m.Path[i]), "glob-without-files", "", "there is no %s in the project", base)
		}
	}
}

// names looks at the names of one key.
func names[T ~string](l *linter, d *declared, list OneOrMore[T], check func(string) []condition.Mistake) {
	for i := range list {
		for _, name := range alternatesOf(string(list[i])) {
			for _, m := range check(name) {
				l.add(d, d.at(&list[i]), m.Code, m.Fix, "%s", m.Text)
			}
		}
	}
}

// rule looks for conditions without effect, and for rules that an earlier one
// makes useless.
func (l *linter) rule(d *declared) {
	r, err := rule.Read(d.ready)
	if err != nil {
		return
	}
	at, _ := d.partMark("when")
	var tools map[string]trammel.ActionKind
	if why := condition.Contradiction(&r); why != "" {
		l.add(d, at, "contradiction", "", "the condition never holds: %s", why)
	} else if known, ok := l.reg.(agents); ok {
		tools = known.Tools()
		asked := condition.Asked(d.hook.On, anyAboutTools(d.hook.On), &d.hook.Match, tools)
		if code, text := condition.Wrong(r.When, asked); code != "" {
			l.add(d, at, code, map[string]string{"always-true": "leave it out"}[code], "%s", text)
		}
	}
	wrong := append(condition.Mistakes(r.When, d.hook.On, &d.hook.Match, anyAboutTools(d.hook.On), tools),
		condition.MistakenArguments(r.Input, &d.hook.Match, tools)...)
	if d.decl.Allow != nil && (r.When != "" || r.After == "") {
		wrong = append(wrong, condition.LooseAllow(r.When, &d.hook.Match)...)
	}
	for _, m := range wrong {
		l.add(d, at, m.Code, m.Fix, "%s", m.Text)
	}
	if known, ok := l.reg.(agents); ok {
		for _, n := range r.Needs {
			for _, v := range n.Values {
				if n.Field == "host" && n.Op == "eq" && !slices.Contains(known.Hosts(), v) {
					l.add(d, at, "never-matches", "", "no agent is called %q%s", v, didYouMean(v, known.Hosts()))
				}
			}
		}
	}
	if (d.decl.Deny != nil || d.decl.Ask != nil) && r.Reason == "" {
		l.add(d, mark{}, "empty-reason", "say what to do instead", "it gives no reason")
	}
	l.facts(d, at, r.When)
	l.shadowed(d, &r, tools)
	l.overlap(d, &r)
}

// program checks that the program of a hook exists.
func (l *linter) program(d *declared) {
	for _, path := range entryPoints(d) {
		if _, err := os.Stat(path); err != nil {
			l.add(d, d.formMark(), "missing-program", "", "there is no %s", path)
		}
	}
	if h := d.decl; len(h.Exec) > 0 && !strings.ContainsAny(string(h.Exec[0]), `/\`) {
		if _, err := exec.LookPath(string(h.Exec[0])); err != nil {
			l.add(d, d.at(&h.Exec), "missing-program", "", "%s is not on the PATH", h.Exec[0])
		}
	}
}

// pack checks that the hook of a pack exists.
func (l *linter) pack(d *declared) {
	dir := string(d.decl.Pack.Dir)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(d.file.Dir, dir)
	}
	p, problems := packs.Open(dir)
	if p == nil {
		what := "it cannot be read"
		for _, problem := range problems {
			if problem.Severity == packs.Error {
				what = problem.Message
			}
		}
		l.add(d, d.at(&d.decl.Pack.Dir), "missing-program", "", "the pack %s cannot be used: %s", dir, what)
		return
	}
	var ids []string
	for _, h := range p.Hooks {
		ids = append(ids, h.ID)
	}
	if _, ok := p.Hook(string(d.decl.Pack.Hook)); !ok {
		l.add(d, d.at(&d.decl.Pack.Hook), "missing-hook", "one of "+strings.Join(ids, ", "), "the pack %s has no hook %q%s", dir,
			d.decl.Pack.Hook, didYouMean(string(d.decl.Pack.Hook), ids))
	}
}
