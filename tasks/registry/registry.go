// Package registry reads what a repository can do: `.system/registry` holds
// low-level operations (scripts, HTTP calls, tools of MCP servers), high-level
// abilities that may use a list of them, and the configuration that says how
// an operation is carried out in which environment.
package registry

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/internal/lazy"
)

// Dir is where the registry is, relative to the repository's root.
const Dir = ".system/registry"

// Registry is everything that is registered.
type Registry struct {
	Operations map[string]*Operation
	Abilities  map[string]*Ability
	config     map[string]*Configured
	profiles   map[string]*Profile
}

// Load reads the registry of a repository; it is empty if there is none. Mistakes are
// returned as Problems, with their positions.
func Load(root string) (*Registry, error) {
	r := &Registry{Operations: map[string]*Operation{}, Abilities: map[string]*Ability{}, config: map[string]*Configured{},
		profiles: map[string]*Profile{}}
	var problems Problems
	for _, part := range []struct {
		name string
		read func(path, name string, problems *Problems)
	}{{"low-level", r.operation}, {"high-level", r.ability}, {"config", r.configure}} {
		dir := filepath.Join(root, filepath.FromSlash(Dir), part.name)
		entries, err := os.ReadDir(dir)
		if errors.Is(err, os.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if ext := filepath.Ext(e.Name()); ext == ".yaml" || ext == ".yml" {
				part.read(filepath.Join(dir, e.Name()), Dir+"/"+part.name+"/"+e.Name(), &problems)
			}
		}
	}
	r.check(&problems)
	if len(problems) > 0 {
		return nil, problems
	}
	return r, nil
}

var key = lazy.Regexp(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$`)

func (r *Registry) operation(path, name string, problems *Problems) {
	op := &Operation{}
	op.document = read(path, name, op, problems)
	register(r.Operations, op, op.document, "operation_key", "operation", op.Key)
}

func (r *Registry) ability(path, name string, problems *Problems) {
	a := &Ability{}
	a.document = read(path, name, a, problems)
	register(r.Abilities, a, a.document, "id", "ability", a.ID)
}

// register adds what a file declares.
func register[T interface{ file() string }](all map[string]T, one T, d *document, field, sort, id string) {
	other, there := all[id]
	switch {
	case d == nil: // it could not be read
	case !key().MatchString(id):
		d.fail("$."+field, "%s must be letters, digits, dots, dashes and underscores, found %q", field, id)
	case there:
		d.fail("$."+field, "%s %q is already registered in %s", sort, id, other.file())
	default:
		all[id] = one
	}
}

func (r *Registry) configure(path, name string, problems *Problems) {
	c := &struct {
		Operations map[string]*Configured `yaml:"operations"`
		Profiles   map[string]*Profile    `yaml:"env_profiles"`
	}{}
	d := read(path, name, c, problems)
	if d == nil {
		return
	}
	for op, configured := range c.Operations {
		place := "$.operations.'" + op + "'"
		switch {
		case configured == nil:
			d.fail(place, "the configuration of operation %q is empty", op)
		case r.config[op] != nil:
			d.fail(place, "operation %q is already configured in %s", op, r.config[op].name)
		default:
			configured.document, configured.place = d, place
			r.config[op] = configured
		}
	}
	for id, profile := range c.Profiles {
		if profile == nil || r.profiles[id] != nil {
			d.fail("$.env_profiles.'"+id+"'", "environment profile %q is empty or given twice", id)
			continue
		}
		r.profiles[id] = profile
	}
}

// Entry is a line of the list from which an agent chooses.
type Entry struct {
	Kind         string   `json:"kind"` // ability_id or operation_key
	ID           string   `json:"id"`
	Type         string   `json:"type"` // workflow, agent; script, api, mcp
	Version      string   `json:"version,omitempty"`
	Summary      string   `json:"summary,omitempty"`
	Environments []string `json:"environments,omitempty"`
	Keywords     []string `json:"keywords,omitempty"`
	Operations   []string `json:"operations,omitempty"`
	InputSchema  any      `json:"input_schema,omitempty"`
}

// List lists everything that is registered, by name, abilities first.
func (r *Registry) List() []Entry {
	out := []Entry{}
	for _, a := range r.Abilities {
		out = append(out, Entry{KindAbility, a.ID, a.Type, a.Version, a.Summary, a.Scope.Environments, a.RoutingHints.Keywords, a.Operations,
			a.InputSchema.JSON()})
	}
	for _, op := range r.Operations {
		out = append(out, Entry{KindOperation, op.Key, op.Kind, op.Version, op.Summary, op.Scope.Environments, op.RoutingHints.Keywords, nil,
			op.InputSchema.JSON()})
	}
	slices.SortFunc(out, func(a, b Entry) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID)) })
	return out
}

// Near lists registered names that resemble an unknown one.
func (r *Registry) Near(name string) []string {
	var out []string
	for _, e := range r.List() {
		a, b := strings.ToLower(name), strings.ToLower(e.ID)
		if strings.Contains(a, b) || strings.Contains(b, a) || len(a) > 3 && strings.HasPrefix(b, a[:4]) {
			out = append(out, e.ID)
		}
	}
	return out[:min(len(out), 5)]
}

// ErrUnknown is returned for a name that is not registered.
var ErrUnknown = errors.New("not in the registry")

// ErrEnvironment is returned for something that is not meant for the environment.
var ErrEnvironment = errors.New("not meant for this environment")

func unknown(ref string) error { return fmt.Errorf("%q is %w", ref, ErrUnknown) }
