package repohooks

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/dialects/repohooks"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/tasks/registry"
)

// Finding is something about the hooks of a repository that a person should
// look at.
type Finding struct {
	Severity string `json:"severity"` // error, warning, info
	Code     string `json:"code"`
	HookID   string `json:"hook_id,omitempty"`
	Path     string `json:"path,omitempty"`
	Message  string `json:"message"`
}

// Check examines the hooks of the repository: that their handlers are there and
// can be started, that what they refer to exists, and, from the
// evidence, which are never used or get in the way (AIC-64). A configuration
// that cannot be used is an error.
func (r *Runner) Check() ([]Finding, error) {
	at, err := r.open()
	if err != nil {
		return nil, err
	}
	c := &checker{place: at}
	if c.registry, err = registry.Load(at.Set.Root); err != nil {
		c.add("error", "registry_broken", "", registry.Dir, "the registry cannot be read: %v", err)
	}
	c.used, err = at.usage()
	if err != nil {
		return nil, err
	}
	for i := range at.Compiled.Report {
		if e := &at.Compiled.Report[i]; e.Repository != nil {
			c.hook(e)
		}
	}
	c.bindings()
	c.files()
	return c.found, nil
}

// files checks what stands in the project's files, and their trust.
func (c *checker) files() {
	told := func(path string) bool {
		return slices.ContainsFunc(c.found, func(f Finding) bool { return f.Path == path })
	}
	if off := c.Compiled.HooksOff; off != "" {
		c.add("info", "switched_off", "", "", "no hook of the repository runs: repository_hooks is false in %s", off)
	}
	for _, n := range slices.Backward(c.Compiled.Notes) { // what is wrong comes last, and is more important than trust
		switch {
		case c.Compiled.HooksOff != "" && c.declaresHooks(n.Path):
		case n.Code == config.CodeBroken:
			c.add("error", "declaration_broken", "", n.Path, "%s", n)
		case n.Code == layers.CodeUntrusted || n.Code == layers.CodeChanged || n.Code == layers.CodeVanished:
			if !told(n.Path) {
				c.add("error", "not_trusted", "", n.Path, "%s", n)
			}
		}
	}
}

type checker struct {
	*place
	registry *registry.Registry
	used     *usage
	found    []Finding
}

func (c *checker) add(severity, code, hook, path, format string, args ...any) {
	c.found = append(c.found, Finding{severity, code, hook, path, fmt.Sprintf(format, args...)})
}

func (c *checker) hook(e *config.Entry) {
	h := e.Repository
	switch e.Status {
	case config.Untrusted:
		c.add("error", "not_trusted", e.Declared, e.Source.File, "it does not run until a person has trusted it; run: trammel trust")
	case config.InForce:
	default:
		return
	}
	c.handler(e)
	c.scope(e)
	if !h.Enabled || e.Status != config.InForce {
		return
	}
	u := c.used.hooks[e.ID]
	switch {
	case u == nil && c.used.events >= usedEnough:
		c.add("warning", "unused", e.Declared, e.Source.File, "it has not run once during the last %d events that are on record", c.used.events)
	case u == nil:
	case u.runs >= noisyFrom && u.objections*2 > u.runs:
		c.add("warning", "noisy", e.Declared, e.Source.File, "it objected to %d of %d events; look at its logic or its match", u.objections,
			u.runs)
	case u.runs >= noisyFrom && u.failures*5 > u.runs:
		c.add("warning", "failing", e.Declared, e.Source.File, "it failed %d of %d times", u.failures, u.runs)
	}
	if u != nil && u.misplaced > 0 {
		c.add("warning", repohooks.MisplacedSignals, e.Declared, e.Source.File, "it returns signals on %s, where they are ignored", h.EventType)
	}
}

// handler checks that a script is there and can be started.
func (c *checker) handler(e *config.Entry) {
	if e.Script == "" {
		return
	}
	info, err := os.Stat(e.Script)
	pin := c.Set.Pins[e.Script]
	recipe := e.Repository.IsRecipe()
	switch {
	case errors.Is(err, os.ErrNotExist) && recipe && (pin == "" || pin == config.Absent):
		c.add("info", "recipe", e.Declared, e.Script, "the script is not there, so the built-in recipe runs")
	case err != nil:
		c.add("error", "handler_missing", e.Declared, e.Script, "the script cannot be found: %v", err)
	case !info.Mode().IsRegular():
		c.add("error", "handler_missing", e.Declared, e.Script, "it is no file that can be started")
	case info.Mode()&0o111 == 0 && runtime.GOOS != "windows":
		c.add("error", "handler_not_executable", e.Declared, e.Script, "the script is not executable; run: chmod +x %s", e.Script)
	case e.Status == config.InForce && (pin == "" || pin == config.Absent) && recipe:
		c.add("warning", "recipe", e.Declared, e.Script, "the built-in recipe runs, because the script is not trusted; run: trammel trust")
	case e.Status == config.InForce && !pinned(e.Script, pin):
		c.add("error", "handler_changed", e.Declared, e.Script, "the script is not the one that was trusted, so the hook fails; read it, then "+
			"run: trammel trust")
	}
}

func pinned(path, pin string) bool {
	digest, err := files.Digest(path)
	return err == nil && digest == pin
}

// scope checks that the abilities that a hook names exist.
func (c *checker) scope(e *config.Entry) {
	if e.Repository.Match == nil || c.registry == nil || len(c.registry.Abilities)+len(c.registry.Operations) == 0 {
		return
	}
	for _, glob := range e.Repository.Match.AbilityScope {
		name := string(glob)
		if strings.ContainsAny(name, "*?[{") || c.registry.Abilities[name] != nil || c.registry.Operations[name] != nil {
			continue
		}
		c.add("warning", "unknown_ability", e.Declared, e.Source.File,
			"the registry knows no ability or operation %q; it can only be a tool of an agent's host", name)
	}
}

// bindings checks the hooks that abilities are bound to.
func (c *checker) bindings() {
	if c.registry == nil {
		return
	}
	events := map[string]EventType{"pre_create": PreAbilityCreateEvent, "pre_call": PreAbilityCallEvent, "post_call": PostAbilityCallEvent}
	for _, b := range c.registry.Bindings() {
		if _, err := c.bound(b.Hook, events[b.When]); err != nil {
			c.add("error", "dangling_binding", b.Hook, b.File, "%s: %v", b.Place(), err)
		}
	}
}
