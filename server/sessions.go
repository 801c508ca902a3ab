package server

import (
	"net/http"
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

func (s *Server) listSessions(_ http.ResponseWriter, r *http.Request) (any, error) {
	list, err := s.Auth.Credentials.List(r.Context(), auth.Session)
	if err != nil {
		return nil, err
	}
	p := auth.From(r.Context())
	out := CredentialList{Sessions: []Credential{}}
	for _, c := range list {
		if p.Role == auth.Admin || c.Identity == p.Identity {
			out.Sessions = append(out.Sessions, Credential{c.ID, c.Name, c.Role.String(), c.Identity, c.Created, c.Used, c.ID == p.Credential})
		}
	}
	return out, nil
}

func (s *Server) revokeSession(_ http.ResponseWriter, r *http.Request) (any, error) {
	list, err := s.Auth.Credentials.List(r.Context(), auth.Session)
	if err != nil {
		return nil, err
	}
	p := auth.From(r.Context())
	for _, c := range list {
		if c.ID == r.PathValue("id") && (p.Role == auth.Admin || c.Identity == p.Identity) {
			if _, err := s.Auth.Credentials.Revoke(r.Context(), c.ID); err != nil {
				return nil, err
			}
			return Health{"revoked", s.Program.Version}, nil
		}
	}
	return nil, &badRequest{http.StatusNotFound, "you have no such session"}
}
