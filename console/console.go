// Package console is what people see in a browser: what waits for them, what
// agents do, and why it was let through or not. Pages are made on the server
// and work without script; script adds keys, live updates and notices.
//
// It trusts whoever mounts it to check Host, origin and session first
// (server/secure, server/auth), and refuses what the person may not do itself.
package console

import (
	"context"
	"embed"
	"net/http"
	"time"

	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/liveness"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

// Deps are what the console shows and acts on. What is nil is not offered, and
// the page says so.
type Deps struct {
	// Approvals is the service by the settings as they are now.
	Approvals func(ctx context.Context) (*approvals.Service, error)
	// Decider is the person with what it takes to sign a vote; see auth.Auth.
	Decider func(r *http.Request, secret string) (*auth.Person, error)
	// Edit makes an edit out of other arguments for a call, with what the guards
	// say about it.
	Edit func(ctx context.Context, a *store.Approval, args []byte) (*store.Edit, error)
	// CallPattern is what calls like this one have in common, for grants.
	CallPattern func(a *store.Approval) (approvals.CallPattern, error)
	// Hooks is what is in force.
	Hooks func(ctx context.Context) (Configuration, error)
	// Authority are the keys that tombstones may be signed with; none are this machine's own.
	Authority []string
	// Hosts is how the agents on this machine stand.
	Hosts func(ctx context.Context) ([]liveness.HostHealth, error)
	// Gap is what the transcript of a session has and the evidence, whose calls
	// are named, has not.
	Gap func(ctx context.Context, s *store.Session, recorded []string) (*liveness.Gap, error)
	// Record is the line of an event in the evidence.
	Record func(ctx context.Context, e *store.Event) (evidence.Entry, error)
	// Case makes a test of the rules out of a record.
	Case func(body []byte) ([]byte, error)
	// Verify checks the logs, and says how they stand.
	Verify func(ctx context.Context) ([]Chain, error)
	// Denials lists calls that were denied lately; AllowOnce lets one pass.
	Denials   func(ctx context.Context, since time.Time, most int) ([]full.Denied, error)
	AllowOnce func(ctx context.Context, d approvals.Denial, by approvals.Granter) (*store.Grant, error)
	// Exported puts on record that somebody has taken records away.
	Exported func(ctx context.Context, who, query string, records int) error
	// OIDC is true if people can log in at an issuer.
	OIDC bool
	// Now is the clock; nil is the system's.
	Now func() time.Time
}

type console struct {
	Deps
	pages     pages
	decisions auth.Limit
	exports   auth.Limit
	checked   checked
	ran       ran
	hub       hub
}

//go:embed templates static
var content embed.FS

// New returns the console's pages.
func New(d Deps) http.Handler {
	if d.Now == nil {
		d.Now = time.Now
	}
	c := &console{Deps: d, pages: parse(), decisions: auth.Limit{Most: 60, Per: time.Minute, Now: d.Now},
		exports: auth.Limit{Most: 4, Per: time.Minute, Now: d.Now}}
	c.hub.console = c
	return c.routes()
}

func (c *console) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /static/", static())
	mux.HandleFunc("GET /login", c.login)
	for pattern, h := range map[string]page{
		"GET /inbox":                c.inbox,
		"POST /inbox":               c.denyAll,
		"GET /approvals/{id}":       c.approval,
		"POST /approvals/{id}":      c.decide,
		"GET /grants":               c.grants,
		"POST /grants/{id}":         c.revoke,
		"GET /denied":               c.denials,
		"POST /denied/{id}":         c.allow,
		"GET /live":                 c.live,
		"GET /sessions":             c.sessions,
		"GET /sessions/{host}/{id}": c.session,
		"GET /evidence":             c.evidence,
		"POST /evidence":            c.export,
		"GET /evidence/{id}":        c.record,
		"POST /filters/{page}":      c.save,
		"GET /hooks":                c.hooks,
		"GET /hooks/{id...}":        c.hook,
		"GET /trials":               c.trials,
		"GET /policies":             c.policies,
		"GET /hosts":                c.hosts,
		"GET /hosts/{name}":         c.hosts,
	} {
		mux.Handle(pattern, c.serve(h))
	}
	mux.Handle("GET /stream", c.known(http.HandlerFunc(c.hub.stream)))
	mux.Handle("GET /{$}", http.RedirectHandler("/inbox", http.StatusSeeOther))
	mux.Handle("/", c.serve(c.missing))
	return mux
}
