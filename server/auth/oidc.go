package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/trammel-dev/trammel"
)

// OIDC logs people in at an issuer (authorization code with PKCE).
type OIDC struct {
	config   oauth2.Config
	verifier *oidc.IDTokenVerifier
}

// NewOIDC asks the issuer how it works. redirect is our /oidc/callback, as
// browsers reach it.
func NewOIDC(ctx context.Context, issuer, client, secret, redirect string) (*OIDC, error) {
	provider, err := oidc.NewProvider(ctx, issuer)
	if err != nil {
		return nil, fmt.Errorf("the OIDC issuer: %w", err)
	}
	return &OIDC{config: oauth2.Config{ClientID: client, ClientSecret: secret, Endpoint: provider.Endpoint(), RedirectURL: redirect,
		Scopes: []string{oidc.ScopeOpenID}}, verifier: provider.Verifier(&oidc.Config{ClientID: client})}, nil
}

// visit is a login on its way to the issuer and back.
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
	// The proof has to be new: the issuer asks again.
	to := a.OIDC.config.AuthCodeURL(state, oidc.Nonce(v.Nonce), oauth2.S256ChallengeOption(v.Verifier),
		oauth2.SetAuthURLParam("prompt", "login"))
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

// arrive takes back a visitor: the browser that left, once, with a token for
// us, and somebody in the roster.
func (a *Auth) arrive(r *http.Request) (Credential, string, error) {
	state := r.URL.Query().Get("state")
	k, err := r.Cookie(a.visitCookie())
	if err != nil || state == "" || subtle.ConstantTimeCompare([]byte(k.Value), []byte(state)) != 1 {
		return Credential{}, "", fmt.Errorf("this login did not begin in this browser: begin again")
	}
	var v visit
	err = a.Credentials.State.Update(r.Context(), &visits, []trammel.Key{{digest("visit", state)}}, func(values [][]byte) error {
		if values[0] == nil {
			return fmt.Errorf("this login is over: begin again")
		}
		err := json.Unmarshal(values[0], &v)
		values[0] = nil
		return err
	})
	if err != nil {
		return Credential{}, "", err
	}
	tokens, err := a.OIDC.config.Exchange(r.Context(), r.URL.Query().Get("code"), oauth2.VerifierOption(v.Verifier))
	if err != nil {
		return Credential{}, "", fmt.Errorf("the issuer does not confirm the login")
	}
	raw, _ := tokens.Extra("id_token").(string)
	id, err := a.OIDC.verifier.Verify(r.Context(), raw)
	if err != nil || subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(v.Nonce)) != 1 {
		return Credential{}, "", fmt.Errorf("the issuer's token is not for this login")
	}
	identity := "oidc:" + id.Subject
	name, known := a.Roster().Who(identity)
	if !known {
		return Credential{}, "", fmt.Errorf("%s is not in approvals.people", identity)
	}
	return Credential{Kind: Session, Identity: identity, Name: name, Role: a.roleOf(name, Approver), Proved: a.Now()}, v.Next, nil
}
