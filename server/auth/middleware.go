package auth

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/approvals"
)

// Auth finds out who makes a request.
type Auth struct {
	Credentials *Credentials
	// Roster is who may decide, as the configuration says now.
	Roster func() *approvals.Roster
	// Authority is the sealed key of this machine, nil if no secret is set.
	Authority func() (*approvals.Sealed, error)
	// Server signs for people that this server has identified.
	Server approvals.Signer
	// TLS is true if the server is reached only over HTTPS.
	TLS bool
	// OIDC logs people in at an issuer; nil if it is not set up.
	OIDC *OIDC
	// Roles are the roles of people, by name, and of values of the OIDC claim,
	// as @value; others are approvers.
	Roles map[string]Role
	// Exporters are the names of those who may export records, in addition to
	// admins; nil means every approver.
	Exporters []string
	// Wrong puts on record that a wrong authority secret came from an address.
	Wrong func(ctx context.Context, address string) error
	// Problem answers a request that is refused.
	Problem func(w http.ResponseWriter, r *http.Request, status int, detail string)
	Now     func() time.Time

	logins Limit
}

// Ready sets the limits; call it before the first request.
func (a *Auth) Ready() *Auth {
	a.logins = Limit{Most: 5, Per: time.Minute, Now: a.Now}
	return a
}

// cookie is the name of the session's cookie. Browsers accept __Host- only over
// HTTPS, and only without a domain.
func (a *Auth) cookie() string {
	if a.TLS {
		return "__Host-trammel"
	}
	return "trammel"
}

// Middleware puts the person into the request's context. Requests with a cookie
// that change something must repeat the session's token.
func (a *Auth) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, err := a.person(r)
		switch {
		case errors.Is(err, ErrUnknown) && r.Header.Get("Authorization") != "":
			a.Problem(w, r, http.StatusUnauthorized, "this token is unknown, has expired or was revoked")
			return
		case err != nil && !errors.Is(err, ErrUnknown):
			a.Problem(w, r, http.StatusServiceUnavailable, "sessions cannot be read now")
			return
		}
		if p != nil {
			r = r.WithContext(With(r.Context(), p))
		}
		if p != nil && p.CSRF != "" && changes(r) && !repeats(r, p.CSRF) {
			a.Problem(w, r, http.StatusForbidden, "this form does not belong to your session: reload the page")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func changes(r *http.Request) bool { return r.Method != http.MethodGet && r.Method != http.MethodHead }

// CSRFHeader and CSRFField carry the session's token.
const (
	CSRFHeader = "X-Trammel-CSRF"
	CSRFField  = "csrf"
)

func repeats(r *http.Request, token string) bool {
	got := r.Header.Get(CSRFHeader)
	if got == "" && strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		got = r.PostFormValue(CSRFField)
	}
	return subtle.ConstantTimeCompare([]byte(got), []byte(token)) == 1
}

// person is who made the request; nil if unknown.
func (a *Auth) person(r *http.Request) (*Person, error) {
	if uid, ok := peer(r.Context()); ok {
		return a.local(uid), nil
	}
	if secret, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		c, err := a.Credentials.Find(r.Context(), secret)
		if err != nil || c.Kind != Token {
			return nil, cmp.Or(err, ErrUnknown)
		}
		return a.holder(c), nil
	}
	k, err := r.Cookie(a.cookie())
	if err != nil {
		return nil, nil
	}
	c, err := a.Credentials.Find(r.Context(), k.Value)
	if err != nil || c.Kind != Session {
		return nil, err
	}
	p := a.holder(c)
	p.CSRF = CSRF(k.Value)
	return p, nil
}

// holder is the person of a credential. A login with the authority secret does
// not stay a proof: an agent of the same user can read cookies.
func (a *Auth) holder(c *Credential) *Person {
	p := &Person{Name: c.Name, Role: c.Role, Identity: c.Identity, Account: c.Account, Proved: c.Proved, Credential: c.ID}
	if c.Kind == Session {
		p.Export, p.Account = a.exports(c.Name, c.Role), c.Identity
	}
	if strings.HasPrefix(c.Identity, "oidc:") {
		p.Key = a.Server
	}
	return p
}

// Require lets only people with a role through. Others are sent to the login
// page, if the client is a browser.
func (a *Auth) Require(role Role, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch p := From(r.Context()); {
		case p == nil && r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html"):
			http.Redirect(w, r, "/login?next="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
		case p == nil:
			w.Header().Set("WWW-Authenticate", "Bearer")
			a.Problem(w, r, http.StatusUnauthorized, "log in, or send a token")
		case p.Role < role:
			a.Problem(w, r, http.StatusForbidden, "this needs the role "+role.String()+", but you are "+p.Role.String())
		case role == Agent && changes(r) && !p.submits():
			a.Problem(w, r, http.StatusForbidden, "a viewer submits nothing: this needs a token with the role agent, or the socket")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// Asker is whose event a request submits, if that is known, and the identity of the
// client. Nobody can ask only in another's name. The agents of the server's own user
// may name the user they work for: then both have asked.
func Asker(ctx context.Context) (user, account string) {
	p := From(ctx)
	switch {
	case p == nil:
		return "", ""
	case p.Key == nil && p.Credential == "":
		return "", p.Account
	}
	return p.Account, p.Account
}

type peerKey struct{}

// WithPeer stores the user on the other side of a socket.
func WithPeer(ctx context.Context, uid int) context.Context {
	return context.WithValue(ctx, peerKey{}, uid)
}

func peer(ctx context.Context) (uid int, ok bool) {
	uid, ok = ctx.Value(peerKey{}).(int)
	return uid, ok
}
