package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/trammel-dev/trammel"
)

// OIDC logs people in at an issuer (authorization code with PKCE).
type OIDC struct {
	config   oauth2.Config
	verifier *oidc.IDTokenVerifier
	// Claim is the claim whose values have roles, such as "groups"; "" if there is none.
	Claim string
}

// issuerTime is how long the issuer may take for an answer.
const issuerTime = 10 * time.Second

// NewOIDC reads the issuer's configuration. redirect is the address of our
// /oidc/callback for browsers.
func NewOIDC(ctx context.Context, issuer, client, secret, redirect string) (*OIDC, error) {
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, &http.Client{Timeout: issuerTime}), issuer)
	if err != nil {
		return nil, fmt.Errorf("the OIDC issuer: %w", err)
	}
	return &OIDC{config: oauth2.Config{ClientID: client, ClientSecret: secret, Endpoint: provider.Endpoint(), RedirectURL: redirect,
		Scopes: []string{oidc.ScopeOpenID}}, verifier: provider.Verifier(&oidc.Config{ClientID: client})}, nil
}

// visit is a login in progress.
type visit struct {
	Verifier, Nonce, Next string
}

var visits = trammel.Bucket{Name: "server/visits", Keep: 10 * time.Minute, Most: 10000}

func (a *Auth) visitCookie() string { return a.cookie() + "-oidc" }

// OIDCLogin answers GET /oidc/login: it sends the browser to the issuer.
func (a *Auth) OIDCLogin(w http.ResponseWriter, r *http.Request) {
	if !a.logins.Allow(address(r)) {
		a.Problem(w, r, http.StatusTooManyRequests, ErrTooMany.Error())
		return
	}
	state := rand.Text()
	v := visit{Verifier: oauth2.GenerateVerifier(), Nonce: rand.Text(), Next: Next(r.URL.Query().Get("next"))}
	err := a.Credentials.State.Update(r.Context(), &visits, []trammel.Key{{digest("visit", state)}}, func(values [][]byte) (err error) {
		values[0], err = json.Marshal(v)
		return err
	})
	if err != nil {
		a.Problem(w, r, http.StatusServiceUnavailable, "the login cannot be stored now")
		return
	}
	k := a.newCookie(state)
	k.Name, k.MaxAge = a.visitCookie(), 600
	http.SetCookie(w, k)
	// The proof must be new: the issuer asks again, and says when it did.
	to := a.OIDC.config.AuthCodeURL(state, oidc.Nonce(v.Nonce), oauth2.S256ChallengeOption(v.Verifier),
		oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", strconv.Itoa(int(ProofAge.Seconds()))))
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// OIDCCallback answers GET /oidc/callback.
func (a *Auth) OIDCCallback(w http.ResponseWriter, r *http.Request) {
	made, next, err := a.arrive(r)
	if err != nil {
		a.Problem(w, r, http.StatusUnauthorized, err.Error())
		return
	}
	a.begin(w, r, made, next)
}

// arrive completes a login: the same browser, once, with a token for us, and a
// person in the roster.
func (a *Auth) arrive(r *http.Request) (Credential, string, error) {
	state := r.URL.Query().Get("state")
	k, err := r.Cookie(a.visitCookie())
	if err != nil || state == "" || subtle.ConstantTimeCompare([]byte(k.Value), []byte(state)) != 1 {
		return Credential{}, "", fmt.Errorf("this login was not started in this browser: start again")
	}
	var v visit
	err = a.Credentials.State.Update(r.Context(), &visits, []trammel.Key{{digest("visit", state)}}, func(values [][]byte) error {
		if values[0] == nil {
			return fmt.Errorf("this login has expired: start again")
		}
		err := json.Unmarshal(values[0], &v)
		values[0] = nil
		return err
	})
	if err != nil {
		return Credential{}, "", err
	}
	ctx, stop := context.WithTimeout(r.Context(), issuerTime)
	defer stop()
	tokens, err := a.OIDC.config.Exchange(ctx, r.URL.Query().Get("code"), oauth2.VerifierOption(v.Verifier))
	if err != nil {
		return Credential{}, "", fmt.Errorf("the issuer does not confirm the login")
	}
	raw, _ := tokens.Extra("id_token").(string)
	id, err := a.OIDC.verifier.Verify(ctx, raw)
	if err != nil || subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(v.Nonce)) != 1 {
		return Credential{}, "", fmt.Errorf("the issuer's token is not for this login")
	}
	made, err := a.known(id)
	return made, v.Next, err
}

// known is the session of a person that the issuer has identified. They are in
// the roster, or have a role by a claim. The proof is as old as the issuer
// says; without that there is none, and the session is read-only until another
// proof is given.
func (a *Auth) known(id *oidc.IDToken) (Credential, error) {
	var claims map[string]any
	if err := id.Claims(&claims); err != nil {
		return Credential{}, fmt.Errorf("the issuer's token cannot be read")
	}
	if strings.TrimSpace(id.Subject) == "" {
		return Credential{}, fmt.Errorf("the issuer's token does not say who it is about")
	}
	made := Credential{Kind: Session, Identity: "oidc:" + id.Subject}
	made.Name = made.Identity
	role, given := a.roleByClaim(claims[a.OIDC.Claim])
	name, inRoster := a.Roster().Who(made.Identity)
	switch {
	case inRoster:
		made.Name = name
	case !given:
		return Credential{}, fmt.Errorf("%s is not in approvals.people: add it there", made.Identity)
	}
	if !given {
		role = Approver
	}
	made.Role = a.roleOf(made.Name, role)
	if at, ok := claims["auth_time"].(float64); ok && time.Unix(int64(at), 0).Before(a.Now().Add(time.Minute)) {
		made.Proved = time.Unix(int64(at), 0)
	}
	return made, nil
}

// roleByClaim is the highest role that a value of the claim has. In Roles such
// a value begins with an @, so that it cannot be a person's name.
func (a *Auth) roleByClaim(claim any) (role Role, given bool) {
	values, ok := claim.([]any)
	if !ok {
		values = []any{claim}
	}
	for _, v := range values {
		if text, ok := v.(string); ok {
			r, known := a.Roles["@"+text]
			role, given = max(role, r), given || known
		}
	}
	return role, given
}
