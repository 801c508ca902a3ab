package server

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/test/standin"
)

const roster = "approvals:\n  people: {Alice: [\"oidc:alice\"]}\n"

// browser goes to the issuer and back, as far as it is let.
func (r *running) browser(issuer *standin.Issuer, onWay func(back *url.URL, visit *http.Cookie)) *http.Response {
	r.t.Helper()
	leave := r.send("GET", "/oidc/login?next=/evidence", "")
	leave.Body.Close()
	at, err := r.client.Get(leave.Header.Get("Location"))
	if err != nil || leave.StatusCode != http.StatusSeeOther || !strings.HasPrefix(leave.Header.Get("Location"), issuer.URL) {
		r.t.Fatalf("%v: %s", err, leave.Status)
	}
	at.Body.Close()
	back, err := url.Parse(at.Header.Get("Location"))
	if err != nil {
		r.t.Fatal(err)
	}
	visit := leave.Cookies()[0]
	if onWay != nil {
		onWay(back, visit)
	}
	res := r.send("GET", back.RequestURI(), "", "Cookie", visit.Name+"="+visit.Value)
	res.Body.Close()
	return res
}

// People log in at an issuer, with the code flow, PKCE and a nonce. A token that
// is not for this login opens nothing (UI-28).
func TestOIDC(t *testing.T) {
	issuer := standin.NewIssuer(t, "trammel", "client secret", "http://trammel/oidc/callback")
	w := newWorld(t, strings.NewReplacer("approvals:\n", roster, "hold: 2m", "hold: 2m, approvers: [Alice]").Replace(gate))
	set := func(name string, v any) func(_, claims map[string]any) {
		return func(_, claims map[string]any) { claims[name] = v }
	}
	ago := func(d time.Duration) int64 { return time.Now().Add(-d).Unix() }
	type back = func(*url.URL, *http.Cookie)
	var used string
	for _, c := range []struct {
		name   string
		tamper func(header, claims map[string]any)
		forge  func(string) string
		onWay  back
		status int // 0 is a session
		role   string
		stale  bool // deciding needs another proof
	}{
		{name: "as it should be", onWay: func(u *url.URL, k *http.Cookie) { used = u.RequestURI() }, role: "approver"},
		{name: "wrong nonce", tamper: set("nonce", "of another login"), status: 401},
		{name: "no nonce", tamper: set("nonce", nil), status: 401},
		{name: "wrong audience", tamper: set("aud", "somebody-else"), status: 401},
		{name: "wrong issuer", tamper: set("iss", "https://id.example"), status: 401},
		{name: "expired", tamper: set("exp", ago(time.Hour)), status: 401},
		{name: "somebody else", tamper: set("sub", "mallory"), status: 401},
		{name: "nobody", tamper: set("sub", nil), status: 401},
		{name: "nobody, in a group", tamper: func(_, c map[string]any) { delete(c, "sub"); c["groups"] = []string{"ops"} }, status: 401},
		{name: "a blank in a group", tamper: func(_, c map[string]any) { c["sub"], c["groups"] = " ", []string{"ops"} }, status: 401},
		{name: "alg none", tamper: func(h, _ map[string]any) { h["alg"] = "none" },
			forge: func(s string) string { return s[:strings.LastIndex(s, ".")+1] }, status: 401},
		{name: "another algorithm", tamper: func(h, _ map[string]any) { h["alg"] = "HS256" }, status: 401},
		{name: "changed after it was signed", forge: func(s string) string {
			p := strings.Split(s, ".")
			return p[0] + "." + p[1][:len(p[1])-4] + "AAAA." + p[2]
		}, status: 401},
		{name: "another browser", onWay: func(_ *url.URL, k *http.Cookie) { k.Value = "x" }, status: 401},
		{name: "another state", onWay: func(u *url.URL, _ *http.Cookie) {
			u.RawQuery = strings.Replace(u.RawQuery, "state=", "state=x", 1)
		}, status: 401},
		{name: "a code that was used", onWay: func(u *url.URL, _ *http.Cookie) {
			old, _ := url.Parse(used)
			q := u.Query()
			q.Set("code", old.Query().Get("code"))
			u.RawQuery = q.Encode()
		}, status: 401},
		{name: "logged in long ago", tamper: set("auth_time", ago(time.Hour)), role: "approver", stale: true},
		{name: "nobody says when", tamper: func(_, c map[string]any) { delete(c, "auth_time") }, role: "approver", stale: true},
		{name: "logged in in the future", tamper: set("auth_time", ago(-time.Hour)), role: "approver", stale: true},
		{name: "a group", tamper: set("groups", []string{"staff", "ops"}), role: "admin"},
		{name: "a group that only looks", tamper: set("groups", []string{"staff"}), role: "viewer", stale: true},
		{name: "a group as a text", tamper: set("groups", "ops"), role: "admin"},
		{name: "not in the roster, but in a group", tamper: func(_, c map[string]any) { c["sub"], c["groups"] = "bob", []string{"ops"} },
			role: "admin"},
		{name: "a group without a role", tamper: func(_, c map[string]any) { c["sub"], c["groups"] = "bob", []string{"guests"} }, status: 401},
	} {
		t.Run(c.name, func(t *testing.T) {
			issuer.Tamper, issuer.Forge = c.tamper, c.forge
			r := w.start(t, Options{URL: "http://trammel", Issuer: issuer.URL, Client: issuer.Client, Secret: issuer.Secret, Claim: "groups",
				Roles: map[string]auth.Role{"@ops": auth.Admin, "@staff": auth.Viewer}})
			if c.name == "as it should be" {
				issuer.Rotate() // after the server has read the keys, which it may have kept
			}
			res := r.browser(issuer, c.onWay)
			if c.status != 0 {
				if res.StatusCode != c.status || len(res.Cookies()) > 0 {
					t.Fatalf("%s with %v", res.Status, res.Cookies())
				}
				return
			}
			if res.StatusCode != http.StatusSeeOther || res.Header.Get("Location") != "/evidence" || len(res.Cookies()) != 1 {
				t.Fatalf("%s to %q with %v", res.Status, res.Header.Get("Location"), res.Cookies())
			}
			me := *r
			me.cookie = res.Cookies()[0]
			me.csrf = csrfOf(me.cookie)
			if who, err := r.Auth.Credentials.Find(t.Context(), me.cookie.Value); err != nil || who.Role.String() != c.role {
				t.Errorf("%+v, %v", who, err)
			}
			r.ask(r.token(auth.Agent), w.event("s", "release", map[string]any{"version": c.name}))
			a := me.waiting()
			d := a.approve()
			d.Secret = ""
			status := me.call("POST", "/v1/approvals/"+a.ID+"/decision", d, nil)
			if stopped := status == 401 || status == 403; stopped != (c.stale || c.name == "not in the roster, but in a group") {
				t.Errorf("the decision: %d", status)
			}
		})
	}
}
