// Package prodconfigguard is the policy prod-config-guard: production
// configuration is not changed by accident.
package prodconfigguard

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/internal/option"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	defaults := Options{
		Mode: "ask", Commands: true, Names: []string{"prod", "production", "prd"},
		Files: []string{
			"**/prod/**", "**/production/**", "**/prod-*/**", "**/production-*/**", "**/overlays/prod*/**", "**/environments/prod*/**",
			"**/envs/prod*/**", "**/env/prod*/**",
			"*.prod.*", "*.production.*", "*-prod.{yaml,yml,json,toml,tfvars,env,conf,ini,properties}",
			"*-production.{yaml,yml,json,toml,tfvars,env,conf,ini,properties}",
			"*_prod.{yaml,yml,json,toml,tfvars,env,conf,ini,properties}", "prod.{yaml,yml,json,toml,tfvars,env,conf,ini,properties,config}",
			"production.{yaml,yml,json,toml,tfvars,env,conf,ini,properties,config,rb,py,js,ts,exs}", ".env.prod*", ".env.*.prod*", "prod.exs",
			"!**/node_modules/**", "!**/vendor/**", "!**/dist/**", "!**/build/**", "!*.example", "!*.sample", "!*.md", "!*.d.ts", "!*.test.*",
			"!*.spec.*",
		},
	}
	return option.Guard("prod-config-guard", "asks before production configuration is changed, or a command is run against production",
		defaults, build)
}

// Options configure the policy.
type Options struct {
	Mode     string   `json:"mode,omitempty" enum:"ask,deny" jsonschema:"Whether a person is asked or the call is denied."`
	Files    []string `json:"files,omitempty" jsonschema:"Globs of the files that production runs on, in place of the usual ones; one with a leading ! excepts."`
	Also     []string `json:"also,omitempty" jsonschema:"Further globs of such files."`
	Commands bool     `json:"commands,omitempty" jsonschema:"Whether commands are looked at that change production: a cluster context, a workspace, a stage, a profile of that name."`
	Names    []string `json:"names,omitempty" jsonschema:"What production is called in contexts, workspaces, stages and profiles; a name counts as a whole word of theirs."`
}

func build(o Options, spec trammel.Spec) (trammel.Handler, error) {
	g := &guard{Options: o}
	g.globs = append(g.Files[:len(g.Files):len(g.Files)], g.Also...)
	g.word = common(g.globs, "prod")
	return g, g.check(spec.Config)
}

type guard struct {
	Options
	globs []string
	word  string // part of the name of every such file, "" if unknown
}

// common returns word if every glob contains it literally, else "".
func common(globs []string, word string) string {
	for _, glob := range globs {
		plain, _, _ := strings.Cut(glob, "{")
		if !strings.HasPrefix(glob, "!") && (!strings.Contains(plain, word) || strings.ContainsAny(plain, `[\\`)) {
			return ""
		}
	}
	return word
}

// check validates globs from the options; the default ones are valid.
func (g *guard) check(options []byte) error {
	if options == nil {
		return nil
	}
	for _, glob := range g.globs {
		if err := match.CheckGlob(glob); err != nil {
			return err
		}
	}
	return nil
}

// Handle judges one event.
func (g *guard) Handle(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Tool == nil || effects.Reads(ev) {
		return trammel.Answer{}, nil
	}
	w := world.Of(ev)
	j := judgement{guard: g, ev: ev, set: effects.Of(ev), search: paths.Search{World: w}, ground: paths.On(effects.At(ev)),
		inside: match.In(w, "/"), outside: match.In(w, "")}
	if name, bad := effects.Unreadable(ev); bad {
		j.add("unreadable_input", name, fmt.Sprintf("The argument %q of %s is not text, so it is unknown which file it would change. Call it "+
			"with a path.", name, ev.Tool.Name))
	}
	j.files()
	if g.Commands {
		for i := range j.set.Runs {
			j.run(i, &j.set.Runs[i])
		}
	}
	return j.report, nil
}

type judgement struct {
	*guard
	ev              *trammel.Event
	set             *effects.Set
	report          trammel.Answer
	search          paths.Search
	ground          paths.Ground
	inside, outside *match.Globs // of the project
}

func (j *judgement) add(code, target, reason string) {
	j.report.Add(trammel.DecisionOf(j.Mode), trammel.Finding{Code: code, Target: target}, reason)
}

func (j *judgement) files() {
	for _, t := range effects.Touches(j.ev) {
		if !t.Changes() {
			continue
		}
		all := !t.Partial()
		for _, name := range t.Names() {
			hit, found, searched := name, j.production(name), true
			if !found && t.Removes() && (t.Tree || t.Run < 0 || t.Op != effects.Delete) && !paths.Within(j.ev.Session.Project, name) {
				hit, found, searched = j.search.Inside(name, j.production)
			}
			if found {
				j.add("production_config", hit, fmt.Sprintf("%s is configuration that production runs on. A person should decide about this change; "+
					"other environments are free.", path.Base(filepath.ToSlash(hit))))
			}
			all = all && (found || searched)
		}
		if !all && !j.ground.Artefact(t.Path) {
			j.add("not_all_looked_at", t.Path.Abs, fmt.Sprintf("%s stands for too much to tell whether production runs on some of it. Name what is "+
				"meant.", t.Path.Abs))
		}
		if text := t.Path.Text; !t.Path.Known() && text != "" && j.production("/"+path.Base(text)) {
			j.add("production_config", text, fmt.Sprintf("%s looks like configuration that production runs on. A person should decide about this "+
				"change.", text))
		}
	}
}

// production reports whether a file is production configuration. Only its path
// within the project counts: the project itself may be below a directory called
// prod.
func (j *judgement) production(file string) bool {
	if !strings.Contains(strings.ToLower(file), j.word) {
		return false
	}
	root := j.ev.Session.Place()
	if paths.Within(file, root) {
		rel := file[len(root):]
		return rel != "" && j.inside.Match(j.globs, rel)
	}
	return j.outside.Match(j.globs, file)
}
