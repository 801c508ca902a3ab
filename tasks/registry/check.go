package registry

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/tasks/fill"
)

// The default and the maximum time limit of an implementation.
const (
	DefaultTimeout = 5 * time.Minute
	MaxTimeout     = 6 * time.Hour
)

// check checks that everything that was read fits together.
func (r *Registry) check(problems *Problems) {
	for _, op := range r.Operations {
		op.shape("$", &op.InputSchema, &op.OutputSchema)
		if !slices.Contains([]string{Script, API, MCP}, op.Kind) {
			op.fail("$.kind", "kind must be script, api or mcp, found %q", op.Kind)
		}
		r.impl(op.document, "$.impl", op.Impl)
		if configured := r.config[op.Key]; op.Impl == nil && (configured == nil || configured.Impl == nil && len(configured.Environments) == 0) {
			op.fail("$.operation_key", "operation %q has no impl, neither here nor in %s/config", op.Key, Dir)
		}
	}
	for key, c := range r.config {
		if r.Operations[key] == nil {
			c.fail(c.place, "operation %q is configured, but not registered in low-level", key)
		}
		r.impl(c.document, c.place+".impl", c.Impl)
		for name, env := range c.Environments {
			place := c.place + ".environments." + name
			if env == nil {
				c.fail(place, "the configuration of environment %q is empty", name)
				continue
			}
			r.impl(c.document, place+".impl", env.Impl)
		}
	}
	for _, a := range r.Abilities {
		a.shape("$", &a.InputSchema, &a.OutputSchema)
		if r.Operations[a.ID] != nil {
			a.fail("$.id", "an operation is already called %q", a.ID)
		}
		r.kind(a)
		for i, key := range a.Operations {
			if r.Operations[key] == nil {
				a.fail(fmt.Sprintf("$.operations[%d]", i), "operation %q is not registered in low-level", key)
			}
		}
	}
	slices.SortFunc(*problems, func(a, b Problem) int { return strings.Compare(a.Error(), b.Error()) })
}

func (d *document) shape(place string, in, out *Schema) {
	for name, s := range map[string]*Schema{"input_schema": in, "output_schema": out} {
		if err := s.resolve(); err != nil {
			at := place + "." + name
			if wrong := (*misplacedError)(nil); errors.As(err, &wrong) {
				at = join(at, wrong.place)
			}
			d.fail(at, "%s cannot be used: %v", name, err)
		}
	}
}

// kind checks the part of an ability that its type names.
func (r *Registry) kind(a *Ability) {
	switch a.Type {
	case Workflow:
		if len(a.Steps) == 0 || a.Agent != nil {
			a.fail("$.type", "a workflow needs steps, and has no agent")
		}
		seen := map[string]bool{}
		for i, s := range a.Steps {
			place := fmt.Sprintf("$.steps[%d]", i)
			if !key().MatchString(s.ID) || strings.Contains(s.ID, ".") || seen[s.ID] {
				a.fail(place+".id", "a step needs an id of its own, without dots, found %q", s.ID)
			}
			if !slices.Contains(a.Operations, s.Operation) {
				a.fail(place+".operation", "operation %q is not among the operations of the ability", s.Operation)
			}
			for _, name := range a.placeholders(place+".input", s.Input) {
				from, rest, _ := strings.Cut(name, ".")
				step, _, _ := strings.Cut(rest, ".")
				if from != "input" && (from != "steps" || !seen[step]) {
					a.fail(place+".input", "{{%s}} is neither an input nor the output of an earlier step", name)
				}
			}
			seen[s.ID] = true
		}
	case Agent:
		if a.Agent == nil || len(a.Steps) > 0 {
			a.fail("$.type", "an agent needs a program under agent, and has no steps")
			return
		}
		r.program(a.document, "$.agent", a.Agent)
	default:
		a.fail("$.type", "type must be workflow or agent, found %q", a.Type)
	}
}

// impl checks an implementation, if there is one.
func (r *Registry) impl(d *document, place string, i *Impl) {
	if i == nil {
		return
	}
	parts := map[string]bool{Script: i.Script != nil, API: i.API != nil, MCP: i.MCP != nil}
	given := 0
	for _, there := range parts {
		if there {
			given++
		}
	}
	if given != 1 || !parts[i.Kind] {
		d.fail(place+".kind", "an impl has a kind (script, api or mcp) and exactly the part of that name, found kind %q", i.Kind)
		return
	}
	switch i.Kind {
	case Script:
		r.program(d, place+".script", i.Script)
	case API:
		d.request(place+".api", i.API)
	case MCP:
		r.program(d, place+".mcp.server", &i.MCP.Server)
		if i.MCP.Tool == "" {
			d.fail(place+".mcp", "the name of the tool is missing")
		}
	}
}

// program checks the path of a program of the repository. Links are resolved when it
// runs.
func (r *Registry) program(d *document, place string, p *Program) {
	clean := path.Clean(p.Path)
	switch {
	case p.Path == "":
		d.fail(place, "the path of the program is missing")
	case filepath.IsAbs(p.Path) || strings.Contains(p.Path, `\`) || !filepath.IsLocal(filepath.FromSlash(clean)):
		d.fail(place+".path", "%q must be a path inside the repository, with forward slashes", p.Path)
	}
	d.timeout(place, p.TimeoutSec)
	d.inputs(place+".args_template", p.ArgsTemplate)
	if p.EnvProfile != "" && r.profiles[p.EnvProfile] == nil {
		d.fail(place+".env_profile", "there is no environment profile %q in %s/config", p.EnvProfile, Dir)
	}
}

func (d *document) timeout(place string, seconds int) {
	if seconds < 0 || time.Duration(seconds) > MaxTimeout/time.Second {
		d.fail(place+".timeout_sec", "timeout_sec must be between 1 and %d", int(MaxTimeout/time.Second))
	}
}

// placeholders lists those of a template, and refuses what only looks like one.
func (d *document) placeholders(place string, v any) []string {
	for _, text := range fill.Broken(v) {
		d.fail(place, "%q is not a placeholder, expected one such as {{input.NAME}}", text)
	}
	return fill.Names(v)
}

// inputs refuses all placeholders except those of the input.
func (d *document) inputs(place string, v any) {
	for _, name := range d.placeholders(place, v) {
		if !strings.HasPrefix(name, "input.") {
			d.fail(place, "{{%s}}: only placeholders such as {{input.NAME}} can be used here", name)
		}
	}
}

func (d *document) request(place string, q *Request) {
	if !slices.Contains([]string{"", "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"}, q.Method) {
		d.fail(place+".method", "method must be GET, POST, PUT, PATCH, DELETE or HEAD, found %q", q.Method)
	}
	u, err := url.Parse(q.URL)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		d.fail(place+".url", "url must be a complete http or https address, found %q", q.URL)
	case strings.Contains(u.Scheme+u.Host, "{{") || u.User != nil:
		d.fail(place+".url", "a url needs a fixed host, and no user or password")
	}
	d.inputs(place+".url", q.URL)
	d.inputs(place+".body", q.Body)
	d.timeout(place, q.TimeoutSec)
	for name, text := range q.Headers {
		for _, from := range d.placeholders(place+".headers."+name, text) {
			env, isEnv := strings.CutPrefix(from, "env.")
			if !strings.HasPrefix(from, "input.") && (!isEnv || !slices.Contains(q.SecretsFrom, env)) {
				d.fail(place+".headers."+name, "{{%s}} is neither an input nor listed in secrets_from_env", from)
			}
		}
	}
}
