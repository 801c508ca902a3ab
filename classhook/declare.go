package classhook

import (
	"fmt"
	"slices"
	"strings"
)

// Catalogue knows classes of hooks by name, so that an agent's declaration can
// ask for them (FIM-50).
type Catalogue map[string]func(config map[string]any) (Hook, error)

// Resolve makes the registry that an agent's declaration asks for:
//
//	{"hooks": {"class_hooks": ["audit_log", {"name": "rate_limit", "config": {"max": 10}}],
//	           "builtin": ["result_truncator"]}}
//
// Both lists name hooks of the catalogue. No declaration is an empty registry.
// Any other list of hooks is an error if there is something in it. A name that the catalogue does not have
// is an error, and so is a declaration of the wrong shape: whoever declared a
// guard must not run without it. Tolerate turns unknown names into warnings.
func (c Catalogue) Resolve(declaration map[string]any) (*Registry, error) {
	r, missing, err := c.Tolerate(declaration)
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("class hooks: nothing is named %s, expected some of %s", strings.Join(missing, ", "), strings.Join(c.names(), ", "))
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Tolerate is Resolve for agents that must start whatever happens: it leaves
// out what the catalogue does not have and returns the names, for the caller
// to record.
func (c Catalogue) Tolerate(declaration map[string]any) (*Registry, []string, error) {
	r := &Registry{}
	var missing []string
	list, err := declared(declaration)
	for _, d := range list {
		make, ok := c[d.name]
		if !ok {
			missing = append(missing, d.name)
			continue
		}
		h, err := make(d.config)
		if err != nil {
			return nil, missing, fmt.Errorf("class hook %q: %w", d.name, err)
		}
		if err := r.Register(h); err != nil {
			return nil, missing, err
		}
	}
	return r, missing, err
}

func (c Catalogue) names() []string {
	var out []string
	for name := range c {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

type declaredHook struct {
	name   string
	config map[string]any
}

func declared(declaration map[string]any) ([]declaredHook, error) {
	hooks, ok := declaration["hooks"]
	if !ok || hooks == nil {
		return nil, nil
	}
	object, ok := hooks.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("hooks: found %T, expected a mapping with class_hooks", hooks)
	}
	for key, value := range object {
		if list, ok := value.([]any); key != "class_hooks" && key != "builtin" && value != nil && (!ok || len(list) > 0) {
			return nil, fmt.Errorf("hooks.%s is not known, expected class_hooks or builtin", key)
		}
	}
	var out []declaredHook
	for _, key := range []string{"class_hooks", "builtin"} {
		list, err := declaredUnder(key, object[key])
		if out = append(out, list...); err != nil {
			return out, err
		}
	}
	return out, nil
}

func declaredUnder(key string, value any) ([]declaredHook, error) {
	list, ok := value.([]any)
	if !ok && value != nil {
		return nil, fmt.Errorf("hooks.%s: found %T, expected a list", key, value)
	}
	var out []declaredHook
	for i, entry := range list {
		var d declaredHook
		switch e := entry.(type) {
		case string:
			d.name = e
		case map[string]any:
			d.name, _ = e["name"].(string)
			config, given := e["config"]
			if d.config, ok = config.(map[string]any); given && !ok {
				return out, fmt.Errorf("hooks.%s[%d].config: found %T, expected a mapping", key, i, config)
			}
		}
		if d.name == "" {
			return out, fmt.Errorf("hooks.%s[%d]: found %v, expected a name or a mapping with name and config", key, i, entry)
		}
		out = append(out, d)
	}
	return out, nil
}
