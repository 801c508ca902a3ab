package auth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/approvals"
)

// ErrTooMany is returned for too many attempts.
var ErrTooMany = errors.New("too many attempts: wait a minute")

// Login answers POST /login: with the authority secret, or with a read-only
// link. An earlier session ends.
func (a *Auth) Login(w http.ResponseWriter, r *http.Request) {
	next := Next(r.PostFormValue("next"))
	made, err := a.login(r)
	if err != nil {
		status := http.StatusUnauthorized
		if errors.Is(err, ErrTooMany) {
			status = http.StatusTooManyRequests
		}
		a.Problem(w, r, status, err.Error())
		return
	}
	a.begin(w, r, made, next)
}

func (a *Auth) login(r *http.Request) (Credential, error) {
	made := Credential{Kind: Session}
	if link := r.PostFormValue("link"); link != "" {
		if !a.logins.Allow(address(r)) {
			return made, ErrTooMany
		}
		found, err := a.Credentials.Find(r.Context(), link)
		if err != nil || found.Kind != Link {
			return made, cmp.Or(err, ErrUnknown)
		}
		if there, err := a.Credentials.Revoke(r.Context(), found.ID); err != nil || !there { // it opens one session
			return made, cmp.Or(err, ErrUnknown)
		}
		made.Name, made.Identity, made.Role = found.Name, found.Identity, Viewer
		return made, nil
	}
	key, err := a.prove(r, r.PostFormValue("secret"))
	if err != nil {
		return made, err
	}
	made.Identity = "authority:" + key.KeyID()
	made.Name, made.Proved = a.nameOf(made.Identity), a.Now()
	made.Role = a.roleOf(made.Name, Admin)
	return made, nil
}

// prove opens the key of this machine with the authority secret, and counts
// attempts.
func (a *Auth) prove(r *http.Request, secret string) (approvals.Signer, error) {
	if !a.logins.Allow(address(r), "authority") {
		return nil, ErrTooMany
	}
	sealed, err := a.Authority()
	switch {
	case err != nil:
		return nil, err
	case sealed == nil:
		return nil, errors.New("no authority secret is set yet: run trammel approvals unlock in a terminal")
	case secret == "":
		return nil, errors.New("enter the authority secret")
	}
	key, err := sealed.Open(secret)
	if errors.Is(err, approvals.ErrSecret) {
		err = errors.Join(a.Wrong(r.Context(), address(r)), err)
	}
	if err != nil {
		return nil, err
	}
	a.logins.forgive(address(r), "authority")
	return key, nil
}

// Decider is the person with a key to sign a vote: from a fresh login, or from
// the authority secret given now.
func (a *Auth) Decider(r *http.Request, secret string) (*Person, error) {
	p := From(r.Context())
	switch {
	case p == nil:
		return nil, ErrUnknown
	case p.Credential != "" && p.CSRF == "": // also with the secret: programs do not decide
		return nil, ErrToken
	}
	if secret == "" && p.Fresh(a.Now()) {
		return p, nil
	}
	if secret == "" {
		return nil, ErrProof
	}
	key, err := a.prove(r, secret)
	if err != nil {
		return nil, err
	}
	proved := *p
	proved.Key, proved.Proved, proved.Identity = key, a.Now(), "authority:"+key.KeyID()
	proved.Name = a.nameOf(proved.Identity)
	proved.Role = max(p.Role, a.roleOf(proved.Name, Approver))
	return &proved, nil
}

// ErrProof is returned if a decision needs a new proof.
var ErrProof = errors.New("a decision needs a new proof of who you are: give the authority secret, or log in again")

// ErrToken is returned if a token is used to decide.
var ErrToken = errors.New("a token decides nothing: log in, or decide at a terminal")

// begin starts a session: a new secret, whatever the browser had before.
func (a *Auth) begin(w http.ResponseWriter, r *http.Request, made Credential, next string) {
	if k, err := r.Cookie(a.cookie()); err == nil {
		a.Credentials.Revoke(r.Context(), idOf(k.Value)) // if it cannot be removed, it expires
	}
	secret, err := a.Credentials.Create(r.Context(), made)
	if err != nil {
		a.Problem(w, r, http.StatusServiceUnavailable, "the session cannot be stored now")
		return
	}
	http.SetCookie(w, a.newCookie(secret))
	http.Redirect(w, r, next, http.StatusSeeOther)
}

func (a *Auth) newCookie(value string) *http.Cookie {
	return &http.Cookie{Name: a.cookie(), Value: value, Path: "/", Secure: a.TLS, HttpOnly: true, SameSite: http.SameSiteLaxMode}
}

// Logout answers POST /logout.
func (a *Auth) Logout(w http.ResponseWriter, r *http.Request) {
	if p := From(r.Context()); p != nil && p.Credential != "" {
		if _, err := a.Credentials.Revoke(r.Context(), p.Credential); err != nil {
			a.Problem(w, r, http.StatusServiceUnavailable, "the session cannot be ended now")
			return
		}
	}
	gone := a.newCookie("")
	gone.MaxAge = -1
	http.SetCookie(w, gone)
	http.Redirect(w, r, "/login", http.StatusSeeOther)
}

// NewLink makes a secret that opens one read-only session: an agent could have
// printed it.
func (a *Auth) NewLink(ctx context.Context) (string, error) {
	return a.Credentials.Create(ctx, Credential{Kind: Link, Name: "viewer", Identity: fmt.Sprintf("os:%d", os.Getuid()), Role: Viewer,
		Expires: a.Now().Add(10 * time.Minute)})
}

// nameOf is the person's name in the roster, or the identity.
func (a *Auth) nameOf(identity string) string {
	if name, ok := a.Roster().Who(identity); ok {
		return name
	}
	if strings.HasPrefix(identity, "authority:") {
		return approvals.Local
	}
	return identity
}

func (a *Auth) roleOf(name string, otherwise Role) Role {
	if role, ok := a.Roles[name]; ok {
		return role
	}
	return otherwise
}

// exports reports whether somebody may export records.
func (a *Auth) exports(name string, role Role) bool {
	return role == Admin || a.Exporters == nil && role == Approver || slices.Contains(a.Exporters, name)
}

func identityOf(uid int) string { return fmt.Sprintf("os:%d", uid) }

// local is a user of this machine on the socket. The user that the server, and
// perhaps an agent, runs as can look, but decides only with a proof.
func (a *Auth) local(uid int) *Person {
	p := &Person{Identity: identityOf(uid), Role: Viewer}
	p.Account = p.Identity
	p.Name = a.nameOf(p.Identity)
	if _, known := a.Roster().Who(p.Identity); known && uid != os.Getuid() {
		p.Role, p.Proved, p.Key = a.roleOf(p.Name, Approver), a.Now(), a.Server
	}
	p.Export = a.exports(p.Name, p.Role)
	return p
}

// Next is where to go after a login: a path of ours, never another site (UI-02).
func Next(path string) string {
	u, err := url.Parse(path)
	bad := func(c rune) bool { return c < ' ' || c == 0x7f || c == '\\' }
	if err != nil || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsFunc(path, bad) || u.Scheme != "" ||
		u.Host != "" {
		return "/"
	}
	return path
}

func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
