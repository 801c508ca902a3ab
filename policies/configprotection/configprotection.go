// Package configprotection is the policy config-protection: an agent whose code
// does not pass the checks must fix the code and not the checks (FLOW-33).
package configprotection

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/programs/gitprefs"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/internal/option"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Guard("config-protection",
		"protects linter and formatter rules, shell profiles, agent settings, workflow state and git hooks from being weakened",
		Options{Sections: true, GitHooks: true, Unknown: "allow"}, build)
}

// Options configure the policy.
type Options struct {
	Also     []string `json:"also,omitempty" jsonschema:"Further files to protect, as globs: a name anywhere, or a path from the project on."`
	Except   []string `json:"except,omitempty" jsonschema:"Globs of files that are not protected after all, for example the fixtures of a linter's own tests."`
	Sections bool     `json:"sections,omitempty" jsonschema:"Whether edits are looked at that change linter, formatter or type checker settings in pyproject.toml, package.json, tsconfig.json and their like."`
	GitHooks bool     `json:"git_hooks,omitempty" jsonschema:"Whether git commands are denied that skip or switch off verification hooks."`
	Unknown  string   `json:"unknown,omitempty" enum:"allow,ask,deny" jsonschema:"What happens to a command that changes a file whose name is unknown."`
}

func build(o Options, _ trammel.Spec) (trammel.Handler, error) {
	g := &guard{o}
	for _, glob := range append(g.Also[:len(g.Also):len(g.Also)], g.Except...) {
		if err := match.CheckGlob(glob); err != nil {
			return nil, err
		}
	}
	return g, nil
}

type guard struct{ Options }

// Handle judges one event.
func (g *guard) Handle(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Fields["input_truncated"] == true {
		return deny("truncated_input", ev.Name, "BLOCKED: The hook's input was cut off, so what this call would change cannot be seen. Make a "+
			"smaller call. "+never), nil
	}
	if ev.Tool == nil || effects.Reads(ev) {
		return trammel.Answer{}, nil
	}
	if name, bad := effects.Unreadable(ev); bad {
		return deny("unreadable_input", name, fmt.Sprintf("BLOCKED: The argument %q of %s is not text, so it is unknown which file it "+
			"would change. Call it with a path. %s", name, ev.Tool.Name, never)), nil
	}
	j := judgement{guard: g, ev: ev, set: effects.Of(ev), in: match.In(world.Of(ev), ev.Session.Project)}
	j.files()
	if g.GitHooks {
		j.bypasses()
	}
	j.unknown()
	j.unlooked()
	return j.report, nil
}

func deny(code, target, reason string) trammel.Answer {
	return trammel.Answer{Decision: trammel.Deny, Reason: reason, Findings: []trammel.Finding{{Code: code, Severity: "error", Target: target}}}
}

// judgement is the state while one event is judged.
type judgement struct {
	*guard
	ev     *trammel.Event
	set    *effects.Set
	in     *match.Globs
	report trammel.Answer
}

func (j *judgement) add(d trammel.Decision, code, target, reason string) {
	j.report.Add(d, trammel.Finding{Code: code, Target: target}, reason)
}

func (j *judgement) files() {
	for _, t := range effects.Touches(j.ev) {
		if !t.Changes() {
			continue
		}
		if !t.Path.Known() {
			if g := ofText(t.Path.Text); g != free {
				j.add(trammel.Deny, g.code(), t.Path.Text, reason(g, t.Path.Text))
			}
			continue
		}
		g, file := of(t)
		if g == free {
			g, file = j.inOptions(t)
		}
		if g == free && j.Sections && t.Run < 0 && j.bends(t.Path.Abs) {
			g, file = section, t.Path.Abs
		}
		if g == free && j.Sections && j.bendsByCommand(t) {
			g, file = section, t.Path.Abs
		}
		if g == gitHooks && (j.gitItself(t) || j.firstHooks(t)) || g == rules && t.Readable {
			continue // its arguments say what it changes; rules that can be read hold
		}
		if g == free || g >= sidecar && g <= delivery && j.scratch(file) || j.in.Permits(j.Except, file) {
			continue
		}
		j.add(trammel.Deny, g.code(), file, reason(g, file))
	}
}

// gitItself reports whether git changes its own configuration.
func (j *judgement) gitItself(t *effects.Touch) bool {
	return t.Run >= 0 && j.set.Runs[t.Run].Program == "git" && path.Base(t.Path.Abs) == "config"
}

// firstHooks reports whether a file is written that is not there yet and only adds
// hooks: one of husky's, or the list of a hook manager that has none.
func (j *judgement) firstHooks(t *effects.Touch) bool {
	if t.Op != effects.Write || t.Path.Glob || t.Tree || t.Path.Real != "" && t.Path.Real != t.Path.Abs {
		return false
	}
	dir, base := path.Split(t.Path.Abs)
	others := []string{base}
	switch base {
	case ".pre-commit-config.yaml", ".overcommit.yml":
	case "lefthook.yml", "lefthook.yaml", "lefthook.toml", "lefthook.json", ".lefthook.yml", ".lefthook.yaml": // the first of them counts
		others = []string{"lefthook.yml", "lefthook.yaml", "lefthook.toml", "lefthook.json", ".lefthook.yml", ".lefthook.yaml",
			".lefthook.toml", ".lefthook.json"}
	case "pre-commit", "commit-msg", "prepare-commit-msg", "pre-push", "post-merge", "post-checkout", "pre-rebase":
		if path.Base(dir) != ".husky" {
			return false
		}
	default:
		return false
	}
	for _, name := range others {
		if _, err := world.Of(j.ev).Lstat(dir + name); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

func (j *judgement) inOptions(t *effects.Touch) (group, string) {
	for _, name := range t.Names() {
		if j.in.Match(j.Also, name) {
			return named, name
		}
	}
	return free, ""
}

// hookless reports whether git has no hooks to run in a directory: there are none,
// or the directory is temporary.
func (j *judgement) hookless(dir string) bool {
	return dir != "" && (j.scratch(dir) || paths.Hookless(world.Of(j.ev), dir))
}

func (j *judgement) bypasses() {
	for i := range j.set.Runs {
		what, found := (&bypasses{world.Of(j.ev)}).of(j.set, i)
		switch {
		case !found:
		case gitprefs.NoHooks(what) && j.hookless(j.set.Runs[i].Dir.Abs):
			j.add(trammel.Ask, "hooks_bypassed", what, fmt.Sprintf("%q switches git's hooks off, and this repository has none now. A person "+
				"should decide; without it the command needs no question.", what))
		default:
			j.add(trammel.Deny, "hooks_bypassed", what, bypassReason(what))
		}
	}
}
