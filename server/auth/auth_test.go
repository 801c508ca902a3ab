package auth

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/internal/state"
)

// clock is a clock that the test moves.
type clock struct{ time.Time }

func (c *clock) now() time.Time { return c.Time }

func newAuth(t *testing.T) (*Auth, *clock) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &clock{time.Now()}
	key := approvals.PrivateKey(private)
	sealed, err := approvals.Seal("correct horse")
	if err != nil {
		t.Fatal(err)
	}
	roster := &approvals.Roster{People: map[string][]string{"al": {"authority:" + approvals.KeyID(sealed.Public)}}}
	a := &Auth{Credentials: &Credentials{State: state.NewMemory(), Signer: key, Servers: approvals.Named(public), Now: c.now},
		Roster:    func() *approvals.Roster { return roster },
		Authority: func() (*approvals.Sealed, error) { return sealed, nil }, Server: key, Now: c.now,
		Wrong:   func(context.Context, string) error { return nil },
		Problem: func(w http.ResponseWriter, _ *http.Request, status int, detail string) { http.Error(w, detail, status) }}
	return a.Ready(), c
}

func login(t *testing.T, a *Auth, form url.Values, cookies ...*http.Cookie) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/login", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for _, c := range cookies {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	a.Login(w, r)
	return w
}

// whoIs shows who the middleware takes somebody with this cookie for.
func whoIs(a *Auth, method string, form url.Values, cookies ...*http.Cookie) (p *Person, status int) {
	r := httptest.NewRequest(method, "/x", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for _, c := range cookies {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	a.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { p = From(r.Context()) })).ServeHTTP(w, r)
	return p, w.Code
}

// UI-28: a session is hashed in the store, new at each login, idle 8 h, can be
// revoked, and its forms repeat a token of their own.
func TestUI28Sessions(t *testing.T) {
	a, c := newAuth(t)
	first := login(t, a, url.Values{"secret": {"correct horse"}}).Result().Cookies()
	if len(first) != 1 || !first[0].HttpOnly || first[0].SameSite != http.SameSiteLaxMode || first[0].MaxAge != 0 {
		t.Fatalf("cookies %v", first)
	}
	p, _ := whoIs(a, "GET", nil, first[0])
	if p == nil || p.Name != "al" || p.Role != Admin || p.CSRF == "" {
		t.Fatalf("person %+v", p)
	}
	if p.Fresh(c.now()) {
		t.Error("a cookie alone decides: an agent of the same user can read it")
	}
	if _, status := whoIs(a, "POST", url.Values{}, first[0]); status != http.StatusForbidden {
		t.Errorf("a form without the session's token: %d", status)
	}
	if _, status := whoIs(a, "POST", url.Values{CSRFField: {p.CSRF}}, first[0]); status != http.StatusOK {
		t.Errorf("a form with the session's token: %d", status)
	}
	second := login(t, a, url.Values{"secret": {"correct horse"}}, first[0]).Result().Cookies()
	if old, _ := whoIs(a, "GET", nil, first[0]); old != nil {
		t.Error("the session before a login still counts")
	}
	c.Time = c.Add(7 * time.Hour)
	if p, _ := whoIs(a, "GET", nil, second[0]); p == nil {
		t.Error("ended after 7 h")
	}
	c.Time = c.Add(8*time.Hour + time.Second)
	if p, _ := whoIs(a, "GET", nil, second[0]); p != nil {
		t.Error("lasts longer than 8 h idle")
	}
	c.Time = c.Add(-24 * time.Hour)
	if p, _ := whoIs(a, "GET", nil, second[0]); p != nil {
		t.Error("a session that was over counts again after the clock was set back")
	}
	third := login(t, a, url.Values{"secret": {"correct horse"}}).Result().Cookies()
	list, err := a.Credentials.List(t.Context(), Session)
	if err != nil || len(list) != 1 {
		t.Fatalf("sessions %v, %v", list, err)
	}
	if id := idOf("trm_x"); !strings.HasPrefix(list[0].ID, "cred_") || !strings.HasPrefix(id, "cred_") {
		t.Errorf("%s and %s are given to commands, which take what begins with - for an option", list[0].ID, id)
	}
	if _, err := a.Credentials.Revoke(t.Context(), list[0].ID); err != nil {
		t.Fatal(err)
	}
	if p, _ := whoIs(a, "GET", nil, third[0]); p != nil {
		t.Error("a revoked session counts")
	}
}

// Whoever can write to the store cannot let themselves in: a credential counts
// by a server's signature.
func TestForgedCredentialsDoNotCount(t *testing.T) {
	a, _ := newAuth(t)
	secret, err := a.Credentials.Create(t.Context(), Credential{Kind: Token, Name: "bot", Role: Viewer, Identity: "token:bot"})
	if err != nil {
		t.Fatal(err)
	}
	whole := ""
	for name, forge := range map[string]func(c *Credential){
		"nothing":  func(*Credential) {},
		"account":  func(c *Credential) { c.Account = "os:1" },
		"name":     func(c *Credential) { c.Name = "boss" },
		"expiry":   func(c *Credential) { c.Expires = time.Now().Add(1000 * time.Hour) },
		"proof":    func(c *Credential) { c.Proved = time.Now() },
		"made":     func(c *Credential) { c.Created = c.Created.Add(time.Hour) },
		"no proof": func(c *Credential) { c.Proof = nil },
		"no key":   func(c *Credential) { c.Key = "" },
		"role":     func(c *Credential) { c.Role = Admin },
		"kind":     func(c *Credential) { c.Kind = Session },
		"identity": func(c *Credential) { c.Identity = "oidc:boss" },
		"key":      func(c *Credential) { c.Key = "key_other" },
	} {
		err := a.Credentials.State.Update(t.Context(), &bucket, []trammel.Key{{idOf(secret)}}, func(v [][]byte) (err error) {
			if whole == "" {
				whole = string(v[0])
			}
			var c Credential // each time the whole one: what was forged before is not to be the reason
			if err := json.Unmarshal([]byte(whole), &c); err != nil {
				return err
			}
			forge(&c)
			v[0], err = json.Marshal(c)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		a.Credentials.recent.Clear()
		if c, err := a.Credentials.Find(t.Context(), secret); errors.Is(err, ErrUnknown) == (name == "nothing") {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

// UI-20: a link only looks, and opens one session. UI-29: five logins a minute.
func TestUI20LinksAndUI29Logins(t *testing.T) {
	a, c := newAuth(t)
	link, err := a.NewLink(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w := login(t, a, url.Values{"link": {link}, "next": {"//evil.example"}})
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/" {
		t.Fatalf("%d %s", w.Code, w.Header().Get("Location"))
	}
	if p, _ := whoIs(a, "GET", nil, w.Result().Cookies()...); p == nil || p.Role != Viewer {
		t.Errorf("person %+v", p)
	}
	if w := login(t, a, url.Values{"link": {link}}); w.Code != http.StatusUnauthorized {
		t.Errorf("the same link again: %d", w.Code)
	}
	c.Time = c.Add(time.Minute)
	for i := range 6 {
		want := http.StatusUnauthorized
		if i == 5 {
			want = http.StatusTooManyRequests
		}
		if w := login(t, a, url.Values{"secret": {"wrong"}}); w.Code != want {
			t.Errorf("attempt %d: %d", i, w.Code)
		}
	}
}

// A link opens one session, also where two replicas have just seen it.
func TestALinkOpensOneSessionAnywhere(t *testing.T) {
	a, c := newAuth(t)
	link, err := a.NewLink(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	k := a.Credentials
	replica, _ := newAuth(t)
	replica.Credentials = &Credentials{State: k.State, Signer: k.Signer, Servers: k.Servers, Now: c.now}
	if _, err := replica.Credentials.Find(t.Context(), link); err != nil {
		t.Fatal(err)
	}
	if w := login(t, a, url.Values{"link": {link}}); w.Code != http.StatusSeeOther {
		t.Fatal(w.Code)
	}
	if w := login(t, replica, url.Values{"link": {link}}); w.Code != http.StatusUnauthorized {
		t.Errorf("the replica opens another one: %d", w.Code)
	}
}

// UI-02: after a login nobody is sent elsewhere.
func TestUI02Next(t *testing.T) {
	for path, want := range map[string]string{"/inbox?q=a": "/inbox?q=a", "//x": "/", `/\x`: "/", "http://x": "/", "": "/", "/a\nb": "/",
		"x":                "/",
		"/approvals/apr_1": "/approvals/apr_1", "javascript:alert(1)": "/"} {
		if got := Next(path); got != want {
			t.Errorf("Next(%q) = %q, want %q", path, got, want)
		}
	}
}

// A damaged credential lets nobody in, and does not lock out others; and
// a clock that is set back does not keep one that was revoked elsewhere.
func TestDamagedCredentials(t *testing.T) {
	a, c := newAuth(t)
	secret, err := a.Credentials.Create(t.Context(), Credential{Kind: Token, Name: "bot", Role: Viewer, Identity: "token:bot"})
	if err != nil {
		t.Fatal(err)
	}
	put := func(change func(v []byte) []byte) {
		t.Helper()
		err := a.Credentials.State.Update(t.Context(), &bucket, []trammel.Key{{idOf(secret)}}, func(v [][]byte) error {
			v[0] = change(v[0])
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var whole []byte
	put(func(v []byte) []byte { whole = append(whole, v...); return v })
	for _, damaged := range []string{"", "null", "{}", "[]", strings.Replace(string(whole), `"role":2`, `"role":99`, 1),
		strings.Replace(string(whole), `"role":2`, `"role":-1`, 1), strings.Replace(string(whole), `"role":2`, `"role":null`, 1)} {
		put(func([]byte) []byte { return []byte(damaged) })
		if k, err := a.Credentials.Find(t.Context(), secret); !errors.Is(err, ErrUnknown) {
			t.Errorf("%s: %+v, %v", damaged, k, err)
		}
		if list, err := a.Credentials.List(t.Context(), Token); err != nil || len(list) > 0 {
			t.Errorf("%s: %v, %v", damaged, list, err)
		}
	}
	put(func([]byte) []byte { return whole })
	if _, err := a.Credentials.Find(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	request.Header.Set("Authorization", "Bearer "+secret)
	broken := &Auth{Credentials: &Credentials{State: unreadable{a.Credentials.State}, Servers: a.Credentials.Servers, Now: c.now}}
	if p, err := broken.person(request); p != nil || err == nil || errors.Is(err, ErrUnknown) { // the token may be a good one
		t.Errorf("%+v, %v", p, err)
	}
	put(func([]byte) []byte { return nil }) // another replica has revoked it
	c.Time = c.Add(-time.Hour)
	if k, err := a.Credentials.Find(t.Context(), secret); !errors.Is(err, ErrUnknown) {
		t.Errorf("%+v, %v", k, err)
	}
}

// unreadable is a state that cannot be read now.
type unreadable struct{ trammel.State }

func (unreadable) View(context.Context, *trammel.Bucket, []trammel.Key, func([][]byte) error) error {
	return context.DeadlineExceeded
}

// A role that somebody has written into a credential is no reason to panic; two
// connections from one address are one.
func TestRolesAndAddresses(t *testing.T) {
	for _, role := range []Role{-1, Role(len(roleNames)), Role(len(roleNames) + 1)} {
		if text := role.String(); !strings.HasPrefix(text, "role(") {
			t.Error(role)
		}
	}
	l := Limit{Most: 1, Per: time.Hour, Now: time.Now}
	if !l.Allow("address", "al") || l.Allow("address", "bo") || l.Allow("cy", "al") {
		t.Error("one of two names is beyond the limit")
	}
	if got := address(&http.Request{RemoteAddr: "192.0.2.1:7"}); got != "192.0.2.1" {
		t.Error(got)
	}
}

// A role needs a name: an issuer may say nothing in its claim.
func TestRoles(t *testing.T) {
	for text, ok := range map[string]bool{"al=admin": true, "@ops=viewer": true, "al=viewer bo=viewer": true, "=admin": false,
		"@=admin": false,
		"admin":   false, "al=": false, "al=nobody": false, "al=Admin": false, "al=admin=admin": false, "al=viewer al=admin": false, "": true} {
		roles, err := ParseRoles(strings.Fields(text))
		if (err == nil) != ok || ok && len(roles) != len(strings.Fields(text)) {
			t.Errorf("%q: %v, %v", text, roles, err)
		}
	}
	if _, err := ParseRoles([]string{"@ =admin"}); err == nil {
		t.Error("a blank has a role")
	}
}

// A credential is what it was made for, for as long, and under its own secret.
func TestCredentialsOfAnotherKind(t *testing.T) {
	a, c := newAuth(t)
	made := map[string]string{}
	for _, kind := range []string{Session, Token, Link} {
		secret, err := a.Credentials.Create(t.Context(), Credential{Kind: kind, Name: kind, Role: Viewer, Identity: "x:" + kind,
			Expires: c.Add(time.Hour)})
		if err != nil {
			t.Fatal(err)
		}
		made[kind] = secret
	}
	as := func(secret string) (bearer, cookie, link bool) {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Authorization", "Bearer "+secret)
		p, _ := a.person(r)
		who, _ := whoIs(a, http.MethodGet, nil, a.newCookie(secret))
		opened := login(t, a, url.Values{"link": {secret}}).Code == http.StatusSeeOther
		return p != nil, who != nil, opened
	}
	for kind, secret := range made {
		c.Time = c.Add(2 * time.Minute) // logins are limited
		if bearer, cookie, link := as(secret); bearer != (kind == Token) || cookie != (kind == Session) || link != (kind == Link) {
			t.Errorf("%s: %t %t %t", kind, bearer, cookie, link)
		}
	}
	boss, err := a.Credentials.Create(t.Context(), Credential{Kind: Token, Name: "boss", Role: Admin, Identity: "oidc:boss"})
	if err != nil {
		t.Fatal(err)
	}
	var record []byte
	err = a.Credentials.State.Update(t.Context(), &bucket, []trammel.Key{{idOf(boss)}, {idOf(made[Token])}}, func(v [][]byte) error {
		record, v[1] = v[1], v[0] // somebody who can write to the store, and has a token, would be the boss
		return nil
	})
	a.Credentials.recent.Clear()
	if k, found := a.Credentials.Find(t.Context(), made[Token]); err != nil || !errors.Is(found, ErrUnknown) {
		t.Errorf("%+v, %v, %v", k, found, err)
	}
	err = a.Credentials.State.Update(t.Context(), &bucket, []trammel.Key{{idOf(made[Token])}}, func(v [][]byte) error {
		v[0] = record
		return nil
	})
	for _, left := range []time.Duration{time.Second, 0, -time.Second} {
		a.Credentials.recent.Clear()
		var k Credential
		if json.Unmarshal(record, &k) != nil || err != nil {
			t.Fatal(err)
		}
		c.Time = k.Expires.Add(-left)
		if _, err := a.Credentials.Find(t.Context(), made[Token]); (err == nil) != (left > 0) {
			t.Errorf("%s before its end: %v", left, err)
		}
	}
}

// The user that the server runs as may be an agent: a roster does not make that a
// proof.
func TestTheServersOwnUser(t *testing.T) {
	a, c := newAuth(t)
	a.Roster().People["me"], a.Roster().People["bo"] = []string{identityOf(os.Getuid())}, []string{"os:4711"}
	for uid, decides := range map[int]bool{os.Getuid(): false, 4711: true, 4712: false} {
		if p := a.local(uid); p.Fresh(c.now()) != decides || (p.Key != nil) != decides || (p.Role >= Approver) != decides {
			t.Errorf("%d: %+v", uid, p)
		}
	}
}
