package server

import (
	"errors"
	"net/http"

	"github.com/trammel-dev/trammel/internal/visible"
	"github.com/trammel-dev/trammel/server/auth"
	"github.com/trammel-dev/trammel/store"
)

// unknown turns store.ErrNotFound into a 404.
func unknown(err error, detail string) error {
	if errors.Is(err, store.ErrNotFound) {
		return &badRequest{http.StatusNotFound, detail}
	}
	return err
}

// Grant is a permission that people have given in advance.
type Grant struct {
	ID      string     `json:"id"`
	Scope   string     `json:"scope"`
	By      string     `json:"by"`
	Reason  string     `json:"reason,omitempty"`
	Hooks   []string   `json:"hooks"`
	Tool    string     `json:"tool,omitempty"`
	Host    string     `json:"host,omitempty"`
	Project string     `json:"project,omitempty"`
	Session string     `json:"session,omitempty"`
	Match   string     `json:"match,omitempty"`
	Uses    int        `json:"uses"`
	Most    int        `json:"most,omitempty"`
	Created store.Time `json:"created"`
	Expires store.Time `json:"expires"`
	Last    store.Time `json:"last"`
	Revoked store.Time `json:"revoked"`
	Revoker string     `json:"revoker,omitempty"`
}

func grantView(g *store.Grant) Grant {
	return Grant{ID: g.ID, Scope: g.Scope, By: visible.Line(g.By), Reason: visible.Line(g.Reason), Hooks: g.Hooks, Tool: visible.Line(g.Tool),
		Host:    g.Host,
		Project: visible.Line(g.Project), Session: visible.Line(g.Session), Match: visible.Line(string(g.Match)), Uses: g.Uses, Most: g.Most,
		Created: g.Created, Expires: g.Expires, Last: g.Last, Revoked: g.Revoked, Revoker: visible.Line(g.Revoker)}
}

// GrantList is all grants.
type GrantList struct {
	Grants []Grant `json:"grants"`
}

func (s *Server) listGrants(_ http.ResponseWriter, r *http.Request) (any, error) {
	svc, err := s.service(r.Context())
	if err != nil {
		return nil, err
	}
	list, err := svc.Store.Grants(r.Context())
	if err != nil {
		return nil, err
	}
	out := GrantList{Grants: []Grant{}}
	for _, g := range list {
		out.Grants = append(out.Grants, grantView(g))
	}
	return out, nil
}

func (s *Server) revokeGrant(_ http.ResponseWriter, r *http.Request) (any, error) {
	svc, err := s.service(r.Context())
	if err != nil {
		return nil, err
	}
	list, err := svc.Store.Grants(r.Context())
	if err != nil {
		return nil, err
	}
	for _, g := range list {
		if why := auth.From(r.Context()).MayRevoke(g.By); g.ID == r.PathValue("id") && why != "" {
			return nil, &badRequest{http.StatusForbidden, why}
		}
	}
	g, err := svc.Revoke(r.Context(), r.PathValue("id"), auth.From(r.Context()).Name)
	if err != nil {
		return nil, err
	}
	return grantView(g), nil
}
