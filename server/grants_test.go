package server

import (
	"net/http"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

// The API gives the same answer as the console about who may take a grant back:
// the person who gave it, or an admin.
func TestTakingBackGrants(t *testing.T) {
	r := newWorld(t, gate).start(t, Options{})
	svc, err := r.service(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	as := func(name string, role auth.Role) *running {
		secret, err := r.Auth.Credentials.Create(t.Context(), auth.Credential{Kind: auth.Session, Name: name, Role: role,
			Identity: "oidc:" + name})
		if err != nil {
			t.Fatal(err)
		}
		again := *r
		again.cookie, again.csrf = &http.Cookie{Name: "trammel", Value: secret}, auth.CSRF(secret)
		return &again
	}
	for _, c := range []struct {
		who    *running
		id     string
		status int
	}{
		{as("vi", auth.Viewer), "grn_1", http.StatusForbidden},
		{as("bo", auth.Approver), "grn_1", http.StatusForbidden},
		{as("", auth.Approver), "grn_1", http.StatusForbidden},
		{as("Al", auth.Approver), "grn_1", http.StatusForbidden},
		{as("bo", auth.Approver), "grn_x", http.StatusNotFound},
		{as("al", auth.Approver), "grn_1", http.StatusOK},
		{as("bo", auth.Admin), "grn_2", http.StatusOK},
	} {
		if c.id != "grn_x" {
			now := store.At(time.Now())
			g := &store.Grant{ID: c.id, Scope: "rule", By: "al", Created: now, Expires: store.At(now.Add(time.Hour))}
			svc.Store.PutGrant(t.Context(), g) // it may be there
		}
		if status := c.who.call("POST", "/v1/grants/"+c.id+"/revoke", nil, nil); status != c.status {
			t.Errorf("%s: %d, want %d", c.id, status, c.status)
		}
	}
	list, err := svc.Store.Grants(t.Context())
	if err != nil || len(list) != 2 || list[0].Revoker != "bo" || list[1].Revoker != "al" {
		t.Errorf("%+v, %v", list, err)
	}
}
