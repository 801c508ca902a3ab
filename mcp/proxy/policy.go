package proxy

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/pipeline/full"
)

// Policy judges by what trammel.yaml says where the client works.
type Policy struct {
	Program *full.Program
	Dir     string

	mu      sync.Mutex
	digest  string // of the configuration that redacts is about
	redacts bool
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

// Expect has hooks of clients leave word of calls that go to a server.
func (p *Policy) Expect(ctx context.Context, server string) error {
	return state.Calls{State: p.Program.State}.Expect(ctx, server)
}

// Redacts implements Judge. Where the configuration cannot be read, it does.
func (p *Policy) Redacts() bool {
	c, err := p.Program.ConfigFor(p.here())
	if err != nil {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.digest == c.Set.Digest {
		return p.redacts
	}
	hooks, err := c.Plan.All()
	p.digest, p.redacts = c.Set.Digest, err != nil
	for i := range hooks {
		h := &hooks[i]
		p.redacts = p.redacts || h.Kind == "builtin" && !h.Trial && bytes.Contains(h.Config, []byte(`"secrets"`))
	}
	return p.redacts
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
	_ = p.Program.Put(context.Background(), root, r) // what must not happen without a record is an event
}

// Settings are what the configuration says about a server now. Where it cannot
// be read, nothing is said: the calls are denied then.
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
