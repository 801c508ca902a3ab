package config

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/repohooks"
)

// Recipe is one of the hooks that the contract describes, as a built-in policy:
// a declaration with its name works without the script.
type Recipe struct {
	ID     string
	Event  repohooks.EventType
	Policy string
	With   map[string]any
}

// Recipes are those of the contract (AIC-65).
func Recipes() []Recipe {
	return []Recipe{
		{"ability_usage_tracker", repohooks.PostAbilityCallEvent, "usage-tracker", map[string]any{
			"path": ".system/cache/ability_usage.json", "slow_log": ".system/logs/slow_abilities.log"}},
		{"prompt_router", repohooks.PromptSubmitEvent, "prompt-router", nil},
		{"nonprod_availability_check", repohooks.PreAbilityCreateEvent, "ability-availability", nil},
		{"prod_config_guard", repohooks.PreAbilityCallEvent, "prod-config-guard", nil},
		{"session_stop_build_check", repohooks.SessionStopEvent, "build-check", map[string]any{
			"summary": ".system/logs/session_stop_build_check.json"}},
	}
}

// recipe finds the one of a name, in kebab-case or snake_case.
func recipe(name string) *Recipe {
	name = strings.ReplaceAll(name, "-", "_")
	for _, r := range Recipes() {
		if r.ID == name {
			return &r
		}
	}
	return nil
}

// IsRecipe reports whether the hook works without its script.
func (h *RepositoryHook) IsRecipe() bool {
	own := recipe(string(h.ID))
	return own != nil && own.Event == repohooks.EventType(h.EventType)
}

// handler sets what is run: the script if a human has trusted one, else the
// recipe of the hook's name. Whether a script exists now does not matter: a
// script that the agent writes must not replace a guard.
func (r *repository) handler(d *declared) {
	at := r.at(&r.ID)
	path := ""
	if r.Handler != nil {
		at = r.at(&r.Handler.Kind)
		if !r.parts(at) {
			return
		}
		if r.Handler.Kind == "http" {
			r.server(d)
			return
		}
		at = r.at(&r.Handler.Command)
		if r.Handler.Kind == "builtin" {
			r.builtin(d, string(r.Handler.Command), at)
			return
		}
		if path = r.script(at); path == "" {
			return
		}
		d.script = filepath.Join(d.file.Dir, path)
	}
	own := recipe(string(r.ID))
	if path != "" && own != nil && own.Event != r.event {
		own = nil // a different script with the same name
	}
	if path != "" && (own == nil || r.trusted() && r.pinned(d.script)) {
		r.command(d, path, at)
		return
	}
	if own == nil {
		r.source.fail(at, "a handler", "the hook has no handler, and no recipe is called %s", r.ID)
		return
	}
	r.recipe(d, own, at)
}

// parts checks that a handler has what its kind needs, and nothing else.
func (r *repository) parts(at mark) bool {
	h, before := r.Handler, r.errs.total
	kind, needs, given := string(h.Kind), "command", h.Command != ""
	if h.Kind == "http" {
		needs, given = "url", h.URL != ""
	}
	if !given {
		r.source.fail(at, needs, "the key %q is missing: a handler of kind %s needs it", needs, kind)
	}
	for _, part := range []struct {
		p    any
		key  string
		http bool
	}{{&h.Command, "command", false}, {&h.URL, "url", true}, {&h.SecretEnv, "secret_env", true}} {
		if r.has(part.p) && part.http != (h.Kind == "http") {
			r.source.fail(r.at(part.p), needs, "a handler of kind %s has no %s", kind, part.key)
		}
	}
	return r.errs.total == before
}

// server posts the context to a server, whose response is the HookResult.
func (r *repository) server(d *declared) {
	d.form = formNamed("http")
	d.decl.HTTP = &HTTPDecl{URL: r.Handler.URL, SecretEnv: r.Handler.SecretEnv}
	r.marks[&d.decl.HTTP] = r.at(&r.Handler.URL)
	r.marks[&d.decl.HTTP.URL] = r.at(&r.Handler.URL)
	r.speaks(d)
}

// speaks sets the language of the contract.
func (r *repository) speaks(d *declared) {
	d.decl.Dialect = repohooks.Name
	d.speak = repohooks.Options{Hook: string(r.ID), Scope: d.hook.Match.Abilities, Advisory: r.advisory()}.JSON()
}

// pinned reports whether a human has trusted a program at a path.
func (r *repository) pinned(path string) bool {
	digest := r.set.Pins[path]
	return digest != "" && digest != Absent
}

// script is the path of the script in the repository.
func (r *repository) script(at mark) string {
	path := filepath.Clean(filepath.FromSlash(string(r.Handler.Command)))
	if !filepath.IsLocal(path) || path == "." {
		r.source.fail(at, "the path of a script, relative to the root of the repository", "the command is not a path inside the repository")
		return ""
	}
	return path
}

func (r *repository) command(d *declared, path string, at mark) {
	d.form = formNamed("exec")
	r.marks[&d.decl.Exec] = at
	d.decl.Exec = []Text{Text("." + string(filepath.Separator) + path)}
	r.speaks(d)
}

// builtin runs a recipe or a policy by its name.
func (r *repository) builtin(d *declared, name string, at mark) {
	if own := recipe(name); own != nil {
		r.recipe(d, own, at)
		return
	}
	r.policy(d, name, nil, at)
}

func (r *repository) recipe(d *declared, own *Recipe, at mark) {
	if own.Event != r.event {
		r.source.fail(r.at(&r.EventType), "event_type: "+string(own.Event), "the recipe %s does not run on %s", own.ID, r.event)
		return
	}
	r.policy(d, own.Policy, own.With, at)
}

func (r *repository) policy(d *declared, name string, with map[string]any, at mark) {
	d.form = formNamed("use")
	d.decl.Use = PolicyName(name)
	d.with = with
	r.marks[&d.decl.Use] = at
	d.decl.Dialect = repohooks.Name
	p, ok := r.reg.Policy(name)
	if !ok {
		return // the handler kind reports this, with the valid names
	}
	if len(p.On) > 0 && !slices.ContainsFunc(d.hook.On, func(k trammel.Kind) bool { return slices.Contains(p.On, k) }) {
		r.source.fail(at, "a policy for "+string(r.event), "the policy %s does nothing on %s", name, r.event)
	}
	d.hook.May = min(d.hook.May, p.May)
	if r.advisory() && p.May >= trammel.Guard {
		d.hook.May, d.hook.Trial = p.May, true // what it would have done is recorded
	}
}

func formNamed(key string) *form {
	for i := range forms {
		if forms[i].key == key {
			return &forms[i]
		}
	}
	return nil
}
