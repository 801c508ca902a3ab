package approvals_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/store"
)

// Whatever agents, people, sweepers and clocks do, in any order and at once, in
// several processes: a call runs at most once per approval, with the votes that
// the terms demand, within its time, with the arguments that people saw; each
// change has its note; and what has ended stays as it is (APR-01 to APR-11).
func TestRandomInterleavings(t *testing.T) {
	onBoth(t, func(t *testing.T, o *office) {
		w := newTown(t, o, 1)
		const most, enough = 400, 5
		least := most
		if testing.Short() {
			least = 60
		}
		for n := 0; n < least || n < most && w.ran < enough; n++ {
			w.burst()
		}
		if w.ran < enough {
			t.Errorf("%d calls ran, %d by a grant: the test shows little", w.ran, w.passed)
		}
	})
}

// town is some processes over one store, and what an onlooker remembers.
type town struct {
	t     *testing.T
	key   approvals.Signer
	rng   *rand.Rand
	clock time.Time
	procs []*process
	calls int

	mu       sync.Mutex
	recorded map[string]string // subject and kind, by the note's id
	votes    []cast
	grants   map[string]*granted
	asks     map[string]int // how many calls an approval was for when it was decided
	runs     map[string]int // how many calls went through an approval
	last     map[string]*store.Approval
	ran      int // calls that went through an approval
	passed   int // and through a grant
	later    []func()
}

// process is a service with a clock that is off by a little, or by much.
type process struct {
	*approvals.Service
	off time.Duration
}

// cast is a vote that was taken.
type cast struct {
	id, who, edit string
	approve       bool
	at            time.Time
	steps         int
}

// granted is a grant that was made.
type granted struct {
	*store.Grant
	key  string // of the one call that it is for
	over bool   // it was taken back in an earlier burst
}

// maxTerms is how many policies there are.
const maxTerms = 4

// terms are what a policy demands, by its number.
func terms(n int) store.Needs {
	finance := store.Factor{Approvers: []string{"group:finance"}, N: 1}
	needs := store.Needs{Factors: []store.Factor{finance}, DenyAt: 1}
	switch n {
	case 1:
		needs.Factors[0].N = 2
	case 2:
		needs.Factors = append(needs.Factors, store.Factor{Approvers: []string{"boss"}, N: 1})
		needs.Escalate, needs.Every = [][]string{{"al"}}, 2*time.Minute
	case 3:
		needs.DenyAt, needs.Reminders = 2, []time.Duration{time.Minute}
	}
	return needs
}

func newTown(t *testing.T, o *office, seed uint64) *town {
	w := &town{t: t, key: o.key, rng: rand.New(rand.NewPCG(seed, 7)), clock: start, recorded: map[string]string{},
		grants: map[string]*granted{},
		asks:   map[string]int{}, runs: map[string]int{}, last: map[string]*store.Approval{}}
	spent := state.NewMemory()
	for range 3 {
		p := &process{Service: o.other(t)}
		p.Spent = spent
		p.Now = func() time.Time { return w.clock.Add(p.off) }
		fails := rand.New(rand.NewPCG(seed, uint64(len(w.procs))))
		p.Record = func(_ context.Context, n store.Note) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			if fails.IntN(20) == 0 {
				return errors.New("the disk is busy")
			}
			w.recorded[n.ID] = n.Subject + " " + n.Kind
			return nil
		}
		w.procs = append(w.procs, p)
	}
	return w
}

// burst does one to four things at once, and looks at what came of it.
func (w *town) burst() {
	var group sync.WaitGroup
	for range 1 + w.rng.IntN(4) {
		do := w.something(w.procs[w.rng.IntN(len(w.procs))])
		group.Go(do)
	}
	group.Wait()
	w.inspect()
	for _, look := range w.later {
		look()
	}
	w.later = nil
	list, err := w.procs[0].Store.Grants(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	for _, g := range list {
		if known := w.grants[g.ID]; known != nil && !g.Revoked.IsZero() {
			known.over = true
		}
	}
	w.clock = w.clock.Add(time.Duration(w.rng.IntN(20)) * time.Second)
	for _, p := range w.procs {
		p.off = time.Duration(w.rng.IntN(40)-20) * time.Second
		if w.rng.IntN(25) == 0 { // a clock jumps, and jumps back
			p.off = time.Duration(2*w.rng.IntN(2)-1) * time.Hour
		}
	}
}

// request is a call of some agent under some policy. Each has its own id.
func (w *town) request() *approvals.Request {
	who, amount := w.rng.IntN(3), w.rng.IntN(2)
	n := []int{0, 3, 1, 0, 2, 0}[2*who+amount]
	if w.rng.IntN(10) == 0 { // the policy has changed
		n = w.rng.IntN(maxTerms)
	}
	w.calls++
	ev := call(fmt.Sprint("s", who), amount)
	ev.Tool.ID, ev.Session.AgentID = fmt.Sprint("c", w.calls), []string{"", "sub"}[w.rng.IntN(2)]
	return &approvals.Request{Event: ev, Hook: "payments", Policy: fmt.Sprint("p", n), Expires: 3 * time.Minute, Window: time.Minute,
		User: []string{"slack:T/cy", "slack:T/al", "os:7"}[who], Needs: terms(n)}
}

// some picks an approval, mostly one in one of these states.
func (w *town) some(p *process, states ...store.State) *store.Approval {
	q := store.Query{Most: 4}
	if w.rng.IntN(5) > 0 {
		q.States = states
	}
	list, err := p.Store.Approvals(context.Background(), q)
	if err != nil || len(list) == 0 {
		return nil
	}
	return list[w.rng.IntN(len(list))]
}

// something is one thing that may happen. What is random is drawn now.
func (w *town) something(p *process) func() {
	ctx := context.Background()
	r := w.request()
	a, who, dice := w.some(p, store.Pending, store.Approved), []string{"al", "bo", "cy", "boss", "stranger"}[w.rng.IntN(5)], w.rng.IntN(100)
	yes, edit := w.rng.IntN(5) > 0, w.rng.IntN(8) == 0
	switch {
	case dice < 20 || a == nil:
		return func() { _, _ = p.Ask(ctx, r) }
	case dice < 58:
		return func() { w.vote(p, a, who, yes, edit) }
	case dice < 75: // most come with the call that was asked
		if good := w.some(p, store.Approved); good != nil {
			a = good
		}
		if dice < 73 {
			r = again(r, a)
		}
		return func() { w.use(p, a.ID, r) }
	case dice < 81:
		return func() { w.give(p, a, who, yes) }
	case dice < 89:
		if yes {
			r = again(r, a)
		}
		return func() { w.pass(p, r) }
	case dice < 90:
		return func() { w.revoke(p) }
	case dice < 91:
		return func() { _ = p.Cancel(ctx, a.ID, "on second thoughts") }
	case dice < 92:
		return func() { _ = p.EndSession(ctx, a.Asks[0].Session) }
	case dice < 94:
		return func() { _, _ = p.Park(ctx, a.ID, a.Asks[0].Session, a.Asks[0].Agent) }
	case dice < 96:
		return func() { _, _ = p.Tell(ctx, a.ID, a.Asks[0].Session, a.Asks[0].Agent, r.Event.Tool.ID) }
	}
	return func() { _ = p.Sweep(ctx) }
}

// again is the call that an approval is for, coming again.
func again(r *approvals.Request, a *store.Approval) *approvals.Request {
	shown, _ := approvals.EventOf(a, trammel.Shapes{})
	ask := a.Asks[len(a.Asks)-1]
	r.Event.Tool.Input, r.Policy, r.Needs = shown.Tool.Input, a.PolicyDigest, terms(int(a.PolicyDigest[1]-'0'))
	r.Event.Session.ID, r.Event.Session.AgentID = ask.Session, ask.Agent
	if a.Edit != nil {
		edited := *a
		edited.Args = a.Edit.Args
		shown, _ = approvals.EventOf(&edited, trammel.Shapes{})
		r.Event.Tool.Input = shown.Tool.Input
	}
	return r
}

func (w *town) vote(p *process, a *store.Approval, who string, yes, edit bool) {
	d := approvals.Decision{Approval: a.ID, Nonce: a.Nonce, Digest: approvals.Shown(a), Approve: yes, Identity: "slack:T/" + who, Channel: "x",
		Signer: w.key}
	if edit {
		d.Edit, _ = approvals.NewEdit(a, []byte(`{"amount":7}`))
	}
	at := p.Now()
	now, err := p.Decide(context.Background(), d)
	if err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	c := cast{id: a.ID, who: who, approve: yes, at: at, steps: now.Escalated}
	if now.Edit != nil {
		c.edit = now.Edit.Digest
	}
	if w.votes = append(w.votes, c); now.State == store.Approved {
		w.asks[a.ID] = len(now.Asks)
	}
	if !now.Expires.After(at) || now.Created.Sub(at) > time.Minute {
		w.t.Errorf("%s voted at %s, and the request is from %s to %s", who, at, now.Created, now.Expires)
	}
}
