package pipeline

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/plan"
)

// Config is the configuration for a directory: its files, and their compiled
// plan.
type Config struct {
	Set  *layers.Set
	Plan *plan.Plan

	bound *bindings // nil if the configuration is for one event
}

// configAt finds and loads the configuration for the given directories.
func (p *Program) configAt(dirs []string) (Config, error) {
	if p.Remember <= 0 {
		return p.findConfig(dirs, &Config{})
	}
	return p.configs.get(strings.Join(dirs, "\x00"), p.Remember, func(old Config) (Config, error) {
		c, err := p.findConfig(dirs, &old)
		if err == nil && c.bound == nil {
			c.bound = &bindings{}
			c.Plan.Keep()
		}
		return c, err
	})
}

// findConfig finds the configuration, and loads it if its files are not those of old.
func (p *Program) findConfig(dirs []string, old *Config) (Config, error) {
	set, err := layers.Find(p.Dirs, absolute(dirs)...)
	if err != nil {
		return Config{}, trammel.Fail(trammel.CodeConfig, "%w", err)
	}
	if p.Admit != nil && p.Admit(set) {
		if set, err = layers.Find(p.Dirs, absolute(dirs)...); err != nil {
			return Config{}, trammel.Fail(trammel.CodeConfig, "%w", err)
		}
	}
	if old.Set != nil && old.Set.Digest == set.Digest && old.Set.Root == set.Root && set.Starts == nil && old.Set.Starts == nil {
		return Config{Set: set, Plan: old.Plan, bound: old.bound}, nil
	}
	loaded, err := p.Load(set)
	if err != nil {
		return Config{Set: set}, &configError{err}
	}
	return Config{Set: set, Plan: loaded}, nil
}

// ConfigFor returns the current configuration for an event.
func (p *Program) ConfigFor(ev *trammel.Event) (Config, error) {
	return p.configAt([]string{ev.Session.Project, ev.Session.Dir})
}

// loadConfig is the first step: it loads the configuration for an event, and
// prepares the event for it.
func (p *Program) loadConfig(r *Request) (Config, error) {
	c, err := r.configured(p)
	if err != nil {
		return c, err
	}
	ev := r.Event
	ev.Session.Project = cmp.Or(ev.Session.Project, c.Set.Root)
	ev.Prepare()
	if limit := c.Plan.Settings.MaxPayload; int64(len(ev.Raw)) > limit && !r.ownLimit { // a lower limit than the default is known only now
		return c, tooLarge(limit)
	}
	return c, nil
}

func (r *Request) configured(p *Program) (Config, error) {
	if r.Config != nil {
		return *r.Config, nil
	}
	return p.configAt(r.Dirs)
}

// configError means that a configuration cannot be used here. The fast program
// then hands the call over; the full one cannot.
type configError struct{ error }

func (e *configError) Unwrap() error { return e.error }

func handsOff(err error) bool {
	var c *configError
	return errors.As(err, &c) || errors.Is(err, trammel.ErrUnknownKind) || errors.Is(err, plan.ErrCorrupt)
}

// failureOf describes an error in one line, for a host or a person.
func failureOf(err error) *trammel.Failure {
	var f *trammel.Failure
	var c *configError
	switch {
	case errors.As(err, &c):
		return &trammel.Failure{Code: trammel.CodeConfig, Detail: fmt.Sprintf("the configuration cannot be used: %v", err)}
	case errors.As(err, &f):
		return &trammel.Failure{Code: f.Code, Detail: f.Error()}
	}
	return &trammel.Failure{Code: trammel.CodeError, Detail: err.Error()}
}

func absolute(dirs []string) []string {
	var out []string
	for _, d := range dirs {
		if filepath.IsAbs(d) {
			out = append(out, filepath.Clean(d))
		}
	}
	return out
}
