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
	Edit func(ctx context.Context, a *store.Approval, args map[string]any) (*store.Edit, error)
	// OIDC is true if people can log in at an issuer.
	OIDC bool
	// Now is the clock; nil is the system's.
	Now func() time.Time
}

type console struct {
	Deps
	pages     pages
	decisions auth.Limit
	hub       hub
}

//go:embed templates static
var content embed.FS

// New returns the console's pages.
func New(d Deps) http.Handler {
	if d.Now == nil {
		d.Now = time.Now
	}
	c := &console{Deps: d, pages: parse(), decisions: auth.Limit{Most: 60, Per: time.Minute, Now: d.Now}}
	c.hub.console = c
	return c.routes()
}

func (c *console) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /static/", static())
	mux.HandleFunc("GET /login", c.login)
	for pattern, h := range map[string]page{
		"GET /inbox":           c.inbox,
		"POST /inbox":          c.denyAll,
		"GET /approvals/{id}":  c.approval,
		"POST /approvals/{id}": c.decide,
	} {
		mux.Handle(pattern, c.serve(h))
	}
	mux.Handle("GET /stream", c.known(http.HandlerFunc(c.hub.stream)))
	mux.Handle("GET /{$}", http.RedirectHandler("/inbox", http.StatusSeeOther))
	mux.Handle("/", c.serve(c.missing))
	return mux
}
