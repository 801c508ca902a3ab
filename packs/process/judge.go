package process

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/trammel-dev/trammel/packs"
)

// call is one control call while it is judged.
type call struct {
	ctx      context.Context
	p        *Process
	d        *Definition
	req      Request
	digest   string // of the request
	now      time.Time
	run      *run
	computed map[string]map[string]any
	hooks    []packs.Outcome
	consents []consent
	// connectors are those that the process has; nil means all.
	connectors []string
	begins     bool             // the run is new
	text       []byte           // the run as stored after the call
	receipt    uint64           // the number of the record of the call
	rule       func() *Response // how the call is judged
	// preflights is true for the check right before an effect.
	preflights bool
}

// maxArtifacts is how many a run may have.
const maxArtifacts = 10_000

// Control judges a control call. The response is always complete: if something
// fails, its status is error, and nothing has happened. The error is about our
// own records; on an error the caller must stop.
func (p *Process) Control(ctx context.Context, req Request) (Response, error) {
	c := p.call(ctx, req)
	c.rule = c.judge
	return c.respond()
}

func (p *Process) call(ctx context.Context, req Request) *call {
	c := &call{ctx: ctx, p: p, req: req, now: p.options.Now(), computed: map[string]map[string]any{}}
	c.req.Actor.Role = cmp.Or(req.Actor.Role, RoleAgent)
	return c
}

func (c *call) respond() (Response, error) {
	out, err := c.answer()
	if err != nil {
		var refused *Refusal
		out = &Response{Status: StatusError, Code: CodeInternal, Reason: err.Error()}
		if errors.As(err, &refused) {
			out.Code, err = refused.Code, nil
		}
		c.complete(out)
		err = errors.Join(err, c.record(out))
	}
	return *out, err
}

// answer finds the run, judges, and stores the result.
func (c *call) answer() (*Response, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	var err error
	if c.d, err = c.p.fresh(); err != nil {
		return nil, err
	}
	if c.req.Process != "" && c.req.Process != c.d.Manifest.ID {
		return nil, refuse(CodeRequest, "this is the process %s, not %.60q", c.d.Manifest.ID, c.req.Process)
	}
	if admit := c.p.options.Admit; admit != nil {
		if c.connectors, err = admit(c.ctx, c.d); err != nil {
			return nil, err
		}
		c.connectors = append([]string{}, c.connectors...)
	}
	s := shelf{c.p.options.StateDir, c.d.Manifest.ID}
	if s.dir == "" {
		return nil, errors.New("there is no state directory to store runs in")
	}
	kind, name := "request", c.digest
	if c.req.Key != "" {
		kind, name = "key", c.req.Key
	}
	unlock, err := s.lock(c.ctx, kind, name)
	if err != nil {
		return nil, err
	}
	defer unlock()
	var at pointer
	known, err := s.load(kind, name, &at)
	if err != nil {
		return nil, err
	}
	if err := c.locate(s, &at, known); err != nil {
		return nil, err
	}
	unlockRun, err := s.lock(c.ctx, "run", at.Run)
	if err != nil {
		return nil, err
	}
	defer unlockRun()
	if err := c.load(s, at.Run); err != nil {
		return nil, err
	}
	if old, ok := c.run.Answers[c.req.Key]; ok && old.Response != nil {
		replayed := *old.Response
		replayed.Replay = true
		return &replayed, c.record(&replayed)
	}
	c.run.expire(c.now)
	out := c.rule()
	c.complete(out)
	c.remember(out)
	if err := c.draft(s); err != nil {
		return nil, err
	}
	if err := c.record(out); err != nil {
		return nil, err
	}
	return out, c.storeResult(s, kind, name, at, out)
}

// check refuses requests that no profile could answer.
func (c *call) check() error {
	r := &c.req
	switch {
	case r.Protocol != "" && r.Protocol != ControlProtocol:
		return refuse(CodeProtocol, "found %.40q, expected %s", r.Protocol, ControlProtocol)
	case r.Action == "":
		return refuse(CodeRequest, "there is no action")
	case r.Actor.Role == roleApprover:
		return refuse(CodeActor, "an approver cannot make requests")
	case !slices.Contains(roles, r.Actor.Role):
		return refuse(CodeActor, "found the role %.40q, expected agent, task_user or system", r.Actor.Role)
	case len(r.Key) > 256:
		return refuse(CodeRequest, "the idempotency key has more than 256 bytes")
	}
	if r.Payload == nil {
		r.Payload = map[string]any{}
	}
	if c.digest = digestOf(map[string]any{"action": r.Action, "payload": r.Payload, "actor": r.Actor}); c.digest == "" {
		return refuse(CodeRequest, "the payload cannot be read without loss")
	}
	return nil
}

// locate finds the run of the request: the one that it names, the one of its
// key, the one in which the same request is waiting, or a new one.
func (c *call) locate(s shelf, at *pointer, known bool) error {
	if known && c.req.Key != "" {
		switch {
		case at.Request != c.digest:
			return refuse(CodeKeyConflict, "the key was used for another request")
		case c.req.Run != "" && c.req.Run != at.Run:
			return refuse(CodeKeyConflict, "the key was used in another run")
		}
		return nil
	}
	if known && c.req.Run == "" {
		return nil
	}
	if at.Run, at.Request = c.req.Run, c.digest; at.Run == "" {
		if c.d.Profile.Action(c.req.Action) == nil {
			return c.unknownAction()
		}
		at.Run, c.begins = newID("run_"), true
	} else if there, err := s.has(at.Run); err != nil || !there {
		return cmp.Or(err, refuse(CodeUnknownRun, "there is no run %.60q", at.Run))
	}
	if c.req.Key != "" {
		return s.save("key", c.req.Key, at) // before the run: a key without a run starts one
	}
	return nil
}

// load reads the run, or begins it. It must be bound to the profile as it is.
func (c *call) load(s shelf, id string) error {
	c.run = &run{}
	there, err := c.recall(s, id)
	switch {
	case err != nil:
		return err
	case !there:
		c.run = &run{ID: id, Process: c.d.Manifest.ID, ProcessVersion: c.d.Manifest.Version, Profile: c.d.Profile.ID,
			ProfileVersion: c.d.Profile.Version, ProfileDigest: c.d.Digest, Created: c.now}
		return nil
	case c.run.ID != id || c.run.Profile != c.d.Profile.ID || c.run.ProfileVersion != c.d.Profile.Version || c.run.ProfileDigest != c.d.Digest:
		return refuse(CodeProfileChanged, "the run is bound to %s %s, but the profile has changed", c.run.Profile, c.run.ProfileVersion)
	}
	return nil
}

func (c *call) unknownAction() error {
	return refuse(CodeUnknownAction, "the profile has no action %.60q", c.req.Action)
}

// remember stores the answer to a request with a key. One that is waiting for
// people is not final.
func (c *call) remember(out *Response) {
	if c.req.Key == "" || out.Status == StatusError {
		return
	}
	a := answer{Request: c.digest}
	if out.Route != AwaitApproval {
		final := *out
		a.Response = &final // without its records: they are not known yet, and differ for each answer
	}
	if c.run.Answers == nil {
		c.run.Answers = map[string]answer{}
	}
	c.run.Answers[c.req.Key] = a
}

// storeResult stores the result of the call.
func (c *call) storeResult(s shelf, kind, name string, at pointer, out *Response) error {
	waits := out.Route == AwaitApproval
	if kind == "request" && waits && c.req.Run == "" {
		if err := s.save(kind, name, at); err != nil {
			return err
		}
	}
	if err := c.replaceRun(s); err != nil {
		return err
	}
	var there pointer
	if known, err := s.load(kind, name, &there); kind == "key" || waits || !known || there.Run != c.run.ID {
		return err
	}
	return s.remove(kind, name) // it is no longer waiting
}

// judge asks the gates, and then what the action itself needs.
func (c *call) judge() *Response {
	action := c.d.Profile.Action(c.req.Action)
	var refused *Refusal
	switch err := c.forged(); {
	case action == nil:
		errors.As(c.unknownAction(), &refused)
		return &Response{Status: StatusError, Code: refused.Code, Reason: refused.Detail}
	case !c.run.Completed.IsZero():
		return c.nok(CodeRunCompleted, Blocked, "the run is complete")
	case len(action.Roles) > 0 && !slices.Contains(action.Roles, c.req.Actor.Role),
		len(c.d.Profile.Roles) > 0 && !slices.Contains(c.d.Profile.Roles, c.req.Actor.Role):
		return c.nok(CodeRole, Blocked, fmt.Sprintf("%s may not request %s", c.req.Actor.Role, action.ID))
	case errors.As(err, &refused):
		return c.nok(refused.Code, Blocked, refused.Detail)
	}
	unfit := c.unfit(action)
	for i := range c.d.Profile.Gates {
		g := &c.d.Profile.Gates[i]
		switch {
		case g.Before != action.ID:
			continue
		case g.Approval != nil && unfit != nil: // people are not asked about a request that would be refused anyway
			return unfit
		}
		if out := c.gate(g); out != nil {
			out.Gate, out.GateType = g.ID, g.Type
			c.run.permit(g.Next)
			return out
		}
	}
	if unfit != nil {
		return unfit
	}
	drafts, fail := c.admit(action)
	if fail != nil {
		return fail
	}
	if len(c.run.Artifacts)+len(drafts) > maxArtifacts {
		return c.nok(CodeArtifact, Blocked, "the run has too many artifacts")
	}
	effectOf, fail := c.preflight(action)
	if fail != nil {
		return fail
	}
	if fail := c.use(c.ctx); fail != nil {
		return fail
	}
	return c.through(action, drafts, effectOf)
}

// through is the answer to an action that passes.
func (c *call) through(a *Action, drafts []Artifact, m *Materialization) *Response {
	c.run.addArtifacts(&c.d.Profile, drafts)
	out := &Response{Status: StatusOK, Route: a.route(), Next: a.Next, Effect: m}
	for _, d := range drafts {
		out.Created = append(out.Created, Created{d.ID, d.Type})
	}
	if m != nil {
		c.run.Effects = append(c.run.Effects, effect{Materialization: *m, Allowed: c.now})
	}
	if len(a.Next) > 0 {
		c.run.Next = append(slices.Clone(a.Next), a.ID) // itself, because a later artifact may replace an earlier one
	}
	if lacks := func(kind string) bool { return !c.has(kind) }; a.Completes ||
		len(c.d.Profile.Completion) > 0 && !slices.ContainsFunc(c.d.Profile.Completion, lacks) {
		c.run.Completed, out.Completed = c.now, true
		if out.Route == Continue {
			out.Route = Complete
		}
	}
	return out
}

// unfit says why an action is not possible now, whatever the gates say.
func (c *call) unfit(a *Action) *Response {
	if len(c.run.Next) > 0 && !slices.Contains(c.run.Next, a.ID) {
		out := c.nok(CodeOrder, InstructAgent, fmt.Sprintf("%s cannot follow the previous action", a.ID))
		out.Next = c.run.Next
		return out
	}
	for _, name := range a.Connectors {
		if c.connectors != nil && !slices.Contains(c.connectors, name) {
			out := c.nok(CodeConnector, Blocked, fmt.Sprintf("%s needs the connector %s, which this process does not have", a.ID, name))
			out.Instruction = "A person can add it with: trammel pack approve --connector " + name
			return out
		}
	}
	return nil
}

// permit allows the actions that a gate names as next ones.
func (r *run) permit(next []string) {
	for _, id := range next {
		if len(r.Next) > 0 && !slices.Contains(r.Next, id) {
			r.Next = append(r.Next, id)
		}
	}
}

// gate returns nil if the gate lets pass.
func (c *call) gate(g *Gate) *Response {
	onFailure := cmp.Or(g.OnHookFailure, c.d.Profile.OnHookFailure)
	if g.Condition != nil {
		holds, err := g.Condition.holds(&surroundings{c.req.Payload, c.facts(onFailure), c.has})
		if err != nil {
			return c.failed(err, onFailure)
		}
		if !holds {
			return nil
		}
	}
	var lacking []string
	for _, kind := range g.Artifacts {
		if !c.has(kind) {
			lacking = append(lacking, kind)
		}
	}
	out := c.nok(CodeGate, g.Route, g.Reason)
	switch {
	case len(lacking) > 0:
		out.Code, out.Missing = CodeMissing, lacking
		if out.Route == AwaitApproval { // people are asked later, when everything else is checked
			out.Route = InstructAgent
		}
	case g.Approval != nil:
		var err error
		if out, err = c.approval(g); err != nil {
			return &Response{Status: StatusError, Code: CodeInternal, Reason: err.Error()}
		}
		if out == nil {
			return nil
		}
		out.Approval = g.Approval
	case len(g.Artifacts) > 0:
		return nil
	}
	out.Instruction, out.Next = cmp.Or(out.Instruction, g.Instruction), g.Next
	return out
}

func (c *call) nok(code Code, route Route, reason string) *Response {
	return &Response{Status: StatusNOK, Code: code, Route: route, Reason: reason}
}

// complete fills in the common fields of a response.
func (c *call) complete(out *Response) {
	out.Run = c.req.Run
	if c.run != nil {
		out.Run = c.run.ID
	}
	if c.d != nil {
		out.Process, out.ProfileVersion, out.ProfileDigest = c.d.Manifest.ID, c.d.Profile.Version, c.d.Digest
	}
	out.MayProceed = out.Status == StatusOK
	switch {
	case out.MayProceed:
		out.Decision = "allowed"
	case out.Route == AwaitApproval:
		out.Decision = "approval_required"
	default:
		out.Decision = "denied"
	}
}
