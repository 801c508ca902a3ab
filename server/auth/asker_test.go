package auth

import (
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"
)

// Who asks, and may therefore not decide: a login and a token that belongs to a person
// cannot name another user; the agents of the server's own user can, and have asked, too.
func TestAsker(t *testing.T) {
	a, c := newAuth(t)
	a.Roster().People["bo"] = []string{"os:4711"}
	secret := func(k Credential) string {
		text, err := a.Credentials.Create(t.Context(), k)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	bearer := func(secret string) *http.Request {
		r := httptest.NewRequest(http.MethodPost, "/v1/events", nil)
		r.Header.Set("Authorization", "Bearer "+secret)
		return r
	}
	local := func(uid int) *http.Request {
		r := httptest.NewRequest(http.MethodPost, "/v1/events", nil)
		return r.WithContext(WithPeer(r.Context(), uid))
	}
	session := httptest.NewRequest(http.MethodGet, "/", nil)
	session.AddCookie(a.newCookie(secret(Credential{Kind: Session, Name: "al", Role: Approver, Identity: "oidc:al", Proved: c.now()})))
	own, bos := os.Getuid(), Credential{Kind: Token, Name: "cx", Role: Agent, Identity: "token:cx", Account: "os:4711"}
	for name, k := range map[string]struct {
		r             *http.Request
		user, account string
	}{
		"token":              {bearer(secret(Credential{Kind: Token, Name: "ci", Role: Agent, Identity: "token:ci"})), "", ""},
		"token of a person":  {bearer(secret(bos)), "os:4711", "os:4711"},
		"session":            {session, "oidc:al", "oidc:al"},
		"person on a socket": {local(4711), "os:4711", "os:4711"},
		"own user":           {local(own), "", identityOf(own)},
	} {
		p, err := a.person(k.r)
		if err != nil || p == nil {
			t.Fatalf("%s: %v %v", name, p, err)
		}
		if user, account := Asker(With(k.r.Context(), p)); user != k.user || account != k.account {
			t.Errorf("%s: %q, %q, expected %q, %q", name, user, account, k.user, k.account)
		}
	}
	if user, account := Asker(t.Context()); user != "" || account != "" {
		t.Errorf("nobody: %q, %q", user, account)
	}
}

// Whose token it is cannot be changed in the store.
func TestTheAccountIsSigned(t *testing.T) {
	k := Credential{ID: "x", Kind: Token, Account: "os:1"}
	for _, other := range []Credential{{ID: "x", Kind: Token}, {ID: "x", Kind: Token, Account: "os:2"}} {
		if string(k.statement()) == string(other.statement()) {
			t.Errorf("%+v is signed like %+v", other, k)
		}
	}
}

// A proof counts for a quarter of an hour, and not before it was given: a clock was set back.
func TestFresh(t *testing.T) {
	a, c := newAuth(t)
	for age, fresh := range map[time.Duration]bool{0: true, ProofAge: true, -30 * time.Second: true, ProofAge + time.Second: false,
		-time.Minute: false, -2 * time.Minute: false, -time.Hour: false} {
		p := Person{Key: a.Server, Proved: c.now().Add(-age)}
		if p.Fresh(c.now()) != fresh {
			t.Errorf("given %s ago: %t", age, !fresh)
		}
	}
}

// A token exports nothing, whatever it is called.
func TestTokensDoNotExport(t *testing.T) {
	a, _ := newAuth(t)
	a.Exporters = []string{"al"}
	if !a.exports("bo", Admin) || a.exports("bo", Approver) {
		t.Error("who is not listed exports only as an admin")
	}
	for kind, exports := range map[string]bool{Session: true, Token: false, Link: false} {
		if a.holder(&Credential{Kind: kind, Name: "al", Role: Viewer}).Export != exports {
			t.Errorf("%s: %t", kind, !exports)
		}
	}
}
