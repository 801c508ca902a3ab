package process

import (
	"errors"
	"fmt"
	"slices"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/fst"
	"github.com/trammel-dev/trammel/packs"
)

type sessionKey struct {
	revision  string
	onFailure Route
}

// session is the program of the pack's hooks, which is kept alive.
func (p *Process) session(d *Definition, onFailure Route) *packs.Session {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := sessionKey{d.Revision, onFailure}
	if p.sessions[key] == nil {
		p.sessions[key] = d.Hooks.Session(packs.Options{Log: p.options.Log, OnFailure: packs.Route(onFailure), Pinned: d.Revision})
	}
	return p.sessions[key]
}

func (p *Process) endSessions() (err error) {
	for key, s := range p.sessions {
		err = errors.Join(err, s.Close())
		delete(p.sessions, key)
	}
	return err
}

// hookFailure is the failure of a hook.
type hookFailure struct {
	hook        string
	fault       fst.Fault
	diagnostics []string
}

func (f *hookFailure) Error() string { return fmt.Sprintf("the hook %s failed: %s", f.hook, f.fault) }

// ask calls a hook of the pack. Its answer is only a fact.
func (c *call) ask(hook, kind string, payload map[string]any, onFailure Route) (fst.Result, error) {
	if c.d.Hooks == nil {
		return fst.Result{}, &hookFailure{hook: hook, fault: fst.UnknownHook}
	}
	o, err := c.p.session(c.d, onFailure).Call(c.ctx, fst.Call{Hook: hook, Run: c.run.ID, Profile: c.run.Profile,
		ProfileVersion: c.run.ProfileVersion, ArtifactType: kind, Payload: payload})
	if err != nil {
		return fst.Result{}, err // it could not be recorded
	}
	c.hooks = append(c.hooks, o)
	if o.Fault != "" {
		return fst.Result{}, &hookFailure{hook, o.Fault, o.Result.Diagnostics}
	}
	return o.Result, nil
}

// facts are those of a hook, which is called once for all gates.
func (c *call) facts(onFailure Route) func(hook string) (map[string]any, error) {
	return func(hook string) (map[string]any, error) {
		if facts, known := c.computed[hook]; known {
			return facts, nil
		}
		result, err := c.ask(hook, "", c.req.Payload, onFailure)
		if err == nil {
			c.computed[hook] = result.Facts
		}
		return result.Facts, err
	}
}

// validate asks the hooks that take artifacts of a type.
func (c *call) validate(t *ArtifactType, payload map[string]any) *Response {
	hooks := slices.Clone(t.ValidatedBy)
	if c.d.Hooks != nil {
		for _, h := range c.d.Hooks.Hooks {
			if h.Type == fst.Validate && h.ArtifactType == t.ID && !slices.Contains(hooks, h.ID) {
				hooks = append(hooks, h.ID)
			}
		}
	}
	for _, hook := range hooks {
		result, err := c.ask(hook, t.ID, payload, c.d.Profile.OnHookFailure)
		if err != nil {
			return c.failed(err, c.d.Profile.OnHookFailure)
		}
		if result.Valid == nil || !*result.Valid {
			out := c.nok(CodeArtifact, InstructAgent, fmt.Sprintf("the %s is not valid, according to the hook %s", t.ID, hook))
			out.Diagnostics = result.Diagnostics
			return out
		}
	}
	return nil
}

// failed is the route for a failed hook, from the profile. Without a route it
// is an error.
func (c *call) failed(err error, route Route) *Response {
	var f *hookFailure
	if !errors.As(err, &f) {
		return &Response{Status: StatusError, Code: CodeInternal, Reason: err.Error()}
	}
	code := CodeHook
	if f.fault.Code() == trammel.CodeAuthority {
		code = CodeHookAuthority
	}
	out := c.nok(code, route, f.Error())
	out.Diagnostics = f.diagnostics
	return out
}
