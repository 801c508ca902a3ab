package server

import (
	"net/http"
	"slices"
	"time"

	"github.com/trammel-dev/trammel/server/auth"
)

// Credential is a session or a token, without its secret.
type Credential struct {
	ID       string    `json:"id"`
	Name     string    `json:"name"`
	Role     string    `json:"role"`
	Identity string    `json:"identity"`
	Created  time.Time `json:"created"`
	Used     time.Time `json:"used"`
	Own      bool      `json:"own,omitempty"` // it is the one that asks
}

// CredentialList is sessions that have not ended.
type CredentialList struct {
	Sessions []Credential `json:"sessions"`
}

// sessions are those that the caller may see and end: their own, or all for an admin.
func (s *Server) sessions(r *http.Request) ([]*auth.Credential, error) {
	p := auth.From(r.Context())
	list, err := s.Auth.Credentials.List(r.Context(), auth.Session)
	return slices.DeleteFunc(list, func(c *auth.Credential) bool { return p.Role != auth.Admin && c.Identity != p.Identity }), err
}

func (s *Server) listSessions(_ http.ResponseWriter, r *http.Request) (any, error) {
	list, err := s.sessions(r)
	out := CredentialList{Sessions: []Credential{}}
	for _, c := range list {
		out.Sessions = append(out.Sessions, Credential{c.ID, c.Name, c.Role.String(), c.Identity, c.Created, c.Used,
			c.ID == auth.From(r.Context()).Credential})
	}
	return out, err
}

func (s *Server) revokeSession(_ http.ResponseWriter, r *http.Request) (any, error) {
	list, err := s.sessions(r)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		if c.ID == r.PathValue("id") {
			if _, err := s.Auth.Credentials.Revoke(r.Context(), c.ID); err != nil {
				return nil, err
			}
			return Health{"revoked", s.Program.Version}, nil
		}
	}
	return nil, &badRequest{http.StatusNotFound, "you have no such session"}
}
