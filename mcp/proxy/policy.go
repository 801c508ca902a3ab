package proxy

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/handlers/builtin"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/mcp/pin"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/policies/mcpguard"
)

// Policy judges by the trammel.yaml of the client's directory.
type Policy struct {
	Program *full.Program
	Dir     string

	mu      sync.Mutex
	digest  string // of the configuration that these are about
	redacts bool
	guards  []mcpguard.Options
}

// NewPolicy makes the judge of a process that lives as long as its session.
func NewPolicy(p *full.Program, dir string) *Policy {
	p.AskPeople = true
	p.Remember = 250 * time.Millisecond
	p.Logs = &evidence.Group{}
	return &Policy{Program: p, Dir: dir}
}

// Judge implements Judge.
func (p *Policy) Judge(ctx context.Context, ev *trammel.Event) *trammel.Verdict {
	v, err := p.Program.Dispatch(ctx, ev)
	if err != nil && ev.Kind.FailsClosed() && v.Decision < trammel.Deny {
		v.Decision, v.Reason, v.Input = trammel.Deny, err.Error(), nil
	}
	return v
}

// Recognize implements Judge.
func (p *Policy) Recognize(ctx context.Context, ev *trammel.Event, id string) {
	ev.Prepare()
	a := &ev.Tool.Action
	state.Calls{State: p.Program.State}.Take(ctx, ev, a.Server, a.Tool, id)
}

// Expect makes the client's hooks leave a note about calls to a server.
func (p *Policy) Expect(ctx context.Context, server string) error {
	return state.Calls{State: p.Program.State}.Expect(ctx, server)
}

// Redacts implements Judge. Where the configuration cannot be read, it does.
func (p *Policy) Redacts() bool {
	redacts, _ := p.policies()
	return redacts
}

// Partial is the pin that the policy mcp-guard has for a tool, "" if it has none.
func (p *Policy) Partial(server, tool string) (pin string) {
	_, guards := p.policies()
	for i := range guards {
		one := guards[i].Pin(server, tool)
		if one != "" && pin != "" && one != pin {
			return "pinned twice" // matches nothing
		}
		pin = cmp.Or(pin, one)
	}
	return pin
}

// policies are what the configuration says now about the policies secrets and
// mcp-guard.
func (p *Policy) policies() (redacts bool, guards []mcpguard.Options) {
	c, err := p.Program.ConfigFor(p.here())
	if err != nil {
		return true, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.digest == c.Set.Digest {
		return p.redacts, p.guards
	}
	hooks, err := c.Plan.All()
	p.digest, p.redacts, p.guards = c.Set.Digest, err != nil, nil
	for i := range hooks {
		h := &hooks[i]
		if h.Kind != "builtin" || h.Trial {
			continue
		}
		p.redacts = p.redacts || bytes.Contains(h.Config, []byte(`"secrets"`))
		var guard mcpguard.Options
		if use, err := builtin.Read(h.Config); err == nil && use.Use == mcpguard.Name && json.Unmarshal(use.With, &guard) == nil {
			p.guards = append(p.guards, guard)
		}
	}
	return p.redacts, p.guards
}

// hostTools maps the agents' own tools to the agents.
var hostTools = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, h := range standard.Hosts() {
		for tool := range h.Shapes() {
			out[tool] = h.Facts().Title
		}
	}
	return out
})

// Watch follows what a server offers.
func (p *Policy) Watch(server pin.Server, program func() string, mode string) *pin.Watch {
	return &pin.Watch{Store: pin.Store{State: p.Program.State}, Server: server, Program: program,
		Options: pin.Options{Mode: pin.Mode(mode), Partial: p.Partial, Hosts: hostTools()}}
}

func (p *Policy) here() *trammel.Event { return &trammel.Event{Session: trammel.Session{Dir: p.Dir}} }

// Withdraw implements Judge.
func (p *Policy) Withdraw(session, call string) {
	ctx, stop := context.WithTimeout(context.Background(), 3*time.Second)
	defer stop()
	c, err := p.Program.ConfigFor(p.here())
	if err != nil || c.Plan.Settings.Approvals == "" {
		return
	}
	d, err := p.Program.Desk(&c.Plan.Settings)
	if err == nil {
		_ = d.Withdraw(ctx, session, call) // it expires by itself
	}
}

// Note implements Judge.
func (p *Policy) Note(n Note) {
	root := p.Dir
	if c, _ := p.Program.ConfigFor(p.here()); c.Set != nil {
		root = c.Set.Root
	}
	now := time.Now()
	r := &evidence.Record{ID: evidence.NewID(now), Time: now, Host: Host, Event: "mcp_" + n.What, Name: n.Method, Project: root, Dir: p.Dir,
		Session: evidence.SessionRecord{ID: n.Session}, Engine: p.Program.Version,
		Verdict: &evidence.VerdictRecord{Decision: n.What, Reason: n.Detail}}
	_ = p.Program.Put(context.Background(), root, r) // anything that needs a record to proceed is an event
}

// Settings are what the configuration says about a server now. If it cannot be
// read, they are empty: then the calls are denied.
func (p *Policy) Settings(server string) (s Settings) {
	c, err := p.Program.ConfigFor(p.here())
	if err == nil {
		err = s.read(c.Plan.Settings.MCP, server)
	}
	if err != nil {
		p.Note(Note{What: "settings", Method: server, Detail: err.Error()})
	}
	return s
}
